"""What a replay says of turning points: mistakes with what they cost, luck as luck."""

from pathlib import Path

import pytest

from diablerie.bots.analysis.findings import Analysis, Verdict
from diablerie.engine.text import SeatRef
from diablerie.engine.verbs import CHANCE
from diablerie.table.authority import Authority
from diablerie.table.state.table_state import TableState
from diablerie.table.storage.store import Store
from diablerie.web.routes.replay import remarks
from tests.table.conftest import Clock
from tests.table.test_analysis import played


@pytest.fixture(scope="module")
def live(tmp_path_factory: pytest.TempPathFactory) -> TableState:
    path: Path = tmp_path_factory.mktemp("remarks") / "tables.db"
    return played(Authority(Store(path, durable=False), clock=Clock()))


def said(live: TableState, verdict: Verdict, before: float = 0.8, after: float = 0.4) -> list[str]:
    """What is remarked on a step after which seat 0 has another chance."""
    chances = [(before, 1 - before)] * (verdict.step - 1)
    chances += [(after, 1 - after)] * (live.ply - len(chances))
    found = Analysis(400, tuple(chances), verdicts=(verdict,))
    (turn,) = (one for one in found.turns if one.step == verdict.step)
    return [str(line) for line in remarks(live, found, turn)]


def bet(live: TableState) -> tuple[int, int, str]:
    """The second step at which there was a choice: its number, who decided, what else there was."""
    assert live.match is not None
    for ply in range(2, live.ply):
        before = live.match.at(ply)
        seat = live.match.plies[ply].seat
        if seat >= 0 and len(texts := before.legal(seat)) > 1:
            return ply + 1, seat, texts[0]
    raise AssertionError("there was no choice")


def test_a_mistake_is_told_with_what_the_oberteufel_would_have_done(live: TableState) -> None:
    step, seat, text = bet(live)
    (line,) = said(live, Verdict(step, seat, asked=True, better=text, cost=0.184, luck=0.1))
    position = live.match.at(step - 1)  # type: ignore[union-attr]
    action = position.check(text, seat)
    label = str(live.game.ui.label(position.seen_by(seat), seat, action))
    assert f"“{label}”: player {seat + 1} gave away about 18%" in line


@pytest.mark.parametrize(
    ("luck", "before", "after", "lucky"),
    [
        (-0.3, 0.8, 0.4, True),
        (-0.1, 0.8, 0.4, False),
        (0.3, 0.8, 0.4, False),
        (0.3, 0.4, 0.8, True),
    ],
)
def test_most_of_a_change_is_luck_or_it_is_not(live, luck, before, after, lucky) -> None:
    step, seat, text = bet(live)
    fine = said(live, Verdict(step, seat, asked=True, luck=luck), before, after)
    assert ("Most of this was luck." in fine) == lucky
    assert any("nothing better" in line for line in fine) != lucky
    bad = Verdict(step, seat, asked=True, better=text, cost=0.2, luck=luck)
    assert ("Most of this was luck." in said(live, bad, before, after)) == lucky


def test_where_there_was_no_choice_only_luck_is_told(live: TableState) -> None:
    assert said(live, Verdict(5, CHANCE, luck=-0.4)) == ["Most of this was luck."]
    assert said(live, Verdict(5, 0)) == []


def test_names_are_filled_in_by_who_shows_it(live: TableState) -> None:
    step, seat, _ = bet(live)
    found = Analysis(400, ((0.9, 0.1),) * (step - 1) + ((0.1, 0.9),) * (live.ply - step + 1),
                     verdicts=(Verdict(step, seat, asked=True),))  # fmt: skip
    (line,) = remarks(live, found, found.turns[0])
    assert line.values["who"] == SeatRef(seat)
