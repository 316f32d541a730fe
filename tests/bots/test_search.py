"""The search is sound: it knows no more than its seat, and solves what can be solved."""

from functools import cache
from typing import Any

import numpy as np
import pytest

from diablerie.bots import searcher
from diablerie.bots.searcher import DEVIATIONS_OF_DOUBT, SearchBot, SearchResult
from diablerie.engine import verbs
from diablerie.engine.game import Game
from diablerie.engine.queries import chance_outcomes, legal_actions, redacted
from diablerie.engine.record import Record, copy
from diablerie.engine.rng import seeded
from diablerie.games import ALL
from diablerie.testing.positions import GameSetting, states_of_game
from tests.bots.puzzles import Puzzle, puzzles, served_milk, threats

# The fewest and the most players; at TAILS of three each has a side of their own.
MANY = [
    *(GameSetting(name, game.seats[n]) for name, game in ALL.items() for n in (0, -1)),
    GameSetting("tails", 3),
]


def decisions(setting: GameSetting, count: int = 4) -> list[tuple[Record, int]]:
    """States of an advised game in which somebody has a choice, and who."""
    found = []
    for s in states_of_game(setting, 1, advised=True):
        who = verbs.actor(s)
        if who >= 0 and len(legal_actions(setting.game, s, who)) > 1:
            found.append((copy(s), who))
    few = found[1 :: max(1, len(found) // count)][:count]
    assert len(few) == count
    return few


def searched(game: Game, s: Record, seat: int, n: int = 300, seed: int = 1) -> SearchResult:
    return SearchBot(game, n=n).think(redacted(s, seat), seat, seeded(seed))


# -- soundness ---------------------------------------------------------------------------------


@pytest.mark.parametrize("setting", MANY, ids=str)
def test_wrong_hidden_facts_behind_the_same_redaction_change_nothing(setting: GameSetting) -> None:
    for s, seat in decisions(setting):
        wrong = redacted(s, seat)
        verbs.guess(wrong, seat, seeded(99))
        bot = SearchBot(setting.game, n=200)
        assert bot.think(wrong, seat, seeded(3)) == SearchBot(setting.game, n=200).think(
            copy(s), seat, seeded(3)
        )


@pytest.mark.parametrize("setting", MANY, ids=str)
def test_what_is_chosen_is_legal_and_the_state_untouched(setting: GameSetting) -> None:
    for s, seat in decisions(setting):
        before = s.tobytes()
        found = searched(setting.game, s, seat, n=100)
        assert found.action in legal_actions(setting.game, s, seat)
        assert s.tobytes() == before
        for x in found.actions:
            assert all(abs(w) <= 1.0 + 1e-9 for w in x.returns)
            assert sum(x.returns) == pytest.approx(0.0, abs=1e-6)


@cache
def to_solve(name: str, sign: int) -> tuple[Puzzle, ...]:
    return (served_milk(),) if (name, sign) == ("kitchen", -1) else puzzles(name, sign)


WIN, LOSE = 1, -1
IN_ONE = [(name, WIN) for name in ALL] + [("coals", LOSE), ("tails", LOSE), ("kitchen", LOSE)]


@pytest.mark.parametrize(("name", "sign"), IN_ONE)
def test_puzzles_in_one_are_solved(name: str, sign: int) -> None:
    """In UNDERWORLD no action of one's own loses at once, for it is the others who leave."""
    assert to_solve(name, sign)
    for puzzle in to_solve(name, sign):
        for seed in range(3):
            assert searched(puzzle.game, puzzle.state, puzzle.seat, 500, seed).action in (
                puzzle.solutions
            )


@pytest.mark.ci
def test_in_underworld_nobody_is_let_out_who_can_be_kept_in() -> None:
    """No action of one's own loses there, but one may let the other leave."""
    found = threats("underworld", 70)
    assert len(found) >= 10
    for puzzle in found:
        for seed in range(3):
            assert searched(puzzle.game, puzzle.state, puzzle.seat, 1000, seed).action in (
                puzzle.solutions
            )


@pytest.mark.parametrize("name", ALL)
def test_the_search_solves_them_without_being_told(name: str) -> None:
    """Where advice is wrong on purpose, the visits alone find the win."""
    puzzle: Puzzle = puzzles(name, 1)[0]
    found = searched(puzzle.game, puzzle.state, puzzle.seat, 2000)
    assert max(found.actions, key=lambda x: x.visits).action in puzzle.solutions


# -- exact agreement ---------------------------------------------------------------------------


def expectimax(game: Game, s: Record, memo: dict[bytes, np.ndarray]) -> np.ndarray:
    """Everybody's exact expectation if all play for their own return."""
    key = s.tobytes()
    if key not in memo:
        memo[key] = _expectation(game, s, memo)
    return memo[key]


def _expectation(game: Game, s: Record, memo: dict[bytes, np.ndarray]) -> np.ndarray:
    who = verbs.actor(s)
    if who == verbs.OVER:
        worth = np.zeros(6)
        verbs.returns(s, worth)
        return worth
    if who == verbs.CHANCE:
        found, p = chance_outcomes(game, s)
        return sum(
            q * expectimax(game, after(s, who, k), memo) for k, q in zip(found, p, strict=True)
        )
    return max(
        (expectimax(game, after(s, who, a), memo) for a in legal_actions(game, s, who)),
        key=lambda worth: worth[who],
    )


def after(s: Record, who: int, action: int) -> Record:
    done = copy(s)
    verbs.apply(done, who, action)
    return done


def agrees(game: Game, s: Record, n: int, near: float) -> None:
    """The search plays an action that is exactly best, and knows what it is worth."""
    seat, memo = verbs.actor(s), {}
    exact = {
        a: expectimax(game, after(s, seat, a), memo)[seat] for a in legal_actions(game, s, seat)
    }
    found = SearchBot(game, n=n, doubt=0.5).think(redacted(s, seat), seat, seeded(1))
    top = max(exact.values())
    assert exact[found.action] == pytest.approx(top, abs=near)
    first = max(found.actions, key=lambda x: x.visits)
    assert -0.25 < first.returns[seat] - exact[first.action] < 0.06  # it has tried worse ones too


@pytest.mark.parametrize(("settings", "doubt"), [({}, DEVIATIONS_OF_DOUBT), ({"doubt": 0.7}, 0.7)])
def test_the_advice_is_left_as_readily_as_was_asked(
    settings: dict[str, Any], doubt: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[float] = []

    def noted(found: Any, advised: int, seat: int, doubt: float) -> int:
        asked.append(doubt)
        return advised

    monkeypatch.setattr(searcher, "best_or_advised", noted)
    s, seat = decisions(GameSetting("kitchen", 2))[-1]
    SearchBot(ALL["kitchen"], n=20, **settings).think(redacted(s, seat), seat, seeded(1))
    assert asked == [doubt]


@pytest.mark.parametrize("coal", [0, 60, 90, 130, 200])
def test_coals_the_moment_to_stop_is_the_exact_one(coal: int) -> None:
    """The last player of the last round (C24), with fixed stakes: pull or stop?"""
    game = ALL["coals"]
    s = next(
        copy(s)
        for s in states_of_game(GameSetting("coals", 2), 1, advised=True)
        if verbs.actor(s) >= 0 and s.turn != s.first and s.pieces[s.turn] > 0
    )
    me, other = int(s.turn), 1 - int(s.turn)
    s.rounds = 100
    s.chips[:2], s.stake[me], s.stake[other] = 300, 100, 60
    s.coal[me], s.coal[other] = coal, 70
    s.furnace[:] = 1, 1, 1, 2, 2, 1, 2  # of the last piece the game is over as well
    agrees(game, s, 4000, near=0.02)


@pytest.mark.parametrize("seed", range(4))
def test_tails_the_last_tiles_are_laid_exactly(seed: int) -> None:
    states = [
        s
        for s in states_of_game(GameSetting("tails", 2), seed + 1)
        if verbs.actor(s) >= 0
        and s.count == 51
        and len(legal_actions(ALL["tails"], s, verbs.actor(s))) > 1
    ]
    for s in states[:1]:
        agrees(ALL["tails"], s, 6000, near=0.05)
