"""The levels: declared once, and each better than the one below."""

from itertools import pairwise

import numpy as np
import pytest

from diablerie.bots.basic import SensibleBot
from diablerie.bots.levels import LEVELS, STRONGEST, strongest
from diablerie.bots.searcher import SearchBot
from diablerie.bots.spec import KINDS, parse, title
from diablerie.engine import verbs
from diablerie.engine.game import Game
from diablerie.engine.playout import buffers, playout
from diablerie.engine.rng import seeded
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


def test_a_level_plays_at_random_as_often_as_its_game_says(game: Game) -> None:
    """By bots that think long and by those that follow advice."""
    start, out = game.start(game.seats[0]), np.zeros(game.actions, np.int64)
    rng = seeded(3)
    while verbs.actor(start) < 0 or verbs.legal(start, verbs.actor(start), out) < 2:
        playout(start, rng, *buffers(game), 1)
    seat = verbs.actor(start)
    for level, share in zip(LEVELS, (*game.epsilon, 0.0), strict=True):
        bot, luck = level.make(game), seeded(1)
        careless = bot._epsilon if isinstance(bot, SearchBot) else bot._random
        times = [careless.action(start, seat, luck) is not None for _ in range(2000)]
        assert sum(times) / 2000 == pytest.approx(share, abs=0.04)


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
