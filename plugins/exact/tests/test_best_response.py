"""Best responses are those of OpenSpiel, and never win less than play without fault."""

import numpy as np
import pytest

from diablerie.bots.basic import RandomBot, SensibleBot
from diablerie.bots.searcher import SearchBot
from diablerie.engine import verbs
from diablerie.engine.queries import chance_outcomes, legal_actions
from diablerie.engine.rng import seeded
from diablerie.engine.verbs import CHANCE, OVER
from diablerie.games import ALL
from diablerie.games.coals.rules.settling import make_pacts, space_of
from diablerie.games.coals.rules.state import LAST_ROUND, STOP, Node
from diablerie.lab.running.settings import option_texts
from diablerie_exact.best_response import (
    _round,
    action_probabilities,
    best_response_value,
)
from diablerie_exact.coals.habits import Habits
from diablerie_exact.solution import Solution, SolvedFacts, SolvedTable

GAME = ALL["coals"]
OPTIONS = {"goal": "210", "furnace": "0,0,0,0,0,2,1"}
TINY = {"goal": "210", "furnace": "0,0,0,0,0,1,1"}


@pytest.fixture(scope="module")
def solution():
    facts = SolvedFacts("coals", GAME.version, option_texts(GAME, 2, OPTIONS))
    return Solution(GAME, SolvedTable(facts, np.empty((0, 21, 21))))


@pytest.fixture(scope="module")
def tiny():
    facts = SolvedFacts("coals", GAME.version, option_texts(GAME, 2, TINY))
    return Solution(GAME, SolvedTable(facts, np.empty((0, 21, 21))))


@pytest.fixture(scope="module")
def sensible(solution):
    return Habits(solution.rounds, action_probabilities(GAME, SensibleBot(GAME, 0.25)))


class WholeTree:
    """The utility of a best response, by every path of the game; it asks the verbs alone."""

    def __init__(self, shares, bot):
        self.shares = shares
        self.bot = bot
        self.known = {}

    def value(self, s):
        key = s.tobytes()
        if key not in self.known:
            self.known[key] = self._value(s)
        return self.known[key]

    def _value(self, s):
        who = verbs.actor(s)
        if who == OVER:
            out = np.zeros(verbs.SEATS)
            verbs.returns(s, out)
            return float(out[1 - self.bot])
        if who == CHANCE:
            outcomes = zip(*chance_outcomes(GAME, s), strict=True)
            return sum(p * self.value(after(s, CHANCE, int(o))) for o, p in outcomes)
        if verbs.pending(s) == 0b11:  # both stake at once, so the response knows only the shares
            mine = legal_actions(GAME, s, 1 - self.bot)
            return max(self._expected(after(s, 1 - self.bot, a), s) for a in mine)
        if who == self.bot:
            return self._expected(s, s)
        return max(self.value(after(s, who, a)) for a in legal_actions(GAME, s, who))

    def _expected(self, s, seen):
        """The value of s when the bot decides by what it sees in another position."""
        shares = self.shares(seen, self.bot)
        return sum(
            shares[a] * self.value(after(s, self.bot, int(a))) for a in np.flatnonzero(shares)
        )


def after(s, who, action):
    following = s.copy()
    verbs.apply(following, who, action)
    return following


@pytest.mark.parametrize(("seat", "tens"), [(0, (1, 2)), (1, (2, 1))])
def test_a_best_response_over_two_rounds_is_that_of_the_whole_tree(tiny, seat, tens):
    """The bot begins the one round or the other; seat 0 begins the last but one."""
    shares = action_probabilities(GAME, SensibleBot(GAME, 0.25))
    habits = Habits(tiny.rounds, shares)
    found = _round(habits, seat, _round(habits, 1 - seat, None))[tens]
    s = GAME.start(2, TINY)
    s.node = Node.BET
    s.rounds = LAST_ROUND - 1
    s.first = 0
    for i, ten in enumerate(tens):
        s.space[i] = space_of(s, 10 * ten)
        s.chips[i] = 10 * ten
    make_pacts(s)
    expected = WholeTree(shares, seat).value(s)
    assert (found, -found)[1 - seat] == pytest.approx(expected, abs=1e-6)


@pytest.mark.ci
def test_a_best_response_wins_more_where_more_is_left_to_chance(tiny):
    players = "sensible:epsilon=0.25", "random"
    won = [best_response_value(tiny, one, error=0.1) for one in players]
    assert 0 < won[0] < won[1] < 1


def test_habits_are_those_of_the_bot(sensible):
    assert sensible.differs(seeded(2), 60) == 0
    assert 0 < sensible._on.min() < sensible._on.max() <= 1


def test_habits_that_heed_more_are_noticed(solution):
    """A player that stops when it owns much has more of a position in mind than is asked for."""

    def shares(s, seat):
        found = action_probabilities(GAME, RandomBot(GAME))(s, seat)
        if found[STOP] and s.chips[seat] > 100:
            found[:] = 0
            found[STOP] = 1
        return found

    assert Habits(solution.rounds, shares).differs(seeded(3), 60) > 0


def test_who_searches_has_no_habits_to_respond_to(solution):
    assert action_probabilities(GAME, SearchBot(GAME, n=10)) is None
    assert best_response_value(solution, "search:n=10") is None
