"""The bot that searches: reproducible, within its room and its time, and careless as told."""

import threading
import time
from functools import cache

import numpy as np
import pytest

from diablerie.bots.basic import SensibleBot
from diablerie.bots.searcher import SearchBot, SearchResult
from diablerie.bots.workspace import Workspace
from diablerie.engine import verbs
from diablerie.engine.asking import legal_actions, outcomes, redacted
from diablerie.engine.game import Game
from diablerie.engine.record import Record, copy
from diablerie.engine.rng import seeded
from diablerie.games import ALL
from diablerie.testing.positions import Setting
from tests.bots.test_search import decisions, searched

SIGNATURES = {
    "coals": (668, 160),
    "tails": (723, 56),
    "underworld": (554, 132),
    "kitchen": (412, 1191),
}


@cache
def middle(name: str) -> tuple[Record, int]:
    return decisions(Setting(name, 2))[2]


@pytest.mark.parametrize("name", ALL)
def test_a_fixed_seed_gives_the_signature(name: str) -> None:
    """Nodes of the tree and the action: whoever changes the search on purpose, changes this."""
    bot = SearchBot(ALL[name], n=400, tree=True)
    s, seat = middle(name)
    workspace = Workspace(ALL[name])
    found = bot.think_in(workspace, redacted(s, seat), seat, seeded(7))
    assert (workspace.used, found.action) == SIGNATURES[name]


@pytest.mark.parametrize("name", ALL)
def test_a_full_arena_grows_no_further_and_still_chooses(name: str) -> None:
    s, seat = middle(name)
    workspace = Workspace(ALL[name], nodes=120)
    found = SearchBot(ALL[name], n=2000, nodes=120, tree=True).think_in(
        workspace, redacted(s, seat), seat, seeded(7)
    )
    assert 60 < workspace.used <= 120
    assert found.action in legal_actions(ALL[name], s, seat)


def test_the_tree_is_used_again_after_the_next_moves() -> None:
    game, rng = ALL["tails"], seeded(4)
    s, seat = middle("tails")
    bot = SearchBot(game, n=3000, tree=True)
    first = bot.think(s, seat, rng)
    verbs.apply(s, seat, first.action)
    while verbs.actor(s) != seat or len(legal_actions(game, s, seat)) < 2:
        who = verbs.actor(s)
        action = outcomes(game, s)[0][0] if who == verbs.CHANCE else legal_actions(game, s, who)[0]
        verbs.apply(s, who, action)
    fresh = SearchBot(game, n=250, tree=True).think(s, seat, seeded(5))
    again = bot.think(s, seat, seeded(5))
    assert sum(c.visits for c in again.actions) > sum(c.visits for c in fresh.actions)


def test_with_a_great_bias_what_the_value_likes_is_tried_most() -> None:
    """TAILS: nothing there is hidden that the value of an action would depend on."""
    game, worth = ALL["tails"], np.zeros(6)

    def value(s: Record, seat: int, action: int) -> float:
        after = copy(s)
        verbs.apply(after, seat, action)
        verbs.value(after, worth)
        return float(worth[seat])

    for s, seat in decisions(Setting("tails", 2)):
        bot = SearchBot(game, n=300, bias=1e6, explore=0.0, tree=True)
        found = bot.think(redacted(s, seat), seat, seeded(1)).actions
        values = [value(s, seat, c.action) for c in found]
        assert values[0] == max(values)
        assert found[0].visits > found[-1].visits or values[0] == values[-1]


def test_time_to_think_is_kept() -> None:
    s, seat = middle("coals")
    found = SearchBot(ALL["coals"], ms=30).think(s, seat, seeded(1))
    assert found.iterations > 0


def test_processor_time_is_kept_too() -> None:
    s, seat = middle("tails")
    began = time.thread_time()
    found = SearchBot(ALL["tails"], cpu=20).think(s, seat, seeded(1))
    assert found.iterations > 0
    assert time.thread_time() - began >= 0.02


def test_the_most_visited_action_is_played_if_so_asked() -> None:
    """And it need not be the advised one, nor one that is surely better."""
    left = 0
    for name in ("coals", "underworld"):
        for s, seat in decisions(Setting(name, 2), 20):
            found = SearchBot(ALL[name], n=300, most=True).think(s, seat, seeded(1))
            assert found.action == max(found.actions, key=lambda x: x.visits).action
            sure = SearchBot(ALL[name], n=300).think(s, seat, seeded(1))
            left += sure.action != found.action
    assert left


def test_searches_in_threads_come_to_what_they_come_to_alone() -> None:
    cases = [(ALL[name], *middle(name), seed) for name in ALL for seed in range(2)]
    alone = [searched(g, s, seat, seed=seed) for g, s, seat, seed in cases]
    found: list[SearchResult | None] = [None] * len(cases)

    def run(i: int) -> None:
        g, s, seat, seed = cases[i]
        found[i] = searched(g, s, seat, seed=seed)

    threads = [threading.Thread(target=run, args=(i,)) for i in range(len(cases))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == alone


def test_a_share_of_decisions_is_random(game: Game) -> None:
    setting = Setting(game.name, 2)
    s, seat = decisions(setting)[1]
    never, always = SensibleBot(game), SensibleBot(game, epsilon=1.0)
    possible = legal_actions(game, s, seat)
    seen = {always.choose(redacted(s, seat), seat, seeded(k)) for k in range(40 * len(possible))}
    assert len(seen) > 0.9 * len(possible)
    assert never.choose(redacted(s, seat), seat, seeded(1)) in possible
