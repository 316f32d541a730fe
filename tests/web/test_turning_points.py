"""What a replay says of turning points: mistakes with what they cost and why, luck as luck."""

from pathlib import Path

import pytest

import diablerie
from diablerie.bots.analysis.findings import Analysis, Verdict
from diablerie.engine.match import Match, chapters
from diablerie.engine.text import say
from diablerie.web.html.chances import (
    Point,
    chapter_of,
    of_100,
    others_points,
    turning_points,
    unlogged_decision,
)

GOLDEN = Path(__file__).parent.parent / "games"


@pytest.fixture(scope="module")
def match() -> Match:
    return diablerie.load(GOLDEN / "coals" / "golden" / "coals-3.jsonl")


def test_every_step_belongs_to_the_chapter_that_it_lies_in(match: Match) -> None:
    parts = chapters(match)
    assert len(parts) > 2
    for number, one in enumerate(parts):
        for step in (one.first, one.last):
            assert chapter_of(parts, step) == number
    assert chapter_of([], 1) is None


def told(match: Match, verdict: Verdict, before: float = 0.8, after: float = 0.4) -> Point:
    """What is told of a step after which its decider has another chance."""
    movers = tuple(ply.seat for ply in match.plies)
    seat = movers[verdict.step - 1]
    then, now = ([x if k == seat else 0.1 for k in range(match.seats)] for x in (before, after))
    chances = [tuple(then)] * (verdict.step - 1)
    chances += [tuple(now)] * (match.ply - len(chances))
    found = Analysis(400, tuple(chances), movers, verdicts=(verdict,))
    (point,) = (one for one in turning_points(match, found) if one.step == verdict.step)
    return point


def decision(match: Match, node: str) -> tuple[int, int, str]:
    """The first step at a node with another action than was chosen: its number, seat, that action."""
    for ply in range(1, match.ply):
        before, seat = match.at(ply), match.plies[ply].seat
        others = [one for one in before.legal(seat) if one != match.plies[ply].events[0].text]
        if before.node == node and others:
            return ply + 1, seat, others[-1]
    raise AssertionError("there was no choice")


def test_a_mistake_is_told_with_what_was_played_what_was_better_and_why(match: Match) -> None:
    step, seat, text = decision(match, "pull")
    point = told(
        match, Verdict(step, seat, asked=True, better=text, cost=0.184, luck=0.1, helped=2)
    )
    assert (point.step, point.seat, point.kind) == (step, seat, "mistake")
    assert str(point.verdict) == "Mistake: it cost about 20 wins in 100 games."
    before = match.at(step - 1)
    seen = before.seen_by(seat)
    for one, action in ((point.played, match.plies[step - 1].events[0].text), (point.better, text)):
        number = before.check(action, seat)
        assert one is not None
        assert one.label == match.game.ui.label(seen, seat, number)
        assert one.why == match.game.reason(seen, seat, number) is not None
    assert [str(line) for line in point.lines] == ["It helped player 3 most."]


def test_what_was_played_is_told_where_it_was_hidden_then(match: Match) -> None:
    step, seat, text = decision(match, "bet")
    chosen = match.plies[step - 1].events[0].text.removeprefix("bet ")
    for verdict in (Verdict(step, seat, better=text, cost=0.2), Verdict(step, seat)):
        played = told(match, verdict).played
        assert played is not None
        assert str(played.label) == f"Stake {chosen}"
    assert str(unlogged_decision(match, step, match.log()[:1])) == f"Played: “Stake {chosen}”."


def test_what_everybody_saw_is_not_told_twice(match: Match) -> None:
    step, seat, _ = decision(match, "pull")
    assert unlogged_decision(match, step, match.log()[:1]) is None
    assert unlogged_decision(match, 1, []) is None
    assert unlogged_decision(match, step, []) is not None, "where the log says nothing yet"
    assert told(match, Verdict(step, seat)).played is None


@pytest.mark.parametrize(
    ("luck", "before", "after", "verdict"),
    [
        (-0.3, 0.8, 0.4, "Bad luck: it cost about 30 wins in 100 games."),
        (-0.1, 0.8, 0.4, "Turning point: it cost about 40 wins in 100 games."),
        (0.3, 0.8, 0.4, "Turning point: it cost about 40 wins in 100 games."),
        (0.3, 0.4, 0.8, "Good luck: it brought about 30 more wins in 100 games."),
        (None, 0.4, 0.8, "Turning point: it brought about 40 more wins in 100 games."),
    ],
)
def test_most_of_a_change_is_luck_or_it_is_not(match, luck, before, after, verdict) -> None:
    step, seat, text = decision(match, "pull")
    fine = told(match, Verdict(step, seat, asked=True, luck=luck), before, after)
    assert str(fine.verdict) == verdict
    assert any("nothing better" in str(line) for line in fine.lines) == ("Turning" in verdict)
    bad = told(
        match, Verdict(step, seat, asked=True, better=text, cost=0.2, luck=luck), before, after
    )
    assert bad.kind == "mistake", "a mistake stays one, whatever the dice brought"


def test_who_has_few_turning_points_is_told_the_sharpest_of_others() -> None:
    chances = [0.5, 0.1, 0.5, 0.9, 0.5, 0.2]  # of each who decides: steps 2 to 6 change much
    movers = (0, 1, 1, 2, 2, 0)
    found = Analysis(400, tuple((one,) * 3 for one in chances), movers)
    points = [Point(turn.step, turn.seat, "turn", say("")) for turn in found.turns]
    assert [(one.step, one.seat) for one in points] == [(2, 1), (3, 1), (4, 2), (5, 2), (6, 0)]
    assert [one.step for one in others_points(points, found, 0)] == [2, 3]
    assert [one.step for one in others_points(points, found, 1)] == [4]
    assert others_points([one for one in points if one.seat == 1], found, 1) == []
    assert [one.step for one in others_points(points, found, 3)] == [2, 3, 4]


def test_nothing_is_told_as_certain(match: Match) -> None:
    step, seat, text = decision(match, "pull")
    sure = told(match, Verdict(step, seat, better=text, cost=1.0))
    assert str(sure.verdict) == "Mistake: it cost about 95 wins in 100 games."
    small = told(match, Verdict(step, seat, better=text, cost=0.01))
    assert str(small.verdict) == "Mistake: it cost about 5 wins in 100 games."
    assert [of_100(x) for x in (0.0, 0.41, 0.475, 0.5, 1.0)] == [0, 40, 50, 50, 100]


def test_between_two_sides_nobody_is_told_who_gained(match: Match) -> None:
    two = diablerie.load(GOLDEN / "coals" / "golden" / "coals-2.jsonl")
    step, seat, text = decision(two, "pull")
    assert told(two, Verdict(step, seat, better=text, cost=0.2, helped=1 - seat)).lines == ()


def test_of_a_step_with_many_lines_what_was_done_and_what_came_of_it_are_told(match: Match) -> None:
    duel = diablerie.load(GOLDEN / "kitchen" / "golden" / "kitchen-3.jsonl")
    point = told(duel, Verdict(40, 1, luck=-0.4))
    assert point.kind == "luck"
    assert [str(line) for line in point.lines] == [
        "player 2 accepts the duel.",
        "player 2 presses 2 times: nothing happens.",
        "player 3 presses 3 times: the Oberteufel jumps! player 3 wins the duel.",
        "Devil 3 of player 2 goes to its start without its cap.",
    ]
    settled = told(match, Verdict(27, 0, luck=-0.4))
    assert [str(line) for line in settled.lines] == [
        "player 1 wakes a devil: burnt fingers!",
        "player 1 wins 110.",
        "player 3 wins 340.",
        "player 2 has a pact with the devil.",
    ]
