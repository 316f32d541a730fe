"""Finished matches looked at again: chances step by step, kept, and played on from anywhere."""

import math
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

import diablerie
from diablerie.bots.analysis.findings import Analysis
from diablerie.bots.analysis.playouts import PlayoutThreads
from diablerie.engine.verbs import CHANCE
from diablerie.games import ALL
from diablerie.table.authority import Authority
from diablerie.table.bots import match_analysis
from diablerie.table.bots.match_analysis import (
    ANALYSIS_COMPILED_LOOK_SECONDS,
    MOST_ANALYSES_OF_CLIENT,
    AnalysisProgress,
    Analyst,
    Failed,
)
from diablerie.table.commands import decisions, lobby, sequels
from diablerie.table.errors import BadInput, WrongTime
from diablerie.table.state.table_state import FINISHED_TABLE, RUNNING, TableState
from diablerie.table.storage import schema
from tests.table.conftest import ANN, BO


@pytest.fixture
def analyst(house: Authority):
    made = Analyst(house, games=4)
    made.start()
    yield made
    made.stop()


def played(house: Authority, seats: int = 2) -> TableState:
    """A finished game of COALS: everybody stakes all and pulls twice."""
    live = lobby.open_table(house, ANN, "coals", ["me"] * seats, options={"goal": "400"})
    while live.status == RUNNING:
        seat = live.pending[0]
        moves = live.position(seat).moves
        live = decisions.decide(house, live.id, ANN, live.ply, moves[-1].text, seat)
    return live


def waited(analyst: Analyst, live: TableState) -> Analysis:
    for _ in range(3000):
        found = analyst.look(live)
        if isinstance(found, Analysis):
            return found
        time.sleep(0.02)
    raise AssertionError("the analysis did not come to an end")


def test_a_finished_match_gets_everyones_chances_after_every_ply(
    house: Authority, analyst: Analyst
):
    live = played(house, 3)
    begun = analyst.look(live)
    assert isinstance(begun, AnalysisProgress)
    assert begun.done == 0
    found = waited(analyst, live)
    assert len(found.chances) == live.ply
    assert {len(row) for row in found.chances} == {3}
    assert live.match is not None
    assert found.chances[-1] == tuple(float(x > 0) for x in live.match.returns())


def test_it_is_kept_with_the_match_and_goes_with_it(house: Authority, analyst: Analyst):
    live = played(house)
    found = waited(analyst, live)
    later = Analyst(Authority(house.store))  # not even started
    assert later.look(live) == found
    house.change(live.id, lambda _: None)
    assert isinstance(Analyst(house).look(live), AnalysisProgress)


def test_clients_take_turns_short_matches_first(house: Authority, monkeypatch: pytest.MonkeyPatch):
    """Twenty others have asked before, each for many, and the one more waits for one match."""
    monkeypatch.setattr(match_analysis, "LOOKED_SECONDS", math.inf)  # nobody looks again
    analyst, order = Analyst(house, games=1), list[str]()
    short, mine = played(house), played(house)
    while (long := played(house, 3)).ply <= mine.ply:
        pass
    analyst._publish = lambda live, *_, **__: order.append(live.id)  # type: ignore[method-assign]
    crowd = [
        replace(short, id=f"{n}-{k}") for n in range(20) for k in range(MOST_ANALYSES_OF_CLIENT + 1)
    ]
    for live in crowd:
        assert analyst.look(live, live.id.partition("-")[0]) == AnalysisProgress(0)
    analyst.look(long, "me")
    analyst.look(mine, "me")
    while analyst._run() is not None and mine.id not in order:
        pass
    done = list(dict.fromkeys(order))
    assert len(done) <= 2 + 20
    assert long.id not in done
    later = played(house)
    analyst.look(later, "new")
    before = len(done)
    while analyst._run() is not None and later.id not in order:
        pass
    assert list(dict.fromkeys(order)).index(later.id) <= before + 1


def test_who_asks_while_another_is_analysed_has_first_chances_after_one_more_pass(
    house: Authority,
):
    """One address has many analyses, one of which is under way, and somebody else asks for one."""
    analyst, mine = Analyst(house), played(house)
    for n in range(MOST_ANALYSES_OF_CLIENT):
        analyst.look(replace(played(house, 3), id=f"greedy-{n}"), "greedy")
    for _ in range(3):
        assert analyst._run() == 0.0
    assert len(analyst._under_way) == 1, "of a client's matches one is finished before the next"
    analyst.look(mine, "me")
    assert analyst._run() == 0.0
    found = analyst.look(mine, "me")
    assert isinstance(found, AnalysisProgress)
    assert found.so_far is not None


def test_first_chances_are_made_at_the_usual_priority_and_the_rest_at_a_lower_one(
    house: Authority, monkeypatch: pytest.MonkeyPatch
):
    analyst, hurried = Analyst(house), list[bool]()
    do = PlayoutThreads.do

    def noted(crew: PlayoutThreads, *work: Any) -> list[Any]:
        hurried.append(crew.hurried)
        return do(crew, *work)

    monkeypatch.setattr(PlayoutThreads, "do", noted)
    analyst.look(played(house), "me")
    for _ in range(3):
        analyst._run()
    assert hurried == [True, False, False]


def test_what_is_left_half_done_gives_its_place_back(house: Authority):
    analyst, live = Analyst(house), played(house)
    analyst.look(live, "me")
    analyst._run()
    (one,) = analyst._under_way.values()
    analyst.start()
    analyst.stop()
    assert list(one.passes) == []


def test_what_nobody_looks_at_any_more_is_not_begun(
    house: Authority, monkeypatch: pytest.MonkeyPatch
):
    analyst, live = Analyst(house, games=1), played(house)
    analyst.look(live, "a")
    with monkeypatch.context() as later:
        later.setattr(match_analysis, "LOOKED_SECONDS", -1.0)
        assert analyst._run() is None
    assert analyst.look(live, "a") == AnalysisProgress(0)
    while analyst._run() is not None:
        pass
    assert isinstance(analyst.look(live, "a"), Analysis)


@pytest.mark.ci
def test_an_analysis_made_in_a_hurry_is_not_stored(house: Authority):
    analyst, one, two = Analyst(house, games=1), played(house), played(house)
    analyst.look(one, "a")
    analyst.look(two, "b")
    while analyst._run() is not None:
        pass
    alone = played(house)
    analyst.look(alone, "a")
    while analyst._run() is not None:
        pass
    three = (one, two, alone)
    assert all(isinstance(analyst.look(live), Analysis) for live in three)
    stored = [isinstance(Analyst(house).look(live), Analysis) for live in three]
    assert stored == [False, False, True], "the first two take turns, each in half of the time"


@pytest.mark.ci
def test_rules_that_are_not_compiled_hold_up_no_other_game(house: Authority):
    analyst, one, two = Analyst(house, games=1), played(house), played(house)
    house.can = lambda game, _: game != "tails"
    waits = replace(one, game=ALL["tails"])
    analyst.look(waits, "a")
    analyst.look(two, "a")
    while analyst._run() != ANALYSIS_COMPILED_LOOK_SECONDS:
        pass
    assert isinstance(analyst.look(two), Analysis)
    assert isinstance(analyst.look(waits), AnalysisProgress)


def test_what_fails_is_not_tried_again_and_holds_up_nobody(
    house: Authority, analyst: Analyst, monkeypatch: pytest.MonkeyPatch
):
    one, two = played(house), played(house)

    def broken(*_: object) -> None:
        raise ArithmeticError

    with monkeypatch.context() as patched:
        patched.setattr(Analyst, "_analysed", broken)
        with pytest.raises(Failed):
            waited(analyst, one)
    assert waited(analyst, two)
    with pytest.raises(Failed):
        analyst.look(one)


# -- playing on --------------------------------------------------------------------------------


def test_one_plays_on_from_a_step_against_bots(house: Authority, tmp_path: Path):
    old = played(house, 3)
    step = old.ply // 2
    live = sequels.explore(house, old.id, BO, step)
    assert (live.origin, live.taken, live.status, live.hints) == (old.id, step, RUNNING, True)
    assert [ply.events for ply in live.plies[:step]] == [ply.events for ply in old.plies[:step]]
    mine = live.seats_of(BO)
    assert mine == [live.pending[0]]
    assert [info.driver for info in live.seats if info.seat not in mine] == ["devil"] * 2
    assert live.commitment != old.commitment
    again = Authority(house.store).live(live.id)
    assert again.match is not None
    assert live.match is not None
    assert again.match.state.tobytes() == live.match.state.tobytes()
    assert again.match.taken == live.match.taken == step


def test_its_file_says_what_was_taken_over_and_is_sound(house: Authority, tmp_path: Path):
    old = played(house)
    live = sequels.explore(house, old.id, ANN, old.ply // 2, bot="sensible")
    while live.status == RUNNING:
        seat = live.pending[0]
        text = live.position(seat).moves[-1].text
        live = (
            decisions.decide(house, live.id, ANN, live.ply, text, seat)
            if live.seats[seat].owner
            else decisions.decide_as_bot(house, live.id, seat, live.ply, text)
        )
    path = tmp_path / "match.jsonl"
    path.write_text(house.export(live, 0), "utf-8")
    match = diablerie.verify(path)
    assert live.match is not None
    assert match.taken == live.match.taken > 0
    doctored = path.read_text("utf-8").replace(f',"taken":{match.taken}', "")
    path.write_text(doctored, "utf-8")
    with pytest.raises(diablerie.Damaged, match="the key draws"):
        diablerie.verify(path)


def test_the_bots_of_the_match_play_on_and_usual_ones_for_its_people(house: Authority):
    old = lobby.open_table(house, ANN, "coals", ["me", "imp", "me", "bold"])
    while old.status == RUNNING:
        seat, act = old.pending[0], decisions.decide_as_bot
        text = old.position(seat).moves[-1].text
        if old.seats[seat].bot:
            old = act(house, old.id, seat, old.ply, text)
        else:
            old = decisions.decide(house, old.id, ANN, old.ply, text, seat)
    live = sequels.explore(house, old.id, BO, 2, seat=2)
    assert [info.driver for info in live.seats] == ["devil", "imp", "", "bold"]
    live = sequels.explore(house, old.id, BO, 2, seat=1, bot="archdevil")
    assert [info.driver for info in live.seats] == ["archdevil", "", "archdevil", "archdevil"]


def test_an_analysis_without_who_decided_is_made_anew(house: Authority, analyst: Analyst):
    live = played(house)
    old = f'{{"chances":{[[0.5, 0.5]] * live.ply},"played":{[4] * live.ply},"verdicts":[]}}'
    row = {"match": live.id, "games": 4, "chances": old}
    house.store.commit(sa.insert(schema.analyses).values(row))
    found = waited(analyst, live)
    assert found.movers[0] == CHANCE
    assert set(found.movers[1:]) == {0, 1}


def test_at_the_end_there_is_nothing_to_play(house: Authority):
    old = played(house)
    with pytest.raises(WrongTime):
        sequels.explore(house, old.id, ANN, old.ply)
    for step in (0, old.ply + 1):
        with pytest.raises(WrongTime):
            sequels.explore(house, old.id, ANN, step)


def test_a_running_match_is_not_gone_on_from(house: Authority):
    live = lobby.open_table(house, ANN, "coals", ["me", "me"])
    with pytest.raises(WrongTime):
        sequels.explore(house, live.id, ANN, 1)


def test_seats_and_bots_there_are_not_are_refused(house: Authority):
    old = played(house)
    for more in ({"seat": 2}, {"bot": "angel"}):
        with pytest.raises(BadInput):
            sequels.explore(house, old.id, ANN, 1, **more)


def test_chance_is_drawn_anew(house: Authority):
    old = played(house)
    live = sequels.explore(house, old.id, ANN, 1)
    assert live.match is not None
    assert live.match.fair.key != old.match.fair.key  # type: ignore[union-attr]
    assert live.plies[0].seat == CHANCE
    assert old.status == FINISHED_TABLE


def test_what_was_played_in_the_match_before_is_not_taken_back(house: Authority) -> None:
    old = played(house, 3)
    live = sequels.explore(house, old.id, ANN, old.ply // 2, bot="sensible")
    seat = live.seats_of(ANN)[0]
    with pytest.raises(WrongTime):
        decisions.take_back(house, live.id, ANN, live.ply, seat)
    assert house.live(live.id).ply == live.ply
