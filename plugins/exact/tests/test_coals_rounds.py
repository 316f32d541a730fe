"""COALS as rounds (`diablerie_exact.coals`): what is left out of the record is shown not to matter."""

import numpy as np
import pytest

from diablerie.engine import verbs
from diablerie.engine.queries import chance_outcomes, legal_actions
from diablerie.engine.rng import below, seeded
from diablerie.engine.verbs import CHANCE
from diablerie.games import ALL
from diablerie.games.coals.rules.settling import make_pacts, space_of
from diablerie.games.coals.rules.state import UNIT, Node
from diablerie_exact.coals.pulling import ending_of, highest, key_of, lowest
from diablerie_exact.coals.rounds import CoalsRounds, Unsolvable
from diablerie_exact.coals.settlements import PACTS
from diablerie_exact.tree import Tree

GAME = ALL["coals"]
SMALL = {"goal": 210, "furnace": "0,0,0,0,1,2,2"}
GAMES = [
    {"goal": 210, "furnace": "0,0,0,0,0,2,1"},
    {"goal": 210, "furnace": "0,0,0,0,1,1,2", "pact": "first_devil"},
    {"goal": 210, "furnace": "0,0,0,0,0,1,1", "track": "100,200,400,1600"},
]


def before_bets(options, totals, first, rounds):
    """The position before the bets of a round; totals in tens."""
    s = GAME.start(2, options)
    s.node = Node.BET
    s.first = first
    s.rounds = rounds
    for seat, total in enumerate(totals):
        s.chips[seat] = UNIT * total
        s.space[seat] = space_of(s, UNIT * total)
    if rounds > 1:
        make_pacts(s)
    return s


def solved(matrix):
    from diablerie_exact.matrix import solve_matrix

    return solve_matrix(matrix).value


@pytest.mark.parametrize("options", GAMES, ids=str)
def test_the_last_round_is_worth_what_its_whole_tree_is(options):
    """C24; either seat may begin, since seats are alike; with every kind of pact (C22)."""
    rounds = CoalsRounds(GAME.start(2, options))
    tree = Tree(GAME)
    following = rounds.following(None)
    for a, b in ((0, 0), (1, 4), (3, 2), (2, 5)):
        last = solved(rounds.matrix((a, b), following))
        for first in range(2):
            totals = (a, b) if first == 0 else (b, a)
            whole = tree.value(before_bets(options, totals, first, 100))
            assert (whole, -whole)[first] == pytest.approx(last, abs=1e-9)


def test_the_last_two_rounds_are_worth_what_their_whole_tree_is():
    options = {"goal": 210, "furnace": "0,0,0,0,0,1,1", "pact": "first_devil"}
    first = GAME.start(2, options)
    rounds = CoalsRounds(first)
    tree = Tree(GAME)
    following = rounds.following(last_values(rounds))
    for a, b in ((2, 1), (1, 3)):
        whole = tree.value(before_bets(options, (a, b), 0, 99))
        assert whole == pytest.approx(solved(rounds.matrix((a, b), following)), abs=1e-9)


def last_values(rounds):
    following = rounds.following(None)
    found = np.zeros(rounds.shape)
    for position in np.ndindex(rounds.shape):
        found[position] = solved(rounds.matrix(position, following))
    return found


@pytest.fixture(scope="module")
def rounds():
    return CoalsRounds(GAME.start(2, SMALL))


def games(n, options=SMALL):
    """Random games: every step's record before and after, and what was done."""
    for seed in range(n):
        s = GAME.start(2, options)
        rng = seeded(seed)
        while (who := verbs.actor(s)) != verbs.OVER:
            if who == CHANCE:
                found, p = chance_outcomes(GAME, s)
                action = found[int(np.searchsorted(np.cumsum(p), below(rng, 1000) / 1000.0))]
            else:
                actions = legal_actions(GAME, s, who)
                action = actions[below(rng, len(actions))]
            before = s.copy()
            verbs.apply(s, who, action)
            yield before, who, action, s.copy()


def test_a_round_ends_with_the_money_that_the_tables_say(rounds):
    """C14 to C19: bets, bonuses and pacts add up, whatever the totals are."""
    seen = set()
    for before, _, _, after in games(40):
        if before.node == Node.BET and after.node == Node.PULL:
            began = after.copy()
        if after.node in (Node.BET, Node.OVER) and before.node in (Node.PULL, Node.COAL):
            order = [int(began.first), 1 - int(began.first)]
            x, y = (int(began.stake[i]) // UNIT for i in order)
            pair = PACTS.index(tuple(int(began.pact[i]) for i in order))
            told = after.copy()
            for name in ("last_coal", "last_pieces", "last_busted"):
                getattr(told, name)[:2] = getattr(after, name)[order]
            e = list(rounds.pulling.endings).index(ending_of(told))
            ends = rounds.ends(rounds.where(began), marked(rounds), opening=began.rounds == 1)
            a, b = divmod(round(ends[e, x, y]), 1000)
            assert (a, b) == tuple(int(after.chips[i]) // UNIT for i in order)
            seen.add((pair, e))
    assert len({pair for pair, _ in seen}) >= 3
    assert len(seen) > 30


def marked(rounds):
    """In place of values: numbers from which the totals can be read."""
    wide = len(rounds.following(None))
    return np.add.outer(1000.0 * np.arange(wide), np.arange(wide))


def test_pulling_knows_every_position_and_its_odds(rounds):
    """C10 to C13: random games meet no point of decision that was not found by playing one."""
    met = set()
    for before, who, _, after in games(40):
        if before.node == Node.PULL:
            layer, _ = rounds.pulling.at(before)
            met.add(key_of(before))
            assert layer.seat == int(who != before.first)
            assert (layer.stop is not None) == (len(legal_actions(GAME, before, who)) == 2)
        if after.node == Node.BET:
            assert (after.furnace == after.full).all()  # C23
    assert len(met) > 20
    for layer in rounds.pulling.layers:
        assert layer.on.sum(axis=1) == pytest.approx(np.ones(layer.on.shape[0]))


def test_a_position_in_mid_round_is_worth_what_its_tree_is():
    """Pacts that have been paid are in the money, those to come are not."""
    options = {"goal": 210, "furnace": "0,0,0,0,1,1,2"}
    rounds = CoalsRounds(GAME.start(2, options))
    tree = Tree(GAME)
    met = 0
    rng = seeded(5)
    for _ in range(30):
        s = before_bets(options, (below(rng, 9), below(rng, 9)), below(rng, 2), 100)
        while verbs.actor(s) != verbs.OVER:
            who = verbs.actor(s)
            if s.node == Node.PULL:
                sign = 1 if s.first == 0 else -1
                told = rounds.options(s, rounds.following(None))
                for action, value in tree.actions(s).items():
                    assert sign * told.pop(action) == pytest.approx(value, abs=1e-9)
                assert not told
                met += 1
            found = chance_outcomes(GAME, s)[0] if who == CHANCE else legal_actions(GAME, s, who)
            verbs.apply(s, who, found[below(rng, len(found))])
    assert met > 40


def test_who_may_choose_gains_by_it(rounds):
    """Going on for ever is never better than choosing, and an ending is worth what it is."""
    ends = np.random.default_rng(1).normal(size=(len(rounds.pulling.endings), 5))
    best = rounds.pulling.worth(ends, highest, lowest)[rounds.pulling.root]
    assert rounds.pulling.value(ends) == pytest.approx(best)
    assert (rounds.pulling.worth(ends, lambda on, *_: on, lowest)[rounds.pulling.root]
            <= best + 1e-12).all()  # fmt: skip
    same = np.full((len(rounds.pulling.endings), 2), 0.25)
    assert rounds.pulling.value(same) == pytest.approx([0.25, 0.25])


@pytest.mark.parametrize(
    ("seats", "options", "words"),
    [
        (3, {}, "the game of two, not of 3"),
        (2, {}, "with 48 pieces the option mouth is 47 or more, not 20"),
    ],
)
def test_other_games_are_refused_in_a_sentence(seats, options, words):
    with pytest.raises(Unsolvable, match=words):
        CoalsRounds(GAME.start(seats, options))
