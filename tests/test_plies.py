"""Plies: decisions with their chance, and the few events that are no decisions."""

import json
from dataclasses import replace
from random import Random

import pytest

import diablerie
from diablerie.engine import files
from diablerie.engine.fair import DiceStream
from diablerie.engine.match import Match
from diablerie.engine.plies import PlyKind
from diablerie.engine.queries import Illegal
from diablerie.engine.record import same
from diablerie.engine.replay import Replay
from diablerie.engine.verbs import CHANCE, EVERYTHING
from diablerie.games import ALL


def staked(seats: int = 3, seed: int = 7, by_lines: bool = False) -> Match:
    fair = replace(DiceStream.seeded(seed), by_lines=by_lines)
    match = diablerie.start("coals", seats=seats, fair=fair)
    for seat in range(seats):
        match.play("bet 50", seat, at=float(seat))
    return match


def noted(by_lines: bool = False) -> Match:
    """A match with every kind of note in it."""
    match = staked(by_lines=by_lines)
    match.play(match.legal()[0])
    match.take_back()
    match.note(PlyKind.DEADLINE, match.actor or 0)
    match.note(PlyKind.HAND_OVER, 1, by="sensible")
    match.note(PlyKind.HAND_OVER, 1)
    match.note(PlyKind.RESIGN, 2)
    match.play(match.legal()[0])
    return match


def again(match: Match) -> Match:
    return files.parse_match(files.dump(match).encode(), ALL, dice=True)


def test_a_ply_is_a_decision_and_the_chance_that_follows():
    match = staked()
    assert [ply.seat for ply in match.plies] == [CHANCE, 0, 1, 2]
    ply = match.play("pull")
    assert [event.seat for event in ply.events] == [match.plies[-1].seat, CHANCE]
    assert match.ply == 5
    assert match.plies[2].at == 1.0


def test_secret_decisions_made_together_fit_pages_from_before_them():
    assert [ply.since for ply in staked().plies] == [1, 1, 1, 4]


def test_a_decision_of_who_decides_alone_makes_pages_from_before_it_stale():
    match, same = diablerie.start("kitchen", seats=2, seed=7), 0
    for _ in range(20):
        node, alone = match.state.node, len(match.pending) == 1
        match.play(match.legal()[0])
        if alone:
            assert match.plies[-1].since == match.ply
            same += match.state.node == node
    assert same, "nothing but the number of those who are asked tells it from secret decisions"


def test_at_is_the_match_as_it_was():
    match = staked()
    states = [match.at(k).state for k in range(match.ply + 1)]
    replayed = Match.opening(match.game, seats=3, fair=match.fair)
    for k, ply in enumerate(match.plies):
        assert same(states[k], replayed.state)
        replayed.append(ply)
    assert same(states[-1], match.state)
    assert replayed.plies == match.plies, "with the time of each"
    with pytest.raises(IndexError):
        match.at(match.ply + 1)


def test_taking_back_returns_to_the_position_before_and_keeps_what_was():
    match = staked()
    before = match.state.copy()
    match.play("pull")
    pulled = match.plies[-1]
    match.take_back()
    assert same(match.state, before)
    assert match.plies[-2:] == [pulled, match.plies[-1]]
    assert match.plies[-1].kind is PlyKind.TAKE_BACK


def test_taking_back_twice_goes_further_back():
    match = staked(2)
    match.play("pull")
    match.take_back()
    match.take_back()
    assert match.pending == [1]
    assert same(match.state, match.at(2).state)
    match.take_back()
    with pytest.raises(Illegal, match="take back"):
        match.take_back()


@pytest.mark.parametrize("by_lines", [False, True])
def test_a_file_with_notes_verifies_and_says_where_lines_count(by_lines):
    match = noted(by_lines)
    read = again(match)
    assert same(read.state, match.state)
    assert [p._replace(at=0.0) for p in match.plies] == read.plies
    assert read.resigned == {2}
    assert files.dump(read) == files.dump(match)
    head = json.loads(files.dump(match).splitlines()[0])
    assert head["diablerie"] == files.FILE_FORMAT
    assert head.get("by_lines", False) is by_lines


@pytest.mark.parametrize(
    ("fields", "said"),
    [({"to": 99}, "take back"), ({"to": 0}, "take back"), ({"seat": 9}, "seat"),
     ({"do": "pull"}, "note"), ({"seat": "chance"}, "note"), ({"note": "gift"}, "line")],
)  # fmt: skip
def test_wrong_notes_are_refused_with_their_line(fields, said):
    lines = files.dump(noted()).splitlines()
    number = next(i for i, line in enumerate(lines) if "takeback" in line)
    lines[number] = json.dumps({**json.loads(lines[number]), **fields})
    with pytest.raises(diablerie.Damaged) as error:
        files.parse_match("\n".join(lines).encode(), ALL)
    assert error.value.line == number + 1
    assert said in str(error.value)


def test_the_match_is_over_when_all_but_one_have_resigned():
    match = staked()
    match.note(PlyKind.RESIGN, 0)
    assert not match.over
    match.note(PlyKind.RESIGN, 2)
    assert match.over
    assert match.returns() == [-0.5, 1.0, -0.5]
    assert (match.actor, match.pending) == (None, [])
    with pytest.raises(Illegal, match="over"):
        match.play("pull", 0)
    assert again(match).returns() == match.returns()


def test_after_the_end_nothing_is_noted_but_that_it_is_taken_back():
    match = staked(2)
    match.note(PlyKind.RESIGN, 0)
    assert match.over
    for kind in (PlyKind.RESIGN, PlyKind.DEADLINE, PlyKind.HAND_OVER):
        with pytest.raises(Illegal, match="over"):
            match.note(kind, 1)
    before = match.at(2).state
    match.note(PlyKind.TAKE_BACK, 1, to=2)
    assert same(match.state, before)


def test_a_replay_goes_on_with_plies_that_came_after_it_was_begun():
    """And with what they take back, though its match did not have that either."""
    match = staked()
    replay = Replay(match.copy())
    for _ in range(2):
        match.play("pull")
    match.take_back(to=match.ply - 1)
    assert [replay.step(ply).number for ply in match.plies] == list(range(1, match.ply + 1))
    assert same(replay.state, match.state)


def test_partners_resign_together():
    match = diablerie.start("tails", seats=4, seed=1)
    match.note(PlyKind.RESIGN, 0)
    match.note(PlyKind.RESIGN, 1)
    assert not match.over
    match.note(PlyKind.RESIGN, 2)
    assert match.returns() == [-0.5, 0.5, -0.5, 0.5]


def test_every_note_is_told_once_in_the_log():
    told = [str(line) for line in noted().log()]
    for said in (
        "takes back",
        "run out of time",
        "devil plays for player 2",
        "player 2 is back",
        "resigns",
    ):
        assert sum(said in line for line in told) == 1, said


def test_steps_tell_each_viewer_what_the_log_tells():
    match = noted()
    for viewer in (0, 1, EVERYTHING):
        steps = list(match.steps(viewer))
        assert [step.number for step in steps] == list(range(1, match.ply + 1))
        assert [line for step in steps for line in step.lines] == match.log(viewer)
        assert same(steps[-1].state, match.seen_by(viewer))
        assert [s.lines for s in match.steps(viewer, since=4)] == [s.lines for s in steps[4:]]


def test_a_match_resumed_from_a_snapshot_goes_on_the_same_way():
    match = noted()
    shot = match.at(5)
    resumed = shot.resumed(match.plies[:5], shot.state.tobytes())
    for ply in match.plies[5:]:
        resumed.append(ply)
    assert resumed.plies == match.plies
    assert (resumed.draws, resumed.resigned) == (match.draws, match.resigned)
    assert same(resumed.state, match.state)


def test_positions_that_a_match_keeps_are_those_of_a_replay():
    match, rng = Match.new(ALL["kitchen"], seats=2, seed=3), Random(3)
    for turn in range(40):
        match.play(rng.choice(match.legal()))
        if turn % 7 == 6:
            match.take_back(match.ply - 3)
        for ply in range(max(1, match.ply - 12), match.ply + 1):
            assert match.state_at(ply).data == Replay(match).until(ply).data
    assert match.resumed(match.plies[:5], match.state.tobytes()).recent == ()
