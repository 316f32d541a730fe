"""What one seat sees of COASTERS: as data, in a few words, as lines of text, and in sentences."""

from collections.abc import Iterator, Sequence

from msgspec import Struct

from coasters.rules.notation import KINDS
from coasters.rules.piles import hand, on_the_table
from coasters.rules.state import HIDDEN, NO, NOBODY, Node, State
from diablerie.engine.text import Line, Section, listed, say, says
from diablerie.engine.verbs import EVERYTHING


class Place(Struct, frozen=True):
    """What lies at one seat; kinds are `flower`, `skull`, and `hidden` from the viewer."""

    coasters: int  # not lost
    hand: list[str]
    pile: list[str]  # from the bottom
    turned: int  # of the pile, from the top
    passed: bool
    points: int
    harmless: bool  # everybody knows that the skull is lost
    last_turned: int  # in the last round


class Last(Struct, frozen=True):
    """How the last round ended: `skull` is the seat whose skull was turned."""

    turner: int
    bid: int
    skull: int | None


class View(Struct, frozen=True):
    """The table."""

    node: str
    viewer: int
    turn: int | None  # who decides
    first: int
    bid: int
    bidder: int | None
    table: int  # coasters laid
    goal: int
    places: list[Place]
    last: Last | None
    winner: int | None


def look(s: State, viewer: int) -> View:
    """The table as `viewer` sees it."""
    return View(
        node=Node(int(s.node)).name.lower(),
        viewer=viewer,
        turn=None if s.node in (Node.FIRST, Node.OVER) else int(s.turn),
        first=int(s.first),
        bid=int(s.bid),
        bidder=_seat(s.bidder),
        table=on_the_table(s),
        goal=int(s.goal),
        places=[_place(s, i, viewer) for i in range(int(s.seats))],
        last=_last(s),
        winner=_seat(s.winner),
    )


def _seat(seat: int) -> int | None:
    return None if seat == NOBODY else int(seat)


def _place(s: State, i: int, viewer: int) -> Place:
    laid = int(s.laid[i])
    return Place(
        coasters=int(s.coasters[i]),
        hand=_hand(s, i, viewer),
        pile=[_kind(kind) for kind in s.pile[i, :laid]],
        turned=int(s.turned[i]),
        passed=bool(s.passed[i]),
        points=int(s.points[i]),
        harmless=bool(s.known[i] == NO),
        last_turned=int(s.last_turned[i]),
    )


def _hand(s: State, i: int, viewer: int) -> list[str]:
    if viewer not in (i, EVERYTHING):
        return [_kind(HIDDEN)] * int(s.coasters[i] - s.laid[i])
    return [KINDS[kind] for kind in range(2) for _ in range(hand(s, i, kind))]


def _kind(kind: int) -> str:
    return "hidden" if kind == HIDDEN else KINDS[kind]


def _last(s: State) -> Last | None:
    if s.last_turner == NOBODY:
        return None
    return Last(int(s.last_turner), int(s.last_bid), _seat(s.last_skull))


def sketch(view: View) -> str:
    """The position in a few lines of text: a pile from its bottom, what is turned in brackets."""
    bid = f"bid {view.bid} by {view.bidder}" if view.bid else "no bid"
    lines = [f"{view.node}, {bid}, {view.table} on the table, {view.goal} points win"]
    for i, place in enumerate(view.places):
        mark = "→" if i == view.turn else " "
        passed = "  passed" if place.passed else ""
        shown = f"points {place.points}  hand {_letters(place.hand)}  pile {_pile(place)}"
        lines.append(f"{mark} {i}  {shown}{passed}")
    return "\n".join(lines)


def _letters(kinds: Sequence[str]) -> str:
    return "".join({"flower": "f", "skull": "S", "hidden": "?"}[kind] for kind in kinds) or "-"


def _pile(place: Place) -> str:
    down = len(place.pile) - place.turned
    turned = f"[{_letters(place.pile[down:])}]" if place.turned else ""
    return _letters(place.pile[:down]) + turned


def panel(view: View, seat: int) -> list[Line]:
    """What stands beside a player's name."""
    place = view.places[seat]
    points = say("{points} of {goal} points", points=place.points, goal=view.goal, clause="B16")
    if not place.coasters:
        return [points, say("out", clause="B15")]
    shown = [points, says("{n} coaster", "{n} coasters", place.coasters, clause="B1")]
    if place.harmless:
        shown.append(say("the skull is gone"))
    return shown


# -- in sentences, for those who do not see the picture ----------------------------------------


KIND_WORDS = {
    "flower": say("a flower"),
    "skull": say("the skull"),
    "hidden": say("a coaster face down"),
}


def describe(view: View) -> list[Section]:
    """The bid, and what lies at every seat."""
    return [
        Section(say("Now"), list(_now(view))),
        *(
            Section(say("{who}", who=seat), list(_tell_place(view, seat, place)))
            for seat, place in enumerate(view.places)
        ),
    ]


def _now(view: View) -> Iterator[Line]:
    if view.winner is not None:
        yield say("{who} has won.", who=view.winner)
    elif view.turn is not None:
        yield say("It is {who}’s turn.", who=view.turn)
    if view.bidder is not None:
        yield say("{who} has bid {n}.", who=view.bidder, n=view.bid)
    yield say("On the table: {n}", n=view.table)


def _tell_place(view: View, seat: int, place: Place) -> Iterator[Line]:
    yield from panel(view, seat)
    if place.passed:
        yield say("has passed")
    down = len(place.pile) - place.turned
    yield say("In hand: {coasters}", coasters=_kinds(place.hand))
    yield say("In the pile, from below: {coasters}", coasters=_kinds(place.pile[:down]))
    if place.turned:
        yield say("Turned up: {coasters}", coasters=_kinds(place.pile[down:]))


def _kinds(kinds: Sequence[str]) -> Line:
    return listed([KIND_WORDS[kind] for kind in kinds]) if kinds else say("nothing")
