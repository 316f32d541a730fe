"""The bot that errs as people do: how it judges, what it forgets, and what it never does."""

from collections.abc import Iterator
from itertools import product

import numpy as np
import pytest

from diablerie.bots.basic import Bot
from diablerie.bots.levels import LEVELS
from diablerie.bots.noisy_one_ply import PLAUSIBLE, FallibleBot, pick
from diablerie.bots.spec import parse_bot
from diablerie.engine import verbs
from diablerie.engine.game import Game, LevelParams
from diablerie.engine.playout import buffers, playout
from diablerie.engine.queries import legal_actions, redacted
from diablerie.engine.record import Record, copy
from diablerie.engine.rng import Rng, seeded
from diablerie.games import ALL
from diablerie.games.underworld.rules.hidden import knows
from diablerie.games.underworld.rules.state import UNSEEN
from diablerie.testing.positions import GameSetting, states_of_game
from tests.bots.test_search import IN_ONE, decisions, to_solve

WEAK = [level.name for level in LEVELS if not level.iterations]


def weak(game: Game, name: str) -> FallibleBot:
    return FallibleBot(game, game.levels[WEAK.index(name)])


# -- choosing ----------------------------------------------------------------------------------


def test_at_temperature_0_the_best_is_taken() -> None:
    worth = np.array([0.1, 0.4, 0.39, -1.0])
    assert {pick(worth, 0.0, seeded(k)) for k in range(50)} == {1}


def test_what_is_worse_by_a_temperature_is_taken_e_times_less_often() -> None:
    worth, rng = np.array([0.3, 0.2, 0.1]), seeded(1)
    found = np.bincount([pick(worth, 0.1, rng) for _ in range(4000)], minlength=3) / 4000
    weights = np.exp([0.0, -1.0, -2.0])
    assert found == pytest.approx(weights / weights.sum(), abs=0.03)


def test_what_seems_far_worse_is_never_taken() -> None:
    worth, rng = np.array([0.0, -PLAUSIBLE * 0.1 - 0.01, -0.2]), seeded(1)
    found = np.bincount([pick(worth, 0.1, rng) for _ in range(2000)], minlength=3)
    assert found[1] == 0
    assert found[2] > 0


# -- judging -----------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", WEAK)
def test_the_same_luck_gives_the_same_choice_whatever_is_hidden(game: Game, kind: str) -> None:
    for setting in (GameSetting(game.name, seats) for seats in (2, game.seats[-1])):
        for s, seat in decisions(setting):
            wrong, before = redacted(s, seat), s.tobytes()
            verbs.guess(wrong, seat, seeded(99))
            chosen = weak(game, kind).choose(s, seat, seeded(5))
            assert chosen == weak(game, kind).choose(wrong, seat, seeded(5))
            assert chosen in legal_actions(game, s, seat)
            assert s.tobytes() == before


@pytest.mark.parametrize("kind", WEAK)
def test_nobody_takes_what_seems_far_worse_than_the_best(kind: str) -> None:
    lapses = 0
    for game in ALL.values():
        bot = weak(game, kind)
        for (s, seat), seed in product(decisions(GameSetting(game.name, 2), 8), range(10)):
            actions, worth = bot.judge(s, seat, seeded(seed))
            chosen = bot.choose(s, seat, seeded(seed))
            behind = worth.max() - worth[list(actions).index(chosen)]
            assert behind <= PLAUSIBLE * bot.params.temperature + 1e-12
            lapses += behind > 0
    assert lapses  # and it is not always the best


@pytest.mark.parametrize(("name", "sign"), IN_ONE)
def test_who_can_win_at_once_does_and_nobody_loses_at_once(name: str, sign: int) -> None:
    assert to_solve(name, sign)
    for puzzle, kind, seed in product(to_solve(name, sign), WEAK, range(5)):
        bot = weak(puzzle.game, kind)
        assert bot.choose(puzzle.state, puzzle.seat, seeded(seed)) in puzzle.solutions


def test_a_habit_makes_the_advised_action_seem_better() -> None:
    game = ALL["kitchen"]
    for s, seat in decisions(GameSetting("kitchen", 2), 8):
        seen = redacted(s, seat)
        advised = verbs.advise(copy(seen), seat, seeded(1))
        chosen = FallibleBot(game, LevelParams(2, habit=9.0)).choose(s, seat, seeded(1))
        assert chosen == advised


# -- forgetting --------------------------------------------------------------------------------


def looked_at() -> Iterator[tuple[Record, int, int]]:
    """Positions of UNDERWORLD in which a seat knows what lies face down at a space."""
    for seed in range(12):
        for s in states_of_game(GameSetting("underworld", 2), seed, advised=True):
            known = [i for i in range(49) if knows(s, 0, i) and s.down >> i & 1]
            if known and verbs.actor(s) == 0:
                yield s, 0, known[0]
                break


def test_a_forgotten_card_is_any_card_again() -> None:
    forget = ALL["underworld"].forget
    cases = list(looked_at())
    assert forget
    assert cases
    for s, seat, space in cases:
        kept, gone = redacted(s, seat), redacted(s, seat)
        forget(kept, seat, 1.0, seeded(1))
        forget(gone, seat, 0.0, seeded(1))
        assert kept.tobytes() == redacted(s, seat).tobytes()
        assert kept.card[space] != UNSEEN
        assert gone.card[space] == UNSEEN
        assert not knows(gone, seat, space)
        assert legal_actions(ALL["underworld"], gone, seat) == legal_actions(
            ALL["underworld"], s, seat
        )


# -- lapses ------------------------------------------------------------------------------------

LAPSE = 0.35  # returns: with two players, 17.5 % of a win; the advice of KITCHEN loses up to 0.32


def losses(game: Game, bot: Bot, rng: Rng) -> Iterator[float]:
    """What every choice of one game with two seats loses, by a closer look at all actions."""
    judge = FallibleBot(game, LevelParams(48))
    s, (out, p) = game.start(2), buffers(game)
    while (seat := verbs.actor(s)) != verbs.OVER:
        if seat == verbs.CHANCE:
            playout(s, rng, out, p, 1)
            continue
        seen = redacted(s, seat)
        action = bot.choose(seen, seat, rng)
        if verbs.legal(s, seat, out) > 1:
            actions, worth = judge.judge(seen, seat, rng)
            yield float(worth.max() - worth[list(actions).index(action)])
        verbs.apply(s, seat, action)


def lost(game: Game, spec: str, games: int) -> list[float]:
    """What the choices of a level lose by a closer look."""
    bot, rng = parse_bot(spec).make(game), seeded(1)
    return [x for _ in range(games) for x in losses(game, bot, rng)]


@pytest.mark.parametrize(
    "name",
    ["coals", *(pytest.param(name, marks=pytest.mark.ci) for name in ("underworld", "kitchen"))],
)
def test_an_archdevil_throws_nothing_away(name: str) -> None:
    """As who plays some decisions at random does."""
    found, former = lost(ALL[name], "archdevil", 1), lost(ALL[name], "sensible:epsilon=0.5", 1)
    assert len(found) > 30
    assert max(found) < LAPSE < max(former)


@pytest.mark.nightly
@pytest.mark.parametrize(("kind", "share"), [("devil", 0.02), ("archdevil", 0.004)])
@pytest.mark.parametrize("name", ["coals", "underworld", "kitchen"])
def test_large_lapses_are_rare_in_thousands_of_decisions(
    name: str, kind: str, share: float
) -> None:
    found = lost(ALL[name], kind, 40)
    assert len(found) > 2000
    assert sum(x > LAPSE for x in found) <= share * len(found)
