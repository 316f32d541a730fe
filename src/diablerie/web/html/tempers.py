"""The tempers of the devils who sit down: what each remarks when something great or terrible happens.

A temper shows in words alone: it never changes how a devil plays.
"""

from collections.abc import Sequence
from zlib import crc32

from diablerie.engine.text import Line, say

GLAD = ("triumph", "sly")  # moods; in all others something terrible has happened
# Of each devil from the second seat on, what he says when he is glad and when he is not.
TEMPERS: Sequence[tuple[Sequence[Line], Sequence[Line]]] = (
    (  # Soot expects the worst
        (
            say("There must be a mistake. In my favour, for once."),
            say("I would smile, but it might rain."),
            say("Luck. It will pass. Everything does."),
        ),
        (
            say("I knew it. I always know it."),
            say("As expected. I have brought a handkerchief."),
            say("Even my shadow has gone home."),
        ),
    ),
    (  # Flint boasts
        (
            say("No applause, please. Well, a little."),
            say("I can do that asleep. I was asleep."),
            say("They will name a furnace after me."),
        ),
        (
            say("That was on purpose. It is a very deep plan."),
            say("My grandmother jogged my elbow."),
            say("I only wanted you all to have some hope."),
        ),
    ),
    (  # Ember takes everything to heart
        (
            say("Did you see that? DID YOU SEE THAT?"),
            say("Hold me, somebody, or I shall go up in flames!"),
            say("I must write home at once!"),
        ),
        (
            say("Farewell, cruel world!"),
            say("My heart! My horns! My supper!"),
            say("I shall never play again. Whose turn is it?"),
        ),
    ),
    (  # Pitch is polite, and keeps an account
        (
            say("How kind of you to leave that for me."),
            say("Things stick to my fingers. I cannot help it."),
            say("I have entered it in the book, under Presents."),
        ),
        (
            say("I shall remember this. Fondly, of course."),
            say("A loan. You will find the interest moderate."),
            say("Charming. Do sleep with one eye open."),
        ),
    ),
)


def remark(table: str, ply: int, seat: int, mood: str) -> Line:
    """What the devil of a seat says at a ply, the same whoever looks and whenever."""
    glad, hurt = TEMPERS[(seat - 1) % len(TEMPERS)]
    lines = glad if mood in GLAD else hurt
    return lines[crc32(f"{table} {ply}".encode()) % len(lines)]
