"""What each command does to a table, by the plain model of `seats_model`.

`TableModel.changed` explains a transaction: it does to the model what the node was doing, plays the
decisions on the engine's own match, whose dice are those of the table's key, and compares with what
is stored. `why` says for what reason a command is refused. No rule of any game is in here.
"""

import json
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from diablerie.engine.fair import Aborted, DiceStream
from diablerie.engine.match import Match
from diablerie.engine.options import settle
from diablerie.engine.plies import Ply, PlyKind
from diablerie.table.commands.seats import LINK_DIGITS
from diablerie.table.errors import WrongTime
from diablerie.table.state.nonce_exchange import LATE_PLEDGE
from diablerie.table.state.table_state import FINISHED_TABLE, OPEN_TABLE, PERSON, RUNNING
from tests.storm import lobby_model, play_model
from tests.storm.house import GAMES
from tests.storm.ledger import Doing, Row, Rows, Violated
from tests.storm.seats_model import Refusal, Table, copied, play_forced

if TYPE_CHECKING:
    from tests.storm.simulation import Simulation

HEARD = 12.0  # seconds after which a node has heard of a request
AFTER = (PlyKind.MOVE, PlyKind.DEADLINE, PlyKind.TAKE_BACK)  # after which forced ones are played


class TableModel:
    """All tables as the commands so far have made them."""

    def __init__(self, world: "Simulation") -> None:
        self.world = world
        self.tables: dict[str, Table] = {}
        self.gone: set[str] = set()
        self.groups: dict[str, str] = {}  # of tables that count for one

    # -- what a command is refused for ------------------------------------------------------------

    def why(self, command: Any) -> Refusal:
        """For what reason a command is refused now; None if it is accepted."""
        t = self.tables.get(command.table)
        does = _function(command.name)
        return does(self, copied(t), command) if t and does else None

    def idle(self, command: Any) -> bool:
        """Whether a command that is accepted now changes nothing."""
        t = self.tables.get(command.table)
        does = _function(command.name)
        if not t or not does:
            return True
        after = copied(t)
        refused = does(self, after, command)
        return refused is None and not after.fresh and _facts(after) == _facts(t)

    def clash(self, one: Any, other: Any) -> bool:
        """Whether two commands about a table forbid each other, or one allows the other."""
        return any(
            self._after(first, then) is not self.why(then)
            for first, then in ((one, other), (other, one))
        )

    def _after(self, first: Any, then: Any) -> Refusal:
        """For what reason a command is refused after another one."""
        t, (do, does) = self.tables.get(then.table), map(_function, (first.name, then.name))
        if not t or not do or not does:
            return self.why(then)
        if do(self, after := copied(t), first) is not None:
            return does(self, copied(t), then)
        return does(self, after, then)

    def now(self) -> float:
        """Unix time, by the clock of the node that does something."""
        return self.world.houses[self.world.ledger.doing[-1].node].clock()

    # -- what has changed, and why ---------------------------------------------------------------

    def removed(self, doing: Doing, table: str) -> None:
        """A table is gone: somebody who may has deleted it."""
        t, command = self.tables.pop(table), doing.command
        self.gone.add(table)
        ways = {"delete_table": self.may_delete, "leave": self.may_leave_last}
        may = command and command.table == table and ways.get(command.name)
        if not may or not may(t, command):
            raise Violated("tables are deleted only by who may", table, doing)

    def may_delete(self, t: Table, command: Any) -> bool:
        others = any(chair.owner not in (None, command.who) for chair in t.chairs)
        return t.host == command.who and (t.status == OPEN_TABLE or not others)

    def may_leave_last(self, t: Table, command: Any) -> bool:
        mine = t.chairs[command.args[0]].owner == command.who
        return mine and t.status == OPEN_TABLE and t.people == 1

    def changed(self, doing: Doing, after: Rows) -> None:
        """A table has changed to this. Raises Violated unless what the node does explains it."""
        table = after.match["id"]
        t = self.tables.get(table)
        if t is None:
            t = self.tables[table] = self._created(doing, after)
            if after.match["status"] == OPEN_TABLE:
                self._compare(t, after, doing)
                return
        asked = self._asked(t)
        t.fresh = []
        self._do(t, doing, after)
        fresh = self.world.ledger.plies(table, len(t.plies))
        if t.status == OPEN_TABLE and after.match["status"] != OPEN_TABLE:
            self._begin(t, after)
        self._play(t, fresh, after)
        if t.match and t.status != OPEN_TABLE:
            t.status = FINISHED_TABLE if t.match.over else RUNNING
        self._requests(t, fresh, after)
        self._clocks(t, after, fresh, asked)
        self._compare(t, after, doing)
        if fresh and t.status == FINISHED_TABLE:
            self.world.groups.finished(table, t, after)

    def _do(self, t: Table, doing: Doing, after: Rows) -> None:
        command = doing.command
        does = command and _function(command.name)
        if does and (command.reaches(t.id) or self._is_next(t, command)):
            refused = does(self, t, command)
            if refused is WrongTime and command.name == "answer_take_back" and self._unheard(t):
                refused = None  # the request does not stand any more
            if refused is not None and not self._starts(t, after):
                raise Violated("what must be refused is refused", t.id, (str(command), refused))
            if command.name == "link":
                t.chairs[command.args[0]].secret = _links(after.seats[command.args[0]])[0]
        elif doing.name.startswith("bots"):
            play_model.bot_acts(self, t, self.world.ledger.plies(t.id, len(t.plies)))
        elif doing.name == "deadlines":
            play_model.time_is_over(self, t, self.world.ledger.plies(t.id, len(t.plies)))
        elif not self._starts(t, after):
            raise Violated("only what is asked for is done", t.id, doing.name)

    def _is_next(self, t: Table, command: Any) -> bool:
        """Whether somebody asks for another game where there is one, which this is."""
        old = self.tables.get(command.table)
        return command.name == "rematch" and old is not None and old.rematch == t.id

    def _starts(self, t: Table, after: Rows) -> bool:
        return t.status == OPEN_TABLE and not t.free and after.match["status"] != OPEN_TABLE

    def _created(self, doing: Doing, after: Rows) -> Table:
        makes = doing.command and _function(f"made_by_{doing.command.name}")
        if makes is None:
            raise Violated("only what is asked for is done", after.match["id"], doing.name)
        t: Table = makes(self, doing.command, after)
        doing.command.made.append(t.id)
        if after.match["group_id"]:
            self.groups[t.id] = after.match["group_id"]
        return t

    def standing(self, table: str, header: Any, plies: int) -> Any:
        """What is stored of a table after so many plies; see `Ledger`.

        A request does not stand any more once its player has decided, wherever that was.
        """
        t = self.tables.get(table)
        if header and t and t.match and (asked := header[-2]):
            then = replace(t, plies=t.plies[:plies])
            header = (*header[:-2], asked if then.goal(asked[0]) == asked[1] else None, header[-1])
        return header

    # -- the match ------------------------------------------------------------------------------

    def _begin(self, t: Table, after: Rows) -> None:
        if t.free or t.awaited == "hashes":
            raise Violated("a match begins when all are there", t.id)
        t.status, t.waits = RUNNING, 0.0
        for chair in t.chairs:
            chair.called, chair.shown = chair.name, True
        self.start_match(t, after)

    def start_match(self, t: Table, after: Rows) -> None:
        """Have the engine's match begin with the dice of the table's key and nonces."""
        m = after.match
        earlier = tuple(
            Aborted(one["commitment"], tuple(one["hashes"])) for one in json.loads(m["earlier"])
        )
        nonces, labels = (tuple(seat[name] for seat in after.seats) for name in ("nonce", "label"))
        pledges = tuple(chair.sent for chair in t.chairs)
        late = tuple(seat for seat, chair in enumerate(t.chairs) if chair.pledge == LATE_PLEDGE)
        key, aborted = bytes.fromhex(m["key"]), m["aborted"]
        fair = DiceStream(key, nonces, pledges, labels, aborted, earlier, late)
        game = GAMES[m["game"]]
        options, names = settle(game.options, json.loads(m["options"])), [c.name for c in t.chairs]
        told: dict[str, Any] = {"seats": len(t.chairs), "fair": fair, "names": names}
        if not t.taken:
            t.match = Match.new(game, options=options, **told)
        else:
            t.match = Match.opening(game, options=options, **told)
            t.match.taken = t.taken
            for ply in self.tables[m["origin"]].plies[: t.taken]:
                t.match.append(ply)

    def _play(self, t: Table, fresh: Sequence[Ply], after: Rows) -> None:
        """Play what was decided, and what follows by itself; that is what must be stored."""
        if t.match is None:
            if fresh:
                raise Violated("nothing is decided before the start", t.id)
            return
        for kind, seat, text, to, by in t.fresh:
            if kind is PlyKind.MOVE:
                t.match.play(text, seat)
            else:
                t.match.note(kind, seat, to=to, by=by)
        if not t.fresh or any(one[0] in AFTER for one in t.fresh):
            play_forced(t.match)
        want = [ply._replace(at=0.0) for ply in t.match.plies[len(t.plies) :]]
        told = [ply._replace(at=0.0) for ply in fresh]
        if want != told:
            raise Violated("what is decided is stored, and no more", t.id, (want, told))
        if any(abs(ply.at - self.now()) > 5.0 for ply in fresh):
            raise Violated("plies have the time of their node", t.id, fresh)
        t.plies += fresh

    def _requests(self, t: Table, fresh: Sequence[Ply], after: Rows) -> None:
        """A request ends with a take-back, the game, or a decision at a node that knows of it."""
        unheard = self._unheard(t)
        if t.request and unheard and after.match["request"] and t.status != FINISHED_TABLE:
            asker = json.loads(after.match["request"])[0]
            fresh = [ply for ply in fresh if ply.kind is not PlyKind.MOVE or ply.seat != asker]
        back = any(ply.kind is PlyKind.TAKE_BACK for ply in fresh)
        moved = {ply.seat for ply in fresh if ply.kind is PlyKind.MOVE}
        if t.request and (back or t.request[0] in moved or t.status == FINISHED_TABLE):
            t.request = None
        if t.request and (
            t.request[1] != t.goal(t.request[0]) or (unheard and not _asked(t, after))
        ):
            t.request = None

    def _unheard(self, t: Table) -> bool:
        """Whether this node may not have heard of the last change of a table yet."""
        at, by = self.world.ledger.changed.get(t.id, (0.0, 0))
        return by != self.world.ledger.doing[-1].node and self.world.timeline.passed - at < HEARD

    # -- turn clocks -----------------------------------------------------------------------------

    def _asked(self, t: Table) -> set[int]:
        return set(t.pending) if t.status == RUNNING else set()

    def _clocks(self, t: Table, after: Rows, fresh: Sequence[Ply], asked: set[int]) -> None:
        """Turn clocks run from when a seat is asked, whatever others decide in secret."""
        movers = {ply.seat for ply in fresh if ply.kind is PlyKind.MOVE}
        before, passed = len(t.plies) - len(fresh), self.world.timeline.passed
        for seat, chair in enumerate(t.chairs):
            due = after.seats[seat]["due"]
            waits = seat in t.pending and chair.kind == PERSON and not chair.stand_in
            if not (waits and t.status == RUNNING):
                chair.asked, chair.due = -1.0, 0.0
                continue
            same = seat in asked - movers and t.plies[-1].since <= before and chair.asked >= 0.0
            if not same:
                chair.asked = passed
            if not t.pace:
                chair.due = 0.0
            elif not (same and chair.due):
                uptime = due - t.pace
                if not self.world.ledger.uptime - play_model.EARLY <= uptime <= passed + 1.0:
                    raise Violated("a turn clock runs for its time", t.id, (seat, due, passed))
                chair.due = due

    def _compare(self, t: Table, after: Rows, doing: Doing) -> None:
        told = _facts_of_rows(after, _asked(t, after))
        if told != _facts(t):
            why = [(want, got) for want, got in zip(_facts(t), told, strict=True) if want != got]
            raise Violated("what was asked for is stored, and no more", t.id, (doing.name, why))


def _function(name: str) -> Any:
    """What the model does for the command of this name; None if it changes no table."""
    return getattr(lobby_model, name, None) or getattr(play_model, name, None)


def _links(seat: Row) -> tuple[str, str]:
    """What is stored of a seat's personal link, and of the way back; "" if there is none."""
    link = seat["link"] or ""
    return link[:LINK_DIGITS].strip("0"), link[LINK_DIGITS:].strip("0")


def _facts(t: Table) -> tuple[Any, ...]:
    return (
        *(t.status, t.host, t.public, round(t.waits, 3), t.aborted, t.rematch),
        t.request and (t.request[0], t.request[1], sorted(t.request[2])),
        *(t.said, len(t.plies)),
        *(
            (
                *(c.kind, c.owner, c.name, c.called, c.stand_in, c.pledge, c.shown, c.due),
                *(c.member, c.bot, c.secret, bool(c.moved_from), c.wanted, c.declined),
            )
            for c in t.chairs
        ),
    )


def _asked(t: Table, rows: Rows) -> Any:
    """The request to take back that is stored, if it stands; see `TableModel.standing`."""
    asked = json.loads(rows.match["request"]) if rows.match["request"] else None
    stands = asked and t.match and t.goal(asked[0]) == asked[1]
    return (asked[0], asked[1], sorted(asked[2])) if stands else None


def _facts_of_rows(rows: Rows, asked: Any) -> tuple[Any, ...]:
    m = rows.match
    return (
        *(
            m["status"],
            m["host"],
            bool(m["public"]),
            round(m["waits"], 3),
            m["aborted"],
            m["rematch"],
        ),
        asked,
        *([(line["id"], line["seat"], line["text"]) for line in rows.chat], rows.plies),
        *(
            (
                *(s["kind"], s["owner"], s["name"], s["called"], bool(s["stand_in"])),
                *(s["pledge"], bool(s["nonce"]), s["due"], s["member"], s["bot"]),
                *(_links(s)[0], bool(_links(s)[1]), s["wanted"], s["declined"]),
            )
            for s in rows.seats
        ),
    )
