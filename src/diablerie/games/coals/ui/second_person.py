"""Sentences of the log as they are said to the player whom they are about."""

from diablerie.engine.text import say

SECOND_PERSON = {
    "{who} begins.": say("You begin."),
    "{who} wakes a devil: burnt fingers!": say("You wake a devil: burnt fingers!"),
    "{who} collects 50 for the pact.": say("You collect 50 for the pact."),
    "{who} has a pact with the devil.": say("You have a pact with the devil."),
    # How a round is settled.
    "{who}: a stake of {stake} was too high and is lost.": say(
        "Your stake of {stake} was too high and is lost."
    ),
    "{who}: {stake} was the highest stake and pays double, {won}.": say(
        "Your stake of {stake} was the highest and pays double, {won}."
    ),
    "{who}: a stake of {stake} pays {won}.": say("Your stake of {stake} pays {won}."),
    "{who}: {paid} for the most coal.": say("You get {paid} for the most coal."),
    "{who}: {paid} for the most pieces.": say("You get {paid} for the most pieces."),
    "{who} wins {gain}.": say("You win {gain}."),
    "{who} loses {loss}.": say("You lose {loss}."),
    "{who} neither wins nor loses.": say("You neither win nor lose."),
}
