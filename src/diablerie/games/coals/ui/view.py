"""What one seat sees of COALS: as data, in a few words, as lines of text, and in sentences."""

from collections.abc import Iterator, Sequence

import msgspec

from diablerie.engine.text import Line, Section, listed, say, says
from diablerie.engine.verbs import EVERYTHING
from diablerie.games.coals.rules.hidden import is_open, owned
from diablerie.games.coals.rules.notation import KIND_NAMES
from diablerie.games.coals.rules.settling import space_of
from diablerie.games.coals.rules.state import DEVIL, UNSET, VALUES, Node, State
from diablerie.games.coals.ui.log import Result, results, winners


class Player(msgspec.Struct, frozen=True):
    """One seat; money is None where C16 hides it, the stake where C7 does."""

    total: int | None
    chips: int | None
    stake: int | None
    staked: bool
    front: tuple[int, ...]  # pieces turned, by kind
    coal: int
    pieces: int
    busted: bool
    pact: bool
    space: int  # of the pawn, as in the state
    won: bool


class View(msgspec.Struct, frozen=True):
    """The table as `viewer` sees it. Tuples of 7 are by kind of piece."""

    node: str
    round: int
    first: int
    turn: int | None
    furnace: tuple[int, ...]  # pieces left
    full: tuple[int, ...]  # pieces of a full furnace
    aside: tuple[int, ...]
    marks: tuple[int, ...]
    goal: int
    goal_space: int
    viewer: int
    seats: tuple[Player, ...]
    last: tuple[Result, ...]  # empty before any round is settled

    @property
    def over(self) -> bool:
        """Whether the game is over."""
        return self.node == "over"

    @property
    def betting(self) -> bool:
        """Whether stakes are being made."""
        return self.node == "bet"


def look(s: State, viewer: int) -> View:
    """The table as `viewer`, a seat, WATCHER or EVERYTHING, sees it, from a redacted state."""
    aside = s.full - s.furnace - s.front.sum(axis=0)
    won = winners(s) if s.node == Node.OVER else []
    return View(
        node=Node(s.node).name.lower(),
        round=s.rounds,
        first=s.first,
        turn=s.turn if s.node in (Node.PULL, Node.COAL) else None,
        furnace=tuple(s.furnace.tolist()),
        full=tuple(s.full.tolist()),
        aside=tuple(aside.tolist()),
        marks=tuple(mark for mark in s.marks.tolist() if mark),
        goal=s.goal,
        goal_space=int(space_of(s, s.goal)),
        viewer=viewer,
        seats=_players(s, viewer, won),
        last=results(s) if s.last_stake[0] != UNSET else (),
    )


def _players(s: State, viewer: int, won: Sequence[int]) -> tuple[Player, ...]:
    # Fields are read once, for each look at one takes its time.
    chips, stakes, fronts, coal = (x.tolist() for x in (s.chips, s.stake, s.front, s.coal))
    pieces, busted, pacts, spaces = (x.tolist() for x in (s.pieces, s.busted, s.pact, s.space))
    players = []
    for i in range(s.seats):
        known = viewer == EVERYTHING or is_open(s, i, viewer)
        player = Player(
            total=int(owned(s, i)) if known else None,
            chips=chips[i] if known else None,
            stake=stakes[i] if stakes[i] >= 0 else None,
            staked=stakes[i] != UNSET,
            front=tuple(fronts[i]),
            coal=coal[i],
            pieces=pieces[i],
            busted=bool(busted[i]),
            pact=bool(pacts[i]),
            space=spaces[i],
            won=i in won,
        )
        players.append(player)
    return tuple(players)


def sketch(view: View) -> str:
    """The position in a few lines of text."""
    kinds = "  ".join(f"{n}×{name}" for n, name in zip(view.furnace, KIND_NAMES, strict=True))
    lines = [f"round {view.round}, {view.node}", f"furnace: {kinds}"]
    for i, own in enumerate(view.seats):
        mark = "→" if i == view.turn else " "
        total = "?" if own.total is None else own.total
        stake = str(own.stake)
        if own.stake is None:
            stake = "hidden" if own.staked else "-"
        front = "busted" if own.busted else f"{own.coal} in {own.pieces}"
        pact = "  pact" if own.pact else ""
        lines.append(f"{mark} {i}  total {total}  stake {stake}  coal {front}{pact}")
    return "\n".join(lines)


def panel(view: View, seat: int) -> list[Line]:
    """What stands beside a player's name."""
    return _money(view.seats[seat])


def _money(own: Player) -> list[Line]:
    lines = []
    if own.total is not None:
        lines.append(say("{total} in total", total=own.total))
    if own.stake is not None:
        lines.append(say("staked {stake}", stake=own.stake))
    elif own.staked:
        lines.append(say("has staked"))
    if own.pact:
        lines.append(say("pact with the devil", "C22"))
    return lines


# -- in sentences, for those who do not see the picture ----------------------------------------


def place_in_words(who: int, own: Player) -> Line:
    """What the picture shows at a player's place."""
    return say("{who}: {what}", who=who, what=listed([*_money(own), _coal(own)]))


def kind_in_words(kind: int, left: int, full: int) -> Line:
    """How many pieces of a kind are left."""
    named = say("devils") if kind == DEVIL else say("worth {value}", value=VALUES[kind])
    return say("{what}: {n} of {of} left", what=named, n=left, of=full)


def describe(view: View) -> list[Section]:
    """What everybody has, and where everything lies."""
    return [
        Section(say("Now"), list(_now(view))),
        *(
            Section(say("{who}", who=i), list(_player(view, own)))
            for i, own in enumerate(view.seats)
        ),
        Section(say("The furnace"), list(_furnace(view))),
        Section(say("The track"), list(_track(view))),
        *_settled(view),
    ]


def _now(view: View) -> Iterator[Line]:
    yield say("Round {n}", n=view.round)
    if view.over:
        yield say("The game is over.")
    elif view.turn is not None:
        yield say("{who} is at the furnace.", who=view.turn)
    elif view.betting:
        yield say("Everybody is choosing a stake.", "C7")
    if view.node != "first":
        yield say("{who} began this round.", "C6", who=view.first)


def _player(view: View, own: Player) -> Iterator[Line]:
    if own.won:
        yield say("Has won")
    if own.total is not None:
        yield say("{total} in total", total=own.total)
    if own.stake is not None:
        yield say("staked {stake}", stake=own.stake)
    elif own.staked:
        yield say("has staked in secret", "C7")
    elif view.betting:
        yield say("has not staked yet", "C7")
    yield _coal(own)
    if own.pact:
        yield say("pact with the devil", "C22")


def _coal(own: Player) -> Line:
    if own.busted:
        return say("Burnt fingers", "C12")
    if not own.pieces:
        return say("no coal in front")
    values = [VALUES[kind] for kind, count in enumerate(own.front) for _ in range(count)]
    return says(
        "{n} piece in front: {values}; {coal} in total",
        "{n} pieces in front: {values}; {coal} in total",
        own.pieces,
        values=", ".join(map(str, values)),
        coal=own.coal,
    )


def _furnace(view: View) -> Iterator[Line]:
    left = sum(view.furnace)
    devils = view.furnace[DEVIL]
    yield says("{n} piece is left.", "{n} pieces are left.", left)
    for kind, count in enumerate(view.furnace):
        yield kind_in_words(kind, count, view.full[kind])
    if left:
        percent = round(100 * devils / left)
        yield say("The next piece is a devil {percent} times in 100.", "C12", percent=percent)
    if aside := sum(view.aside):
        yield says("{n} piece set aside", "{n} pieces set aside", aside, "C23")


def _track(view: View) -> Iterator[Line]:
    yield say("The game ends when somebody owns {goal}", "C21", goal=view.goal)
    for i, own in enumerate(view.seats):
        space = _space(view.marks, own.space)
        yield say("{who}’s pawn: {space}", who=i, space=space)


def _space(marks: tuple[int, ...], space: int) -> Line:
    """A stone of the track: 0 to 50, each mark, and a grey one before each mark."""
    if not space:
        return say("on the first space, 0 to 50")
    if space % 2 == 0:
        return say("on {mark}", mark=marks[space // 2 - 1])
    low = (50, *marks)[space // 2]
    high = marks[space // 2]
    return say("between {low} and {high}", low=low, high=high)


def _settled(view: View) -> Iterator[Section]:
    """How the last round was paid, as long as the picture shows it."""
    if view.last and (view.betting or view.over):
        lines = [_result(i, own) for i, own in enumerate(view.last)]
        yield Section(say("The previous round"), lines)


def _result(who: int, own: Result) -> Line:
    parts = [say("staked {stake}", stake=own.stake)]
    if own.busted:
        parts.append(say("burnt fingers", "C12"))
    else:
        parts.append(says("{coal} in {n} piece", "{coal} in {n} pieces", own.pieces, coal=own.coal))
    if own.double:
        parts.append(say("paid double", "C18"))
    if own.most_coal:
        parts.append(say("{paid} for the most coal", "C19", paid=own.most_coal))
    if own.most_pieces:
        parts.append(say("{paid} for the most pieces", "C19", paid=own.most_pieces))
    parts.append(_gain(own.gain))
    return say("{who}: {what}", who=who, what=listed(parts))


def _gain(gain: int) -> Line:
    if gain > 0:
        return say("{gain} won", gain=gain)
    return say("{loss} lost", loss=-gain) if gain < 0 else say("nothing won or lost")
