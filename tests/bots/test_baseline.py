"""The plain search that the devils are measured against plays soundly, and knows nothing."""

import pytest
from bench.ismcts import Ismcts, Ismcts20

from diablerie.engine.queries import legal_actions, redacted
from diablerie.engine.rng import seeded
from diablerie.games import ALL
from diablerie.testing.positions import GameSetting
from tests.bots.puzzles import puzzles
from tests.bots.test_search import decisions

GAME = ALL["tails"]
pytestmark = pytest.mark.ci  # a tool of `bench`, which takes seconds to compile


def baseline(n: int) -> Ismcts:
    bot = Ismcts(GAME)
    bot.n = n
    return bot


@pytest.mark.parametrize("sign", [1, -1])
def test_it_wins_at_once_and_does_not_lose_at_once(sign: int) -> None:
    for puzzle in puzzles("tails", sign):
        found = baseline(500).choose(puzzle.state, puzzle.seat, seeded(1))
        assert found in puzzle.solutions


def test_it_plays_what_is_legal_and_a_seed_gives_the_same_again() -> None:
    for s, seat in decisions(GameSetting("tails", 3)):
        seen = redacted(s, seat)
        found = [baseline(200).choose(seen, seat, seeded(4)) for _ in range(2)]
        assert found[0] == found[1]
        assert found[0] in legal_actions(GAME, s, seat)
        assert seen.tobytes() == redacted(s, seat).tobytes()


def test_it_tries_every_action_before_any_twice() -> None:
    s, seat = decisions(GameSetting("tails", 2))[0]
    bot, count = Ismcts20(GAME), len(legal_actions(GAME, s, seat))
    bot.n = count
    bot.choose(redacted(s, seat), seat, seeded(1))
    tree, visits, at = bot._arrays.tree, [], 0
    at = int(tree[0].child)
    while at:
        visits.append(int(tree[at].visits))
        at = int(tree[at].sibling)
    assert visits == [1] * count
