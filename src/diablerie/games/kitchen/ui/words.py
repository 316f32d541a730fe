"""The words for pieces: every message once, whole, so that languages can inflect them."""

from diablerie.engine.text import Line, say, says
from diablerie.games.kitchen.rules.state import State, seat_of

SIGN_WORDS = (say("flame"), say("eye"), say("bone"), say("star"))
POT_WORDS = (
    say("the yellow flame pot"),
    say("the yellow eye pot"),
    say("the yellow bone pot"),
    say("the yellow star pot"),
    say("the violet flame pot"),
    say("the violet eye pot"),
    say("the violet bone pot"),
    say("the violet star pot"),
    say("the blue flame pot"),
    say("the blue eye pot"),
    say("the blue bone pot"),
    say("the blue star pot"),
    say("the green flame pot"),
    say("the green eye pot"),
    say("the green bone pot"),
    say("the green star pot"),
)


def pot_word(colour: int, sign: int) -> Line:
    """What a pot is called in sentences."""
    return POT_WORDS[len(SIGN_WORDS) * colour + sign]


def card_word(value: int) -> Line:
    """What a menu card of this value is called."""
    return says("{n} point", "{n} points", value) if value else say("milk")


def devil_word(s: State, colour: int, d: int) -> Line:
    """What a devil is called: by its owner and its number."""
    seat = seat_of(s, colour)
    if seat >= s.seats:
        return say("A neutral devil")
    return say("Devil {number} of {who}", number=d + 1, who=seat)
