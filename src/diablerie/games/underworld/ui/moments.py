"""The moments of UNDERWORLD: a card turned over, a swap, a devil handed on, the way out, daybreak."""

from diablerie.engine.moments import Moment
from diablerie.games.underworld.rules import actions
from diablerie.games.underworld.rules.board import SPACES
from diablerie.games.underworld.rules.notation import LETTER_NAMES
from diablerie.games.underworld.rules.state import DEVIL, LETTERS, TOWER, Node, State

NOBODY = "none"  # the colour of a card that is of no player's

FACES = {
    "caught": "burnt",
    "hand": "sly",
    "out": "triumph",
}  # what whoever decided looks like, by scene


def moments(
    before: State, seat: int, action: int | None, after: State, viewer: int
) -> list[Moment]:
    """What of one decision or outcome is staged, from what `viewer` knows."""
    turned = int(after.up) & ~int(before.up)
    cards = [_card(after, space) for space in range(SPACES) if turned >> space & 1]
    if before.node == Node.SWAP2 and action is not None:
        swapped = _card(before, int(before.last)) + _card(before, action - actions.WITH)
        return [Moment("swap", swapped)]
    return [
        *(Moment("card", card) for card in cards),
        *_devils(before, after),
        *(Moment("out", (i,)) for i in range(int(after.seats)) if after.gone[i] > before.gone[i]),
        *([_dawn(after)] if after.node == Node.OVER else []),
    ]


def _dawn(s: State) -> Moment:
    """Who is still inside when the gate shuts, and who was the first outside."""
    order = [int(place) for place in s.gone[: s.seats]]
    return Moment("dawn", (order.index(0), order.index(1) if 1 in order else "none"))


def _card(s: State, space: int) -> tuple[str | int, ...]:
    """A card's face and colour: `A 3`; only its back if it lies face down."""
    if not int(s.up) >> space & 1:
        return ("back", NOBODY)
    card = int(s.card[space])
    if card in (DEVIL, TOWER):
        return ("devil" if card == DEVIL else "tower", NOBODY)
    colour, letter = divmod(card, LETTERS)
    return (LETTER_NAMES[letter], colour if colour < s.seats else NOBODY)


def _devils(before: State, after: State) -> list[Moment]:
    """A devil that has come from one player to another, or from the face to a player."""
    seats = range(int(after.seats))
    freed = [i for i in seats if before.devil[i] > after.devil[i]]
    caught = [i for i in seats if after.devil[i] > before.devil[i]]
    if caught and freed:
        return [Moment("hand", (freed[0], caught[0]))]
    return [Moment("caught", (i,)) for i in caught]
