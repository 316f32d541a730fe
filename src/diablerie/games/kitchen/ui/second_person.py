"""Sentences of the log as they are said to the player whom they are about."""

from diablerie.engine.text import say, says

SECOND_PERSON = {
    "{who} begins.": say("You begin."),
    "Devil {number} of {who}": say("Your devil {number}"),
    "{devil} is in the way: a duel. {who} presses the button for it.": say(
        "{devil} is in the way: a duel. You press the button for it."
    ),
    "{who} presses once: the Oberteufel jumps! {who} wins the duel.": says(
        "You press once: the Oberteufel jumps! You win the duel.",
        "You press {n} times: the Oberteufel jumps! You win the duel.",
        1,
    ),
}
