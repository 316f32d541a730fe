"""Quick phrases and reactions of the chat: stored as codes, shown in each reader's language.

A line of chat that is nothing but a code, such as `:thanks:`, is shown as what the code stands for.
"""

from collections.abc import Mapping
from typing import NamedTuple

from diablerie.engine.text import Line, say


class Phrase(NamedTuple):
    """What a code stands for. A reaction has a `mood`, the face of the player's devil."""

    line: Line
    mood: str = ""


REACTIONS: Mapping[str, Phrase] = {
    ":grins:": Phrase(say("grins"), "grin"),
    ":cheers:": Phrase(say("cheers"), "triumph"),
    ":wonders:": Phrase(say("wonders"), "think"),
    ":schemes:": Phrase(say("is up to something"), "sly"),
    ":yawns:": Phrase(say("yawns"), "sleep"),
}
PHRASES: Mapping[str, Phrase] = {
    ":luck:": Phrase(say("Good luck!")),
    ":well-played:": Phrase(say("Well played!")),
    ":ouch:": Phrase(say("Ouch!")),
    ":moment:": Phrase(say("One moment, please.")),
    ":thanks:": Phrase(say("Thank you!")),
    ":again:": Phrase(say("Play again?")),
}


def phrase_of(text: str) -> Phrase | None:
    """What a line of chat stands for, None if it is no code."""
    return REACTIONS.get(text) or PHRASES.get(text)
