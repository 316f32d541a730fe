"""The position of COASTERS in sentences, for those who do not see the picture."""

from collections.abc import Iterator, Sequence

from coasters.ui.view import Place, View, panel
from diablerie.engine.text import Line, Section, listed, say

KINDS = {"flower": say("a flower"), "skull": say("the skull"), "hidden": say("a coaster face down")}


def describe(view: View) -> list[Section]:
    """The bid, and what lies at every seat."""
    return [
        Section(say("Now"), list(_now(view))),
        *(
            Section(say("{who}", who=seat), list(_place(view, seat, place)))
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


def _place(view: View, seat: int, place: Place) -> Iterator[Line]:
    yield from panel(view, seat)
    if place.passed:
        yield say("has passed")
    down = len(place.pile) - place.turned
    yield say("In hand: {coasters}", coasters=_kinds(place.hand))
    yield say("In the pile, from below: {coasters}", coasters=_kinds(place.pile[:down]))
    if place.turned:
        yield say("Turned up: {coasters}", coasters=_kinds(place.pile[down:]))


def _kinds(kinds: Sequence[str]) -> Line:
    return listed([KINDS[kind] for kind in kinds]) if kinds else say("nothing")
