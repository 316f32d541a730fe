"""Matches that begin at once, whether their rules are compiled or not."""

from diablerie.engine import interpreted, verbs
from diablerie.engine.game import Game


def begin_interpreted(*games: Game) -> None:
    """Have the rules of these games run as Python at first, though the cache has them compiled.

    To load the code takes longer than a short match, so only who plays on has it taken over.
    Nothing happens in a process that has compiled rules already.
    """
    if not any(rule.overloads for rule in interpreted.rules()):
        for game in games:
            verbs.interpret(game.state)
