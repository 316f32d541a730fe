"""Sentences of the log as they are said to the player whom they are about."""

from diablerie.engine.text import say, says

SECOND_PERSON = {
    "{who} begins.": say("You begin."),
    "{who} has to place the tile on {cell}.": say("You have to place the tile on {cell}."),
    # A side may be two players.
    "The tail of {letter} ends at once: {n} point for {side}.": says(
        "The tail of {letter} ends at once: {n} point for your side.",
        "The tail of {letter} ends: {n} points for your side.",
        1,
    ),
    "The hexagon is full. The longest tails: {side}.": say(
        "The hexagon is full. Your side has the longest tails."
    ),
}
