"""Sentences of the log as they are said to the player whom they are about."""

from diablerie.engine.text import say

SECOND_PERSON = {
    "{who} begins.": say("You begin."),
    "{who}’s {letter}": say("your {letter}"),
    "{who} takes {letter}.": say("You take {letter}."),
    "{who} loses {letter}.": say("You lose {letter}."),
    "{who} takes a devil and is possessed.": say("You take a devil and are possessed."),
    "{who} takes {other}’s devil.": say("{who} takes your devil."),
    "{who} gives {other} the devil.": say("{who} gives you the devil."),
    "A second devil for {who}! Both fly back to the face.": say(
        "A second devil for you! Both fly back to the face."
    ),
    "{who} leaves the underworld!": say("You leave the underworld!"),
}
