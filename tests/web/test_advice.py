"""A devil's advice on the page, and what the replay tells about chances."""

import re
import time
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
from starlette.applications import Starlette

from diablerie.bots.analysis.findings import Analysis, Verdict
from diablerie.engine.verbs import CHANCE
from diablerie.table.authority import Authority
from diablerie.table.bots.match_analysis import Analyst
from diablerie.table.commands import decisions
from diablerie.table.commands.decisions import Hint
from diablerie.web.app import Services, create_app
from diablerie.web.html.chances import ENOUGH_OWN_POINTS, curve_svg, of_100
from tests.web.client import Client
from tests.web.client import fields as hidden
from tests.web.test_playing import finish


def test_alone_with_devils_one_may_ask_them(ann: Client):
    table = ann.open(here="", way="bots")
    assert "What would a devil do?" in ann.page(table).text
    told = ann.call(f"{table}/hint", seat=0).json()
    assert told["ply"] == ann.data(table)["ply"]
    legal = {move["do"] for move in ann.data(table)["legal"]}
    assert {hint["do"] for hint in told["hints"]} <= legal
    for hint in told["hints"]:
        assert 0 <= hint["chance"] <= 1
        equal = "about equal" in told["html"] or "All the same" in told["html"]
        assert equal or hint["words"] in told["html"]
        assert f'value="{hint["do"]}"' in told["html"]


def test_hints_without_a_difference_say_so_once(ann: Client, monkeypatch: pytest.MonkeyPatch):
    table = ann.open(here="", way="bots")
    for equal in (True, False):
        work = decisions.ask_hints.work

        def alike(*args: Any, equal: bool = equal, work: Any = work) -> list[Hint]:
            return [hint._replace(equal=equal or not k) for k, hint in enumerate(work(*args))]

        monkeypatch.setattr(decisions, "ask_hints", replace(decisions.ask_hints, work=alike))
        told = ann.call(f"{table}/hint", seat=0).json()
        assert len(told["hints"]) > 1
        assert ("All the same" in told["html"]) == equal
        assert told["html"].count("% to win") == (1 if equal else len(told["hints"]))
        monkeypatch.undo()


def test_the_first_hints_are_rough_and_the_script_asks_for_better_ones(
    ann: Client, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(decisions, "FIRST_HINT_SECONDS", 0.0)
    table = ann.open(here="", way="bots")
    told = ann.call(f"{table}/hint", seat=0, round=0).json()
    low, high = told["hints"][0]["interval"]
    assert told["better"] == 1
    assert low < told["hints"][0]["chance"] < high
    if "All the same" not in told["html"]:
        assert re.search(r"\d+–\d+% to win", told["html"])
    assert "A better count is on its way." in told["html"]
    last = ann.call(f"{table}/hint", seat=0, round=3).json()
    assert last["better"] is None
    assert "A better count" not in last["html"]
    for wrong in (-1, 4, "x"):
        assert ann.call(f"{table}/hint", seat=0, round=wrong).status_code == 422


def test_without_a_script_the_page_comes_back_with_the_advice(ann: Client):
    table = ann.open(bots="1", hints="1")
    page = ann.send(f"{table}/hint", seat="0")
    assert page.status_code == 200
    first = re.search(r'<button[^>]*form="decide" name="do" value="([^"]+)"', page.text)
    assert first
    assert "%" in page.text
    assert ann.act(table, first[1]).status_code == 200


def test_advice_after_the_steps_one_has_in_mind(ann: Client):
    table = ann.open(game="underworld", bots="1", hints="1")
    data = ann.data(table)
    while "swap" not in [move["do"] for move in data["legal"]]:
        if data["legal"]:
            ann.act(table, data["legal"][-1]["do"])
        else:
            decisions.decide_as_bot(
                ann.app.state.authority, table[3:], 1, data["ply"], their_move(ann, table)
            )
        data = ann.data(table)
    told = ann.call(f"{table}/hint", seat=0, draft="swap").json()["hints"]
    drafted = ann.get(f"{table}.json?draft=swap").json()["legal"]
    assert {hint["do"] for hint in told} <= {move["do"] for move in drafted}


def their_move(client: Client, table: str) -> str:
    live = client.app.state.authority.live(table[3:])
    return str(live.position(1).moves[0].text)


def test_where_it_is_not_agreed_there_is_no_advice(ann: Client):
    table = ann.open(bots="1")
    assert "What would a devil do?" not in ann.page(table).text
    answer = ann.call(f"{table}/hint", seat=0)
    assert answer.status_code == 403
    assert "no hints" in answer.json()["title"]
    assert ann.send(f"{table}/hint", seat=0).status_code == 403


def test_nobody_asks_for_another(ann: Client, bo: Client):
    table = ann.open(open="1", hints="1")
    bo.call(f"{table}/sit", name="Bo")
    assert ann.call(f"{table}/hint", seat=1).status_code == 403
    assert bo.call(f"{table}/hint", seat=0).status_code == 403
    assert bo.call(f"{table}/hint").status_code == 400
    assert bo.call(f"{table}/hint", seat=1, draft="look under the table").status_code == 400


# -- the replay --------------------------------------------------------------------------------


@pytest.fixture
def analyst(authority: Authority) -> Iterator[Analyst]:
    made = Analyst(authority, games=10)
    yield made
    made.stop()


@pytest.fixture
def app(authority: Authority, analyst: Analyst) -> Starlette:
    return create_app(authority, Services(analyst=analyst))


def test_the_replay_follows_the_analysis_and_then_shows_the_curve(
    ann: Client, authority: Authority, analyst: Analyst
):
    table = ann.open(bots="1")
    finish(authority, table)
    page = ann.page(f"{table}/replay?step=3&eyes=all").text
    assert "data-analysing" in page
    assert "http-equiv" in page
    analyst.start()
    for _ in range(1000):
        frame = ann.get(f"{table}/replay?step=3&eyes=all").json()["regions"]["replay-curve"]
        if "data-analysing" not in frame:
            break
        time.sleep(0.02)
    assert frame.count('class="line"') == 2
    found = analyst.look(authority.live(table[3:]))
    for seat in (0, 1):
        assert f"about {of_100(found.chance(3, seat))} of 100<" in frame  # type: ignore[union-attr]
    for who in (0, 1):
        frame = ann.get(f"{table}/replay?step=3&eyes=all&who={who}").json()["regions"][
            "replay-curve"
        ]
        turns = {turn.step: turn.seat for turn in found.turns}  # type: ignore[union-attr]
        own = {step for step, seat in turns.items() if seat == who}
        told = {*map(int, re.findall(r'data-step-to="(\d+)" data-look', frame))}
        assert own <= told <= turns.keys()
        assert len(told) == max(len(own), min(ENOUGH_OWN_POINTS, len(turns))), "others' fill up"
    assert "http-equiv" not in ann.page(f"{table}/replay?step=3&eyes=all").text


def test_each_kind_of_turning_point_is_shown(ann: Client, authority: Authority, analyst: Analyst):
    """Mistakes with what was better; what was hidden then also where nothing was better."""
    table = ann.open(bots="1")
    finish(authority, table)
    live = authority.live(table[3:])
    assert live.match is not None
    movers = tuple(ply.seat for ply in live.plies)
    bets = [k for k, seat in enumerate(movers) if seat == 0 and live.match.at(k).node == "bet"]
    chances = [(1.0 if k >= bets[1] else 0.5, 0.5) for k in range(live.ply)]
    verdicts = (
        Verdict(bets[0] + 1, 0, True, "bet 0", 0.21),
        Verdict(bets[1] + 1, 0, asked=True),
    )
    analyst._keep(live.id, Analysis(400, tuple(chances), movers, verdicts=verdicts))
    page = ann.page(f"{table}/replay?step={bets[0]}&eyes=all").text
    points = page.partition('class="turning-points"')[2].partition("</ol>")[0]
    mistake, turn = points.split("<li")[1:3]
    for text in (
        "it cost about 20 wins in 100",
        "Better: “Stake 0”",
        f'name="step" value="{bets[0]}"',
    ):
        assert text in mistake
        assert text not in turn
    assert "Turning point: it brought about 50 more wins in 100" in turn
    stake = live.plies[bets[1]].events[0].text.removeprefix("bet ")
    assert f"Played: “Stake {stake}”" in turn


NONE = "No step clearly changed anybody’s chances."
NO_OTHER = "No other step clearly changed anybody’s chances."


@pytest.mark.parametrize(("many", "said"), [(0, [NONE]), (1, [NO_OTHER]), (3, [])])
def test_a_match_with_few_turning_points_says_that_there_are_no_more(
    ann: Client, authority: Authority, analyst: Analyst, many: int, said: list[str]
):
    table = ann.open(bots="1")
    finish(authority, table)
    live = authority.live(table[3:])
    movers = tuple(ply.seat for ply in live.plies)
    turns = [k for k, seat in enumerate(movers) if k and seat != CHANCE][:many]
    ups = [sum(k >= turn for turn in turns) % 2 for k in range(live.ply)]
    found = Analysis(400, tuple((0.9, 0.1) if up else (0.1, 0.9) for up in ups), movers)
    assert len(found.turns) == many
    analyst._keep(live.id, found)
    page = ann.page(f"{table}/replay?step=3&eyes=all").text
    assert page.count("data-look") == many
    assert [text for text in (NONE, NO_OTHER) if text in page] == said


def test_anybody_tries_another_way_from_any_step(ann: Client, bo: Client, authority: Authority):
    table = ann.open(bots="1")
    finish(authority, table)
    page = bo.page(f"{table}/replay?step=4&eyes=all").text
    assert "Play on from this step" in page
    answer = bo.send(f"{table}/explore", step="4", seat="1", bot="imp")
    assert answer.status_code == 303
    other = answer.headers["location"]
    data = bo.data(other)
    assert data["own"] == [1]
    assert (data["origin"], data["taken"], data["hints"]) == (table[3:], 4, True)
    assert data["seats"][0]["bot"] == "imp"
    assert data["status"] == "running"
    assert "step 4 of another match" in bo.page(other).text
    assert ann.data(table)["status"] == "over"


def test_no_step_of_a_replay_leads_to_a_game_that_cannot_be_played_on(
    ann: Client, bo: Client, authority: Authority
):
    table = ann.open(bots="1")
    finish(authority, table)
    last = authority.live(table[3:]).ply
    offered = []
    for step in range(1, last + 1):
        part = bo.get(f"{table}/replay?step={step}&eyes=all").json()["regions"]["replay-on"]
        if "Try another way" in part:
            assert hidden(part, f"{table}/explore") == {"step": str(step)}
            offered.append(step)
        else:
            assert "The game is over here." in part
    assert offered == [*range(1, offered[-1] + 1)]
    assert offered[-1] < last
    assert bo.send(f"{table}/explore", step=offered[-1], seat="", bot="").status_code == 303
    assert bo.call(f"{table}/explore", step=offered[-1] + 1, seat="", bot="").status_code == 409


def test_one_plays_on_as_oneself_and_never_for_who_has_resigned(ann: Client, authority: Authority):
    table = ann.open(here="2", bots="1", names="Ann,Bo")
    ann.call(f"{table}/resign", seat=1)
    ann.call(f"{table}/resign", seat=0)
    live = authority.live(table[3:])
    assert [ply.seat for ply in live.plies[-2:]] == [1, 0]
    part = ann.get(f"{table}/replay?step={live.ply - 1}&eyes=all").json()["regions"]["replay-on"]
    chooser = part[part.index('id="explore-seat"') :]
    seats = re.findall(r'<option value="(\d?)"( selected)?', chooser)[:3]
    assert seats == [("", ""), ("0", " selected"), ("2", "")]


def test_a_part_of_a_curve_is_drawn_where_it_will_stand():
    part = Analysis(20, ((0.5, 0.5), (0.6, 0.4)), (0, 1))
    drawn = curve_svg(part, 1, str, steps=9)
    assert 'd="M34.0 93.0L66.0 77.2"' in drawn
    whole = curve_svg(part, 1, str)
    assert len(whole) > len(drawn), "the seats' marks stand where a whole curve ends"
