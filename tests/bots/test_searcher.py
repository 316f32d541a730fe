"""The bot that searches: reproducible, within its room and its time, and careless as told."""

import threading
import time
from dataclasses import replace
from functools import cache

import pytest

from diablerie.bots.basic import SensibleBot
from diablerie.bots.searcher import (
    ActionStats,
    SearchBot,
    SearchResult,
    best_or_advised,
    root_actions,
)
from diablerie.bots.workspace import POOLED_WORKSPACES, Workspace, borrowed
from diablerie.engine import verbs
from diablerie.engine.game import Game
from diablerie.engine.queries import chance_outcomes, legal_actions, redacted
from diablerie.engine.record import Record, copy
from diablerie.engine.rng import seeded
from diablerie.games import ALL
from diablerie.testing.positions import GameSetting
from tests.bots.test_search import decisions, searched
from tests.table import toy

SIGNATURES = {
    "coals": (668, 160),
    "tails": (723, 56),
    "underworld": (554, 132),
    "kitchen": (412, 1191),
}


@cache
def middle(name: str) -> tuple[Record, int]:
    return decisions(GameSetting(name, 2))[2]


@pytest.mark.parametrize("name", ALL)
def test_a_fixed_seed_gives_the_signature(name: str) -> None:
    """Nodes of the tree and the action: whoever changes the search on purpose, changes this."""
    bot = SearchBot(ALL[name], n=400, tree=True)
    s, seat = middle(name)
    workspace = Workspace(ALL[name])
    found = bot.think_in(workspace, redacted(s, seat), seat, seeded(7))
    assert (workspace.used, found.action) == SIGNATURES[name]


def test_where_the_advice_is_left_and_the_search_ends_early() -> None:
    """The same for doubt and patience as they are if nobody says anything of them."""

    def thought(name: str, s: Record, seat: int) -> SearchResult:
        bot = SearchBot(ALL[name], n=2000)
        return bot.think(redacted(s, seat), seat, seeded(7))

    found = [thought("underworld", *one) for one in decisions(GameSetting("underworld", 2), 20)]
    left = {i: one.action for i, one in enumerate(found) if one.action != one.advised}
    assert left == {9: 114, 10: 82, 13: 69, 14: 59, 15: 99}
    close, clear = decisions(GameSetting("kitchen", 2), 20)[13:15]
    assert thought("kitchen", *close).iterations == 2000
    assert thought("kitchen", *clear).iterations == 500


@pytest.mark.parametrize("n", [7, 70, 300])
@pytest.mark.parametrize(("name", "tree"), [("coals", True), ("tails", True), ("tails", False)])
def test_exactly_so_many_iterations_are_done_as_were_asked_for(
    name: str, tree: bool, n: int
) -> None:
    s, seat = middle(name)
    found = SearchBot(ALL[name], n=n, tree=tree).think(redacted(s, seat), seat, seeded(1))
    assert found.iterations == n
    if tree:
        assert 0 < sum(x.visits for x in found.actions) <= n


@pytest.mark.parametrize("name", ALL)
def test_a_full_arena_grows_no_further_and_still_chooses(name: str) -> None:
    s, seat = middle(name)
    workspace = Workspace(ALL[name], nodes=120)
    found = SearchBot(ALL[name], n=2000, tree=True).think_in(
        workspace, redacted(s, seat), seat, seeded(7)
    )
    assert 60 < workspace.used <= 120
    assert found.action in legal_actions(ALL[name], s, seat)


def test_the_tree_is_used_again_after_the_next_moves() -> None:
    game, rng = ALL["tails"], seeded(4)
    s, seat = middle("tails")
    s = copy(s)  # others begin there, too
    bot = SearchBot(game, n=3000, tree=True)
    first = bot.think(s, seat, rng)
    verbs.apply(s, seat, first.action)
    while verbs.actor(s) != seat or len(legal_actions(game, s, seat)) < 2:
        who = verbs.actor(s)
        action = (
            chance_outcomes(game, s)[0][0]
            if who == verbs.CHANCE
            else legal_actions(game, s, who)[0]
        )
        verbs.apply(s, who, action)
    fresh = SearchBot(game, n=250, tree=True).think(s, seat, seeded(5))
    again = bot.think(s, seat, seeded(5))
    assert sum(c.visits for c in again.actions) > sum(c.visits for c in fresh.actions)


def test_of_the_root_s_moves_those_that_its_seat_has_tried_are_told() -> None:
    """Beside them lie others' decisions, where several decide, and moves nobody came through."""
    workspace = Workspace(ALL["coals"], nodes=8)
    tree, others = workspace.arrays.tree, ((5, 1, 40), (6, 0, 0), (7, 0, 30), (8, 0, 60))
    tree[0].child = 1
    for at, (move, who, visits) in enumerate(others, 1):
        tree[at].move, tree[at].who, tree[at].visits = move, who, visits
        tree[at].sibling = (at + 1) % 5
        tree[at].returns[:2] = 0.5 * visits, -0.5 * visits
        tree[at].squares = visits
    found = root_actions(workspace, 0, 2)
    assert [(x.action, x.visits) for x in found] == [(8, 60), (7, 30)]
    assert found[1] == ActionStats(7, 30, (0.5, -0.5), pytest.approx((0.75 / 30) ** 0.5))


SURE, LOOSE, RARE = 0.02, 0.3, 2  # standard errors, and visits that are too few


def tried(action: int, worth: float, error: float = SURE, visits: int = 100) -> ActionStats:
    return ActionStats(action, visits, (worth, -worth), error)


@pytest.mark.parametrize(
    ("found", "taken"),
    [
        ((tried(1, 0.0), tried(2, 0.3), tried(3, 0.2)), 2),
        ((tried(1, 0.0), tried(2, 0.05)), 1),  # better, but not beyond doubt
        ((tried(1, 0.0), tried(2, 0.5, LOOSE), tried(3, 0.3)), 3),  # the surer of two
        ((tried(1, 0.0), tried(2, 0.9, SURE, RARE)), 1),
        ((tried(1, 0.0, 0.001, RARE), tried(2, 0.3, 0.05)), 1),  # the few may err as all do
        ((tried(1, 0.0, LOOSE), tried(2, 0.5)), 1),
        ((tried(2, 0.9), tried(3, 0.2)), 1),  # the advised one beside nothing of its own
        ((), 1),
    ],
)
def test_the_advice_is_left_for_what_is_better_beyond_doubt(
    found: tuple[ActionStats, ...], taken: int
) -> None:
    """Action 1 is advised; what counts is the seat's own return."""
    assert best_or_advised(found, 1, 0, 2.0) == taken
    others = tuple(ActionStats(x.action, x.visits, x.returns[::-1], x.error) for x in found)
    assert best_or_advised(others, 1, 1, 2.0) == taken


def test_who_thinks_again_gets_its_own_workspace_back() -> None:
    """Else the one idle longest, of which so many are kept and no more."""
    game, made = ALL["tails"], []
    for owner in range(POOLED_WORKSPACES):
        with borrowed(game, owner) as workspace:
            workspace.owner = owner
            made.append(workspace)
    for owner in (2, 0):
        with borrowed(game, owner) as workspace:
            assert workspace is made[owner]
    with borrowed(game, "new") as workspace:
        assert workspace is made[1]
        with borrowed(game, 1) as another:
            assert another is not workspace


def test_the_words_of_what_is_seen_are_its_bytes_however_many_they_are() -> None:
    """Whole words, from an address of a whole word on, since compiled code reads them so."""
    for game in (*ALL.values(), toy.TOY):
        s, workspace = game.start(2), Workspace(game, nodes=16)
        workspace.begin(s, "me")
        words = workspace.arrays.words
        assert words.ctypes.data % 8 == 0
        assert words.tobytes()[: len(s.tobytes())] == s.tobytes()
        assert words.nbytes - 8 < len(s.tobytes())


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


def test_the_most_visited_action_is_played_if_the_game_says_so() -> None:
    """And it need not be the advised one, nor one that is surely better."""
    left = 0
    for name in ("coals", "underworld"):
        for s, seat in decisions(GameSetting(name, 2), 20):
            asked = replace(ALL[name].playout, most=True)
            with pytest.MonkeyPatch.context() as patched:
                patched.setitem(vars(ALL[name]), "playout", asked)
                found = SearchBot(ALL[name], n=300).think(s, seat, seeded(1))
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
    setting = GameSetting(game.name, 2)
    s, seat = decisions(setting)[1]
    never, always = SensibleBot(game), SensibleBot(game, epsilon=1.0)
    possible = legal_actions(game, s, seat)
    seen = {always.choose(redacted(s, seat), seat, seeded(k)) for k in range(40 * len(possible))}
    assert len(seen) > 0.9 * len(possible)
    assert never.choose(redacted(s, seat), seat, seeded(1)) in possible
