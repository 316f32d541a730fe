"""What spaces, letters and cards are called in sentences."""

from diablerie.engine.text import Line, say
from diablerie.games.underworld.rules.notation import LETTER_NAMES, SPACE_NAMES
from diablerie.games.underworld.rules.state import DEVIL, LETTERS, SPACES, TOWER, State


def members(spaces: int) -> list[int]:
    """The spaces of a set, ascending."""
    return [i for i in range(SPACES) if spaces >> i & 1]


def names(spaces: int) -> list[str]:
    """The names of the spaces of a set, ascending."""
    return [SPACE_NAMES[i] for i in members(spaces)]


def letters(held: int) -> str:
    """The letters of a bit mask."""
    return "".join(letter for i, letter in enumerate(LETTER_NAMES) if held >> i & 1)


def card_name(s: State, card: int) -> Line:
    """What a card is called in sentences; a letter of a colour that nobody plays is a stray."""
    return card_word(card, s.seats)


def card_word(card: int, seats: int) -> Line:
    """The same, in a game of so many seats."""
    if card == DEVIL:
        return say("a devil")
    if card == TOWER:
        return say("a tower")
    letter = LETTER_NAMES[card % LETTERS]
    if card // LETTERS < seats:
        return say("{who}’s {letter}", who=card // LETTERS, letter=letter)
    return say("a stray {letter}", letter=letter)
