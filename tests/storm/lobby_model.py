"""What the commands before and after a game do to a table in the model, a function for each.

A function returns the refusal, or None after it has changed the model. Functions that are called
`made_by_…` make the table that a command opens.
"""

from typing import TYPE_CHECKING, Any

from diablerie.engine import fair
from diablerie.engine.verbs import WATCHER
from diablerie.table.commands.seats import LINK_DIGITS
from diablerie.table.errors import (
    BadInput,
    Forbidden,
    NotFound,
    WrongTime,
)
from diablerie.table.state.nonce_exchange import (
    GRACE_HERE,
    LATE_PLEDGE,
    NONCE_GRACE_SECONDS,
    PROMISED_PLEDGE,
)
from diablerie.table.state.table_state import (
    BOT,
    CHAT_LINES_KEPT,
    FINISHED_TABLE,
    OPEN_TABLE,
    PERSON,
)
from diablerie.table.state.visitors import hashed, numbered
from tests.storm.house import GAMES
from tests.storm.ledger import Rows, Violated
from tests.storm.play_model import KNOWN
from tests.storm.seats_model import Refusal, Seat, Table, play_forced

if TYPE_CHECKING:
    from tests.storm.table_model import TableModel

GONE = "gone"  # the status of a table that its last person has left


def made_by_open_table(model: "TableModel", command: Any, rows: Rows) -> Table:
    """A table with the seats of the plan."""
    plan, more = command.args[1], command.more
    t = Table(rows.match["id"], command.who, [], rows.match["created"], more.get("pace", 0))
    for what in plan:
        if what == "me":
            t.chairs.append(
                Seat(PERSON, command.who, pledge=PROMISED_PLEDGE * more.get("share", False))
            )
        elif what == "open":
            t.chairs.append(Seat())
        else:
            t.chairs.append(Seat(BOT, bot=what))
    return t


def made_by_start(model: "TableModel", command: Any, rows: Rows) -> Table:
    """A group's table: these members sit at this browser, all other seats are open."""
    group = model.world.groups.groups.get(rows.match["group_id"])
    members, links = list(command.args[2]), {group and group.link}
    if group and model.world.ledger.doing[-1].overtaken:
        links.add(group.was)
    if group is None or command.args[0] not in links:
        raise Violated("a group's table counts for it", rows.match["id"])
    t = Table(rows.match["id"], command.who, [], rows.match["created"])
    for row in rows.seats:
        if row["member"] in members:
            name = group.members[row["member"]][0]
            if row["name"] == group.former.get(row["member"]):  # changed since the group was read
                name = row["name"]
            t.chairs.append(Seat(PERSON, command.who, name, member=row["member"]))
            members.remove(row["member"])
        else:
            t.chairs.append(Seat())
    if members:
        raise Violated("every member who plays has a seat", t.id, members)
    return t


def made_by_rematch(model: "TableModel", command: Any, rows: Rows) -> Table:
    """A table for the same players, but for those who left the group."""
    old = model.tables[command.table]
    group = model.world.groups.groups.get(model.groups.get(old.id, ""))
    t = Table(rows.match["id"], old.host, [], rows.match["created"], old.pace, public=old.public)
    for c in old.chairs:
        left = c.member and (group is None or c.member not in group.members)
        again = Seat(c.kind, c.owner, c.name, pledge=c.pledge, member=c.member, bot=c.bot)
        t.chairs.append(Seat() if left else again)
        t.chairs[-1].unshare()
    return t


def made_by_explore(model: "TableModel", command: Any, rows: Rows) -> Table:
    """A table that goes on from a step of a finished match, with bots on the other seats."""
    step, wanted = command.args[0], command.args[1]
    old = model.tables[command.table]
    mine = [row["seat"] for row in rows.seats if row["owner"] == command.who]
    if len(mine) != 1 or (wanted is not None and mine != [wanted]) or old.status != FINISHED_TABLE:
        raise Violated("who plays on has one seat", rows.match["id"], mine)
    t = Table(rows.match["id"], command.who, [], rows.match["created"], taken=step)
    t.chairs = [Seat(BOT, bot=row["bot"]) for row in rows.seats]
    t.chairs[mine[0]] = Seat(PERSON, command.who)
    return t


def sit(model: "TableModel", t: Table, command: Any) -> Refusal:
    """Take an open seat."""
    wanted = command.args[0] if command.args else None
    if t.status != OPEN_TABLE or not t.free or wanted not in (None, *t.free):
        return WrongTime
    seat, pledge = t.free[0] if wanted is None else wanted, PROMISED_PLEDGE * command.more["share"]
    member, name = model.world.groups.only_member(model.groups.get(t.id, ""), command.who, t)
    t.chairs[seat] = Seat(PERSON, command.who, name, pledge=pledge, member=member)
    return _waits(model, t)


def sit_as(model: "TableModel", t: Table, command: Any) -> Refusal:
    """Take open seats for members of the group, one in each transaction."""
    link, members = command.args
    group = model.world.groups.by_link(link)
    if group is None or model.groups.get(t.id) != group.id:
        return NotFound
    mine = group.at(command.who)
    if not members or any(one not in mine for one in members):
        return BadInput if all(one in group.members for one in members) else NotFound
    there = {chair.member for chair in t.chairs}
    coming = [one for one in members if one not in there]
    if not coming:
        return None
    if t.status != OPEN_TABLE or len(coming) > len(t.free):
        return WrongTime
    name, colour = group.members[coming[0]]
    seat = colour if colour in t.free else t.free[0]
    t.chairs[seat] = Seat(PERSON, command.who, name, member=coming[0])
    return _waits(model, t)


def _waits(model: "TableModel", t: Table) -> Refusal:
    """A full table waits for what was promised."""
    t.waits = t.waits or (model.now() if t.awaited else 0.0)
    return None


def leave(model: "TableModel", t: Table, command: Any) -> Refusal:
    """Leave a seat before the start."""
    why = t.foreign(command.who, command.args[0]) or t.unless(OPEN_TABLE)
    if not why:
        t.empty(command.args[0])
        t.status = t.status if t.people else GONE
    return why


def free(model: "TableModel", t: Table, command: Any) -> Refusal:
    """Free the seat of another."""
    (seat,) = command.args
    why = t.not_host(command.who) or t.unless(OPEN_TABLE)
    if not why and (seat in t.free or seat >= len(t.chairs)):
        why = NotFound
    elif not why and t.chairs[seat].owner == command.who:
        why = WrongTime
    if not why:
        t.empty(seat)
    return why


def fill(model: "TableModel", t: Table, command: Any) -> Refusal:
    """Bots take the open seats, or some of them, and the others go."""
    why = t.not_host(command.who) or t.unless(OPEN_TABLE)
    if why:
        return why
    devils = command.args[1] if len(command.args) > 1 else len(t.free)
    game = GAMES[model.world.ledger.rows[t.id].match["game"]]
    if devils > len(t.free) or len(t.chairs) - len(t.free) + devils not in game.seats:
        return BadInput
    for seat in t.free[:devils]:
        t.chairs[seat] = Seat(BOT, bot="sensible")
    kept = [seat for seat in range(len(t.chairs)) if seat not in t.free]
    t.chairs = [t.chairs[seat] for seat in kept]
    place = {seat: number for number, seat in enumerate(kept)}
    t.said = [(number, place.get(seat, WATCHER), text) for number, seat, text in t.said]
    return _waits(model, t)


def publish(model: "TableModel", t: Table, command: Any) -> Refusal:
    """Show the table to anybody, or not."""
    why = t.not_host(command.who)
    if not why:
        (t.public,) = command.args
    return why


def share(model: "TableModel", t: Table, command: Any) -> Refusal:
    """Hashes, then nonces."""
    hashes, nonces = command.args
    for seat in {*hashes, *nonces}:
        if why := t.foreign(command.who, seat):
            return why
    for seat, given in hashes.items():
        if t.status != OPEN_TABLE or t.chairs[seat].pledge != PROMISED_PLEDGE:
            return WrongTime
        before, t.chairs[seat].pledge = t.awaited, given
        t.waits = t.waits if t.awaited == before else 0.0
    if nonces and t.awaited != "nonces":
        return WrongTime
    for seat, nonce in nonces.items():
        if fair.pledge(nonce) != t.chairs[seat].pledge:
            return BadInput
        t.chairs[seat].shown = True
    return _waits(model, t)


def begin(model: "TableModel", t: Table, command: Any) -> Refusal:
    """Go on without the shares that do not come."""
    if why := t.stranger(command.who):
        return why
    here = model.world.last_trouble <= model.world.timeline.passed - KNOWN and any(
        model.world.is_here(t.id, chair.owner, KNOWN) for chair in t.chairs if _awaited(t, chair)
    )
    if (
        not t.awaited
        or not t.waits
        or model.now() - t.waits < (GRACE_HERE if here else NONCE_GRACE_SECONDS)
    ):
        return WrongTime
    if t.awaited == "hashes":
        t.waits = 0.0
        for chair in t.chairs:
            chair.pledge = LATE_PLEDGE if chair.pledge == PROMISED_PLEDGE else chair.pledge
        return _waits(model, t)
    return None


def _awaited(t: Table, chair: Seat) -> bool:
    """Whether the others wait for something of this seat."""
    if t.awaited == "hashes":
        return chair.pledge == PROMISED_PLEDGE
    return bool(chair.sent) and not chair.shown


# -- seats that move, names, talk, what comes after --------------------------------------------------


def link(model: "TableModel", t: Table, command: Any) -> Refusal:
    """Make a personal link."""
    return t.foreign(command.who, command.args[0])


def claim(model: "TableModel", t: Table, command: Any) -> Refusal:
    """Follow a personal link, which works once."""
    secret = hashed("link", command.args[0])[:LINK_DIGITS].strip("0")
    seat = next((s for s, c in enumerate(t.chairs) if c.secret == secret), None)
    if seat is None:
        return NotFound
    chair = t.chairs[seat]
    if chair.owner != command.who:
        chair.moved_from, chair.secret = chair.moved_from or chair.owner, ""
        t.move(seat, command.who)
        _waits(model, t)
    return None


def return_seat(model: "TableModel", t: Table, command: Any) -> Refusal:
    """Take back a seat that has moved away."""
    (seat,) = command.args
    if seat >= len(t.chairs):
        return NotFound
    if t.chairs[seat].moved_from != command.who:
        return Forbidden
    t.chairs[seat].secret, t.chairs[seat].moved_from = "", None
    t.move(seat, command.who)
    return _waits(model, t)


def rename(model: "TableModel", t: Table, command: Any) -> Refusal:
    """Another name, with a number if another seat has it."""
    seat, name = command.args
    if not (why := t.foreign(command.who, seat)):
        others = [chair.name for other, chair in enumerate(t.chairs) if other != seat]
        t.chairs[seat].name = numbered(name, others)
    return why


def delete_names(model: "TableModel", t: Table, command: Any) -> Refusal:
    """No name of this browser stays anywhere."""
    for seat in t.seats_of(command.who):
        t.chairs[seat].name = t.chairs[seat].called = ""
    return None


def chat(model: "TableModel", t: Table, command: Any) -> Refusal:
    """A line of chat; the last ones are kept."""
    if not command.args[0].strip():
        return BadInput
    if why := t.stranger(command.who):
        return why
    _say(t, t.seats_of(command.who)[0], command.args[0])
    return None


def _say(t: Table, seat: int, text: str) -> None:
    number = t.said[-1][0] + 1 if t.said else 1
    t.said = [*t.said, (number, seat, text)][-CHAT_LINES_KEPT:]


def rematch(model: "TableModel", t: Table, command: Any) -> Refusal:
    """Another table for the same players, once."""
    if t.id != command.table:  # the new table, which begins or waits
        return open_table(model, t, command)
    why = t.stranger(command.who) or t.unless(FINISHED_TABLE)
    if (not why and t.rematch not in model.tables) or t.rematch == command.makes:
        t.rematch = command.makes
    return why


def explore(model: "TableModel", t: Table, command: Any) -> Refusal:
    """Play on from a step of a finished match after which somebody is to decide."""
    if t.id != command.table:  # the new table
        return None
    why, (step, wanted, _) = t.unless(FINISHED_TABLE), command.args
    if why or t.match is None or not 1 <= step <= len(t.plies):
        return why or WrongTime
    if wanted is not None and wanted >= len(t.chairs):
        return BadInput
    past = t.match.at(step)
    play_forced(past)
    return None if past.pending and wanted not in past.resigned else WrongTime


def open_table(model: "TableModel", t: Table, command: Any) -> Refusal:
    """The new table, whose seats are all taken, begins or waits."""
    return None if t.free else _waits(model, t)


start = open_table


def delete_table(model: "TableModel", t: Table, command: Any) -> Refusal:
    """Delete a table for good."""
    others = any(chair.owner not in (None, command.who) for chair in t.chairs)
    why = t.not_host(command.who) or (WrongTime if others and t.status != OPEN_TABLE else None)
    if not why and t.status == OPEN_TABLE:
        t.status = GONE
    return why


def redeem(model: "TableModel", t: Table, command: Any) -> Refusal:
    """All that one visitor had is another's."""
    was, now = command.args[:2]
    open_still = t.status == OPEN_TABLE and not t.all_promised
    for seat in t.seats_of(was):
        t.chairs[seat].owner = now
        if open_still:
            t.chairs[seat].unshare()
    for chair in t.chairs:
        chair.wanted = now if chair.wanted == was else chair.wanted
    t.host = now if t.host == was else t.host
    return None
