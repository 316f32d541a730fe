"""Analyses: coarse first, the same with any number of threads, and fair to whoever had bad luck."""

import itertools
from collections.abc import Iterator
from functools import cache

import numpy as np
import pytest
from numpy.typing import NDArray

from diablerie.bots.analysis import verdicts
from diablerie.bots.analysis.analyse import (
    CLOSER_GAMES,
    CURVE_SHARE,
    SPREAD_SHARE,
    Budget,
    Curve,
    Raw,
    Verdicts,
    analysis_passes,
    dump_analysis,
    load_analysis,
)
from diablerie.bots.analysis.findings import (
    MOST_TURNING_POINTS,
    Analysis,
    TurningPoint,
    Verdict,
    in_turns,
)
from diablerie.bots.analysis.playouts import (
    FIRST_PASSES,
    MORE,
    PRECISE,
    AnalysisStopped,
    PlayoutThreads,
    PositionResults,
    hash_numbers,
)
from diablerie.bots.analysis.timeline import PlayedDecision, Story, story
from diablerie.bots.analysis.verdicts import SUSPECTS, losses, search_verdicts, suspects
from diablerie.bots.basic import SensibleBot
from diablerie.bots.rollouts import Rollouts
from diablerie.engine.match import Match
from diablerie.engine.plies import PlyKind
from diablerie.engine.queries import legal_actions, redacted
from diablerie.engine.rng import seeded
from diablerie.engine.verbs import CHANCE
from diablerie.games import ALL
from tests.bots.puzzles import puzzles


@pytest.fixture
def crew() -> Iterator[PlayoutThreads]:
    made = PlayoutThreads(2)
    yield made
    made.close()


def match_of(name: str, epsilon: float = 0.0, plies: int = 10_000, seed: int = 3) -> Match:
    """A game of two sensible bots, that are careless now and then, up to so many plies."""
    made, rng = Match.new(ALL[name], seed=seed, seats=2), seeded(seed)
    bot = SensibleBot(ALL[name], epsilon)
    while not made.over and made.ply < plies:
        seat = made.actor
        assert seat is not None
        made.carry_out(bot.choose(redacted(made.state, seat), seat, rng), seat)
    return made


def analysed(match: Match, crew: PlayoutThreads, games: int) -> Raw:
    """The analysis by so many games from every position."""
    *_, (_, raw) = analysis_passes(match, crew, Budget(crew.worked, games=games))
    return raw


# -- coarse first ------------------------------------------------------------------------------


def test_after_the_first_pass_the_curve_of_300_plies_is_whole(crew: PlayoutThreads) -> None:
    matches = (match_of("kitchen", 0.75, 300, seed) for seed in itertools.count(1))
    long = next(match for match in matches if match.ply == 300)
    curve = Curve(story(long), crew)
    next(iter(curve.passes(Budget(crew.worked))))
    found = curve.raw()
    assert len(found.chances) == len(found.played) == 300
    assert set(found.played) == {FIRST_PASSES[0]}
    assert curve.positions.passes == 1


def test_passes_go_on_until_the_time_for_them_is_over(crew: PlayoutThreads) -> None:
    """A clock that goes on by a second each time it is read, and passes that take one each."""
    clock = itertools.count().__next__
    curve = Curve(story(match_of("coals", plies=12)), crew)
    done = list(curve.passes(Budget(lambda: float(clock()), 20.0)))
    assert 1 < curve.positions.passes == len(done) < len(FIRST_PASSES)
    assert done == sorted(done)
    assert done[-1] <= 1


def test_what_is_spent_counts_from_the_start_and_not_where_games_are_fixed() -> None:
    times = iter((100.0, 101.0, 101.0, 101.0))
    budget = Budget(lambda: next(times), 4.0)
    assert budget.spent == 0.25
    assert not budget.has_time(0.25)
    assert budget.has_time(0.26)
    fixed = Budget(lambda: 100.0, 4.0, games=12)
    assert (fixed.spent, fixed.has_time(), fixed.has_time(0.0)) == (0.0, True, False)


def test_where_few_turning_points_are_clear_the_rest_of_the_time_is_for_the_largest_changes(
    crew: PlayoutThreads,
) -> None:
    """A clock that counts games; a third of them are left when every position has 16."""
    curve = Curve(story(match_of("coals", 0.3, 120)), crew)
    positions = curve.positions
    spread = 16.5 * len(positions.states)
    budget = Budget(lambda: float(positions.games.sum()), spread / SPREAD_SHARE)
    done = list(curve.passes(budget))
    assert positions.games.min() == 16
    more = set(np.flatnonzero(positions.games > 16))
    assert 0 < len(more) < len(positions.states) / 2
    assert {int(games - 16) % CLOSER_GAMES for games in positions.games} == {0}
    assert spread < positions.games.sum() <= CURVE_SHARE * budget.seconds
    assert done == sorted(done)
    beside = np.isin(np.arange(len(positions.states)), list(more))
    before, after = positions.smoothed  # after 16 games the largest bare differences are noise
    changes = np.abs(after[1:] - before[:-1]).max(1)
    among = beside[1:] & beside[:-1]
    assert changes[among].mean() > changes[~among].mean()


def test_a_change_that_lasts_stands_out_among_others_as_large(crew: PlayoutThreads) -> None:
    positions = PositionResults(ALL["coals"], story(match_of("coals", plies=12)).states[:8], crew)
    positions.won[:] = [[4, 4], [4, 4], [7, 1], [4, 4], [4, 4], [1, 7], [1, 7], [1, 7]]
    positions.games[:] = 8
    before, after = positions.smoothed
    assert before[0].tolist() == [0.5, 0.5], "nothing is before it"
    assert before.sum(1) == pytest.approx(1)
    lasting, passing = (abs(after[k + 1, 0] - before[k, 0]) for k in (4, 1))
    assert lasting > passing


def test_later_passes_go_where_there_is_doubt(crew: PlayoutThreads) -> None:
    positions = PositionResults(ALL["coals"], story(match_of("coals")).states, crew)
    for places, games in itertools.islice(positions.plan(), len(FIRST_PASSES) + 3):
        positions.play(places, games)
    over = positions.errors == 0
    assert over[-1], "it is over there"
    assert set(positions.games[over]) == {sum(FIRST_PASSES)}
    more = positions.games > sum(FIRST_PASSES)
    assert set(np.diff(np.unique(positions.games[more]))) <= {MORE, 2 * MORE}
    assert positions.won[more].min(1).mean() > positions.won[~more].min(1).mean()


def test_each_pass_over_each_position_has_dice_of_its_own() -> None:
    few = range(3)
    seeds = {hash_numbers(*some) for n in (1, 2, 3) for some in itertools.product(few, repeat=n)}
    assert len(seeds) == 3 + 9 + 27


def test_where_all_is_known_nobody_plays_for_ever(crew: PlayoutThreads) -> None:
    last = story(match_of("coals")).states[-1]
    positions = PositionResults(ALL["coals"], [last], crew)
    assert len([positions.play(*one) for one in positions.plan()]) == len(FIRST_PASSES)
    assert positions.precise


def test_more_is_played_until_it_is_precise(crew: PlayoutThreads) -> None:
    positions = PositionResults(ALL["coals"], story(match_of("coals", plies=2)).states, crew)
    for one in positions.plan():
        positions.play(*one)
    assert 0 < positions.errors.max() <= PRECISE
    fair = PositionResults(ALL["coals"], positions.states, crew, seed=7)
    fair.play([0, 1], 800)
    assert np.abs(positions.shares - fair.shares).max() < 5 * PRECISE


def test_where_many_wait_chances_need_fewer_games(crew: PlayoutThreads) -> None:
    played = list[float]()
    for share in (1.0, 1 / 8):
        budget = Budget(lambda: 0.0, share=share)
        curve = Curve(story(match_of("coals", plies=40)), crew, budget.enough)
        assert [*curve.passes(budget)][-1] == 1.0, "as precise as it is to be"
        played.append(float(curve.positions.games.sum()))
    assert played[1] < 0.6 * played[0]


def test_any_number_of_threads_comes_to_the_same() -> None:
    match, found = match_of("coals", 0.3, 60), []
    for threads in (1, 3):
        crew = PlayoutThreads(threads)
        found.append(analysed(match, crew, 12))
        crew.close()
    assert found[0] == found[1]
    assert set(found[0].played) == {12}


def test_who_waits_for_a_crew_that_is_closed_is_told(crew: PlayoutThreads) -> None:
    crew.close()
    with pytest.raises(AnalysisStopped):
        analysed(match_of("coals", plies=20), crew, 4)


# -- what belongs together ---------------------------------------------------------------------


def test_what_was_bound_to_come_changes_no_chances(crew: PlayoutThreads) -> None:
    told = story(match_of("coals", plies=40))
    bound = [i for i, first in enumerate(told.same) if first != i]
    assert bound
    apart = PositionResults(ALL["coals"], told.states, crew)
    apart.play(range(len(told.states)), 100)
    for i in bound:
        assert apart.shares[i] == pytest.approx(apart.shares[told.same[i]], abs=0.25)


def test_what_is_taken_back_stands_as_before(crew: PlayoutThreads) -> None:
    match = match_of("coals", plies=8)
    match.take_back(seat=match.plies[-1].seat)
    assert match.plies[-1].kind is PlyKind.TAKE_BACK
    told = story(match)
    assert told.same[-1] == told.same[match.plies[-1].to - 1]


def test_a_match_that_was_given_up_is_won_by_the_others(crew: PlayoutThreads) -> None:
    match = match_of("coals", plies=8)
    match.note(PlyKind.RESIGN, 0)
    found = analysed(match, crew, 4)
    assert found.chances[-1] == (0.0, 1.0)
    assert len(found.chances) == match.ply


# -- mistakes and luck -------------------------------------------------------------------------


def late_decisions(name: str) -> Iterator[PlayedDecision]:
    """Those of the second half of one game after the other."""
    for seed in range(3, 13):
        decisions = story(match_of(name, seed=seed)).decisions
        yield from decisions[len(decisions) // 2 :]


@cache
def planted(name: str) -> PlayedDecision:
    """The first decision of some games that might have been a blunder, with that blunder made."""
    rollouts = Rollouts(ALL[name])
    for one in late_decisions(name):
        legal = legal_actions(ALL[name], one.seen, one.seat)
        some = legal[:: 1 + len(legal) // 6]
        chances = {
            action: rollouts.chances(one.seen, seeded(1), 12, one.seat, action)[one.seat]
            for action in {*some, one.action}
        }
        worst = min(chances, key=lambda action: chances[action])
        if chances[one.action] - chances[worst] < 0.4:
            continue
        blunder = one._replace(action=worst, advised=False)
        if (
            losses(ALL[name], rollouts, blunder, one.action)[one.seat] > 0.25
        ):  # by more games: no noise
            return blunder
    raise AssertionError("nobody could have blundered")


@pytest.mark.parametrize("bad", [verdicts.MISTAKE_LOSS, -1.0], ids=["small", "not significant"])
def test_what_costs_nothing_costs_no_seat_anything(
    bad: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(verdicts, "MISTAKE_LOSS", bad)
    match = Match.new(ALL["coals"], seed=3, seats=3)
    seat = match.pending[0]
    one = PlayedDecision(1, seat, match.seen_by(seat), match.actions(seat)[0], False, None)
    rollouts = Rollouts(match.game)
    lost = losses(match.game, rollouts, one, one.action, lambda: False)
    assert lost.tolist() == [0.0, 0.0, 0.0]


def test_a_loss_that_is_clearly_small_is_not_measured_further(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    rounds: list[int] = []

    def equal(*words: object) -> NDArray[np.float64]:
        rounds.append(1)
        return np.ones((verdicts.ROUND_PAIRS, 2, 2))

    monkeypatch.setattr(verdicts, "paired", equal)
    match = Match.new(ALL["coals"], seed=3, seats=2)
    one = PlayedDecision(1, 0, match.seen_by(0), match.actions(0)[0], False, None)
    assert losses(match.game, Rollouts(match.game), one, one.action).tolist() == [0.0, 0.0]
    assert len(rounds) == 1


def verdicts_of(told: Story, found: Raw, crew: PlayoutThreads) -> list[Verdict]:
    *_, verdicts = Verdicts(told, found, crew, Budget(crew.worked, games=4)).passes()
    return verdicts


@pytest.mark.parametrize(
    "name",
    ["coals", "kitchen", *(pytest.param(n, marks=pytest.mark.ci) for n in ("tails", "underworld"))],
)
def test_a_blunder_is_found_and_what_it_cost(name: str, crew: PlayoutThreads) -> None:
    one = planted(name)
    ((judgement,),) = (
        some.values() for some in search_verdicts(ALL[name], [one], crew, lambda: True)
    )
    assert judgement is not None
    assert judgement.action != one.action
    assert 0.2 < judgement.cost <= 1
    assert judgement.helped == 1 - one.seat


@pytest.mark.parametrize("name", ALL)
def test_who_does_is_told_of_no_mistake_whatever_the_dice_bring(
    name: str, crew: PlayoutThreads
) -> None:
    puzzle = puzzles(name, 1)[0]
    seen = redacted(puzzle.state, puzzle.seat)
    won = PlayedDecision(5, puzzle.seat, seen, min(puzzle.solutions), advised=False, after=None)
    assert list(search_verdicts(puzzle.game, [won], crew, lambda: True)) == [{5: None}]


def test_what_there_is_no_time_for_is_not_judged(crew: PlayoutThreads) -> None:
    assert list(search_verdicts(ALL["coals"], [planted("coals")], crew, lambda: False)) == [{}]


def test_the_costliest_is_suspected_first_and_what_was_advised_never(crew: PlayoutThreads) -> None:
    bad = planted("coals")
    others = [one for one in story(match_of("coals", 0.3)).decisions if not one.advised]
    many = [one._replace(ply=k) for k, one in enumerate((others * 3)[: SUSPECTS + 5])]
    worst = bad._replace(ply=len(many))
    advised = bad._replace(ply=len(many) + 1, advised=True)
    *_, found = suspects(ALL["coals"], [*many, worst, advised], crew, lambda: True)
    assert len(found) == SUSPECTS
    assert worst in found
    assert advised not in found


def test_what_the_dice_did_after_a_decision_is_told_as_luck(crew: PlayoutThreads) -> None:
    match = match_of("coals", 0.3, 60)
    told = story(match)
    chancy = next(one for one in told.decisions if one.after is not None and one.ply > 4)
    chances = [(0.5, 0.5)] * chancy.ply + [(1.0, 0.0)] * (match.ply - chancy.ply)
    found = Raw(tuple(chances), (400,) * match.ply, told.movers)
    (verdict,) = (
        one for one in verdicts_of(told, found, crew)
        if one.step == chancy.ply + 1
    )  # fmt: skip
    between = PositionResults(told.game, [chancy.after], crew)
    between.play([0], 1000)
    now = (1.0, 0.0)[chancy.seat]
    assert verdict.luck == pytest.approx(now - between.shares[0, chancy.seat], abs=0.2)
    assert verdict.asked


def test_a_change_without_a_choice_is_luck_alone(crew: PlayoutThreads) -> None:
    match = match_of("tails", 0.3, 16)
    told = story(match)
    index = min(told.fated - {0, 1})
    chances = [(0.5, 0.5)] * index + [(0.9, 0.1)] * (match.ply - index)
    found = Raw(tuple(chances), (400,) * match.ply, told.movers)
    verdicts = {one.step: one for one in verdicts_of(told, found, crew)}
    assert verdicts[index + 1] == Verdict(index + 1, CHANCE, luck=pytest.approx(0.4, abs=0.1))


# -- what is kept ------------------------------------------------------------------------------


def test_a_mistake_is_a_turning_point_even_if_luck_made_up_for_it() -> None:
    chances = ((0.5, 0.5), (0.5, 0.5), (0.55, 0.45), (1.0, 0.1))
    bad = Verdict(3, 0, asked=True, better="stop", cost=0.2)
    found = Analysis(400, chances, (CHANCE, 1, 0, 0), verdicts=(bad,))
    assert found.turns == [TurningPoint(3, 0, 0.5, 0.55), TurningPoint(4, 0, 0.55, 1.0)]
    assert found.verdict(3) is found.verdicts[0]
    assert found.verdict(4) is None


def test_where_few_changes_are_sharp_smaller_ones_are_told_if_they_are_no_noise() -> None:
    chances = [0.5, 0.62, 0.5, 0.61, 0.5, 0.8]  # four of about 0.1, and a sharp one
    rows, movers = tuple((one, 1 - one) for one in chances), (0,) * 6
    assert [turn.step for turn in Analysis(900, rows, movers).turns] == [2, 3, 6]
    assert [turn.step for turn in Analysis(300, rows, movers).turns] == [6], "the rest is noise"
    sharp = tuple((one, 1 - one) for one in (0.1, 0.5, 0.1, 0.5, 0.6, 0.5))
    assert [turn.step for turn in Analysis(900, sharp, movers).turns] == [2, 3, 4], "these do"


def test_the_changes_that_may_be_noise_are_told_until_three_are_none() -> None:
    chances = [0.5, 0.3, 0.7, 0.6, 0.6, 0.1, 0.5]
    rows, movers = tuple((one, 1 - one) for one in chances), (CHANCE, 0, CHANCE, 0, 1, 0, 1)
    few = Analysis(16, rows, movers)
    assert (few.turns, [turn.step for turn in few.unclear]) == ([], [2, 4, 5, 6, 7])
    two = Analysis(16, rows, movers, (16, 200, 200, 16, 200, 200, 200))
    assert [turn.step for turn in two.turns] == [6, 7]
    assert [turn.step for turn in two.unclear] == [2, 4, 5]
    three = Analysis(16, rows, movers, (800, 800, 800, 16, 800, 800, 800))
    assert [turn.step for turn in three.turns] == [2, 6, 7]
    assert three.unclear == [], "three are known"


def test_whoever_decided_is_told_of_and_nobody_where_nobody_did() -> None:
    chances = ((0.3, 0.3, 0.4), (0.3, 0.7, 0.0), (0.9, 0.1, 0.0), (0.1, 0.9, 0.0))
    found = Analysis(400, chances, (CHANCE, 2, CHANCE, 1))
    assert found.turns == [TurningPoint(2, 2, 0.4, 0.0), TurningPoint(4, 1, 0.1, 0.9)]


def test_every_seat_has_a_turning_point_before_anybody_has_a_second() -> None:
    up = [(0.5, 0.5) if k % 2 else (0.0, 1.0) for k in range(20)]
    chances = (*up, (0.5, 0.7), (0.5, 0.5))
    found = Analysis(400, chances, (*[0] * 20, 1, 1)).turns
    assert len(found) == MOST_TURNING_POINTS
    assert [turn.step for turn in found if turn.seat == 1] == [21, 22]


def test_of_people_two_are_taken_for_one_of_others() -> None:
    items = ["a1", "a2", "b1", "b2", "a3", "a4", "b3"]
    assert in_turns(items, lambda one: ord(one[0])) == ["a1", "b1", "a2", "b2", "a3", "b3", "a4"]
    twice = in_turns(items, lambda one: ord(one[0]), twice=[ord("a")])
    assert twice == ["a1", "a2", "b1", "b2", "a3", "a4", "b3"]


def test_no_chance_is_surer_than_its_games_allow_before_the_end() -> None:
    chances = ((1.0, 0.0), (0.7, 0.3), (1.0, 0.0))
    found = Analysis(48, chances, (CHANCE, 0, 1))
    assert [found.chance(1, seat) for seat in (0, 1)] == pytest.approx([1 - 3 / 48, 3 / 48])
    assert found.chance(2, 0) == 0.7
    assert found.chance(3, 0) == 1.0, "there somebody has won"
    assert Analysis(4, chances, (CHANCE, 0, 1)).chance(1, 0) == 0.5, "four games tell nothing"


def test_what_was_found_is_kept_as_text() -> None:
    verdict = Verdict(2, 1, True, "bet 5", 0.25, -0.1, 0)
    found = Raw(((0.5, 0.5), (1.0, 0.0)), (4, 8), (CHANCE, 1), (verdict,))
    assert load_analysis(dump_analysis(found), 2) == found
    for text, plies in (
        (dump_analysis(found), 3),
        ("[[0.5, 0.5], [1, 0]]", 2),
        ('{"chances":[', 2),
    ):
        with pytest.raises(ValueError, match=r"\w"):
            load_analysis(text, plies)


def test_chances_are_told_at_the_games_temperature() -> None:
    found = Raw(((0.8, 0.2), (1.0, 0.0)), (10, 20), (CHANCE, 0))
    told = found.analysis(2.0)
    assert told.games == 10
    assert told.chances[0] == pytest.approx((2 / 3, 1 / 3), abs=1e-3)
    assert told.chances[1] == (1.0, 0.0)
