"""The levels: declared once, and each better than the one below."""

from itertools import pairwise

import pytest

from diablerie.bots.levels import LEVELS, STRONGEST_LEVEL, STYLES, StrongestBot, strongest
from diablerie.bots.network_bot import NetworkBot
from diablerie.bots.noisy_one_ply import FallibleBot
from diablerie.bots.searcher import SearchBot
from diablerie.bots.spec import KINDS, bot_title, parse_bot
from diablerie.engine.game import Game
from diablerie.engine.queries import redacted
from diablerie.engine.rng import seeded
from diablerie.games import ALL
from diablerie.games.coals.rules.state import PULL
from diablerie.lab.tournament import tournament
from diablerie.testing.positions import GameSetting, states_of_game


def test_every_level_is_a_bot_that_can_be_named(game: Game) -> None:
    for level in LEVELS:
        assert isinstance(
            parse_bot(level.name).make(game), StrongestBot if level.iterations else FallibleBot
        )
        assert bot_title(level.name) == level.title
    assert list(KINDS)[: len(LEVELS)] == [level.name for level in LEVELS]
    assert STRONGEST_LEVEL.name == "oberteufel"


def test_each_level_judges_more_closely_than_the_one_below(game: Game) -> None:
    assert len(game.levels) == len(LEVELS) - 1
    for worse, better in pairwise(game.levels):
        assert worse.temperature > better.temperature > 0
        assert worse.guesses <= better.guesses
        assert worse.neglect >= better.neglect
        assert worse.memory <= better.memory
    assert [parse_bot(level.name).make(game).params for level in LEVELS[:3]] == list(game.levels)  # type: ignore[attr-defined]


def test_a_style_is_an_archdevil_that_likes_a_risk_or_does_not(game: Game) -> None:
    for style, daring in zip(STYLES, game.daring, strict=True):
        bot = parse_bot(style.name).make(game)
        assert isinstance(bot, FallibleBot)
        assert (bot.params, bot.daring) == (game.levels[-1], daring)
        assert bot_title(style.name) == style.title
    assert game.daring[0] >= 0 >= game.daring[1]


def test_the_bold_of_coals_pull_where_the_careful_stop() -> None:
    game, pulled = ALL["coals"], {style.name: 0 for style in STYLES}
    bots = {name: parse_bot(name).make(game) for name in pulled}
    for start in range(3):
        for s in states_of_game(GameSetting("coals", 2), start, advised=True):
            if s.node == game.node.PULL:
                for name, bot in bots.items():
                    action = bot.choose(redacted(s, s.turn), int(s.turn), seeded(start))
                    pulled[name] += action == PULL
    assert pulled["bold"] > pulled["careful"] > 0


def beats(game: Game, weaker: str, stronger: str, games: int) -> None:
    """The strengths themselves, with intervals, are in docs/strength.md."""
    found = tournament(game.name, [weaker, stronger], games=games, seed=5)
    assert found.meetings[0].score.value < 0.45


PAIRS = list(pairwise(level.name for level in LEVELS if not level.iterations))

DAILY = "coals", PAIRS[0]


@pytest.mark.parametrize(
    ("game", "weaker", "stronger"),
    [
        pytest.param(name, *pair, marks=() if (name, pair) == DAILY else pytest.mark.ci)
        for name in sorted(ALL)
        for pair in PAIRS
    ],
    indirect=["game"],
)
def test_each_level_that_thinks_little_beats_the_one_below(
    game: Game, weaker: str, stronger: str
) -> None:
    """In `make test` one pair; the others are the same bot's settings, as another test has them."""
    few = game.name in ("underworld", "kitchen")  # luck decides less there
    beats(game, weaker, stronger, 16 if few else 40)


@pytest.mark.nightly
@pytest.mark.parametrize(("weaker", "stronger"), list(pairwise(level.name for level in LEVELS)))
def test_each_level_beats_the_one_below(game: Game, weaker: str, stronger: str) -> None:
    beats(game, weaker, stronger, 200)


def test_the_strongest_thinks_as_long_as_its_strength_was_measured_with(game: Game) -> None:
    """docs/strength.md has what this number is worth."""
    assert [level.iterations for level in LEVELS] == [0, 0, 0, 4000]
    assert strongest(game).search.n == 4000


def test_the_strongest_plays_by_what_was_learnt_at_tables_of_the_sizes_that_were(
    game: Game,
) -> None:
    for seats in game.seats:
        thinker = strongest(game).thinker(seats)
        sizes = {2, 3, 4, 5, 6} if game.name == "coals" else {2, 3, 4}
        learnt = game.learnt and seats in sizes.intersection(game.learnt.seats)
        assert isinstance(thinker, NetworkBot if learnt else SearchBot)
        if game.learnt and isinstance(thinker, NetworkBot):
            assert (thinker.n, thinker.decisions) == (game.learnt.n, game.learnt.decisions)
            assert thinker.temperature == game.learnt.temperature
