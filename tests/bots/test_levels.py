"""The levels: declared once, and each better than the one below."""

from itertools import pairwise

import pytest

from diablerie.bots.basic import SensibleBot
from diablerie.bots.levels import LEVELS, STRONGEST, strongest
from diablerie.bots.searcher import SearchBot
from diablerie.bots.spec import KINDS, parse, title
from diablerie.engine.game import Game
from diablerie.lab.tournament import tournament


def test_every_level_is_a_bot_that_can_be_named(game: Game) -> None:
    for level in LEVELS:
        assert isinstance(
            parse(level.name).make(game), SearchBot if level.iterations else SensibleBot
        )
        assert title(level.name) == level.title
    assert list(KINDS)[: len(LEVELS)] == [level.name for level in LEVELS]
    assert STRONGEST.name == "oberteufel"


def test_each_level_plays_less_at_random_than_the_one_below(game: Game) -> None:
    assert list(game.epsilon) == sorted(game.epsilon, reverse=True)
    assert len(game.epsilon) == len(LEVELS) - 1


def beats(game: Game, weaker: str, stronger: str, games: int) -> None:
    """The strengths themselves, with intervals, are in docs/strength.md."""
    found = tournament(game.name, [weaker, stronger], games=games, seed=5)
    assert found.meetings[0].score.value < 0.45


def test_the_second_level_beats_the_first(game: Game) -> None:
    beats(game, LEVELS[0].name, LEVELS[1].name, 60)


@pytest.mark.nightly
@pytest.mark.parametrize(("weaker", "stronger"), list(pairwise(level.name for level in LEVELS)))
def test_each_level_beats_the_one_below(game: Game, weaker: str, stronger: str) -> None:
    beats(game, weaker, stronger, 200)


def test_the_strong_levels_think_as_long_as_their_strength_was_measured_with(game: Game) -> None:
    """docs/strength.md has what these numbers are worth."""
    assert [level.iterations for level in LEVELS] == [0, 0, 300, 4000]
    imp, devil, archdevil, oberteufel = (level.make(game) for level in LEVELS)
    assert (imp.epsilon, devil.epsilon) == tuple(game.epsilon[:2])
    assert (archdevil.n, oberteufel.n, strongest(game).n) == (300, 4000, 4000)
