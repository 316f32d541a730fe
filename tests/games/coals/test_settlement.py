"""How a settlement is told: stakes, the double, the most coal, the most pieces (C17 to C19)."""

import xml.etree.ElementTree as ET
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

import diablerie
from diablerie.engine.match import Match
from diablerie.engine.record import Record
from diablerie.engine.text import Line
from diablerie.engine.verbs import EVERYTHING
from diablerie.games.coals.ui.drawing import draw
from diablerie.games.coals.ui.log import settlement
from diablerie.games.coals.ui.view import look

GOLDEN = sorted((Path(__file__).parent / "golden").glob("*.jsonl"))


def settled(match: Match) -> list[Record]:
    """The position after each round."""
    steps = [step.state for step in match.steps(EVERYTHING)]
    over = [after for before, after in pairwise(steps)
            if after.rounds > before.rounds or (after.node, before.node) == (4, 2)]  # fmt: skip
    return [s for s in over if s.last_stake[0] >= 0]


def change(line: Line) -> int:
    """What a sentence says that its player has got, or lost."""
    values = line.values
    lost = values.get("won", 0) == -values.get("stake", 1)
    return -values["stake"] if lost else values.get("won", values.get("paid"))


@pytest.mark.parametrize("file", GOLDEN, ids=lambda f: f.stem)
def test_the_steps_of_a_settlement_add_up_to_what_was_won(file: Path):
    match = diablerie.load(file)
    rounds = settled(match)
    assert len(rounds) > 3
    for s in rounds:
        told = np.zeros(len(s.gain), int)
        for line in settlement(s):
            told[line.values["who"]] += change(line)
        assert told.tolist() == s.gain.tolist()


def test_the_double_and_the_bonuses_are_told_with_their_clause():
    match = diablerie.load(GOLDEN[0])
    told = [str(line) + line.clause for s in settled(match) for line in settlement(s)]
    assert any("was the highest stake and pays double" in t and t.endswith("C18") for t in told)
    assert any("too high and is lost" in t and t.endswith("C17") for t in told)
    assert any("50 for the most coal.C19" in t for t in told)
    assert any("50 for the most pieces.C19" in t for t in told)


@pytest.mark.parametrize("file", GOLDEN[:2], ids=lambda f: f.stem)
def test_the_board_tells_the_steps_one_after_the_other_and_they_add_up(file: Path):
    for s in settled(diablerie.load(file)):
        view = look(s, EVERYTHING)
        sums = [own.paid + own.most_coal + own.most_pieces for own in view.last]
        assert sums == [own.gain for own in view.last]
        root = ET.fromstring(draw(view, [], str))
        shown = [el for el in root.iter() if el.get("data-beat")]
        delays = {int(el.get("data-beat")): int(el.get("data-delay")) for el in shown}
        assert sorted(delays.values()) == [delays[beat] for beat in sorted(delays)]
        assert all(b - a >= 1000 for a, b in pairwise(sorted(delays.values())))
        if not view.over:
            gains = [el.text for el in root.iter() if (el.get("id") or "").startswith("coals-gain")]
            assert len(gains) == len(view.seats)
        words = [el.text for el in root.iter() if el.get("class") == "slate-text"]
        assert words[0] == f"Stakes up to {max(own.coal for own in view.last)} are paid"
        assert ("The highest stake pays double" in words) == any(o.double for o in view.last)
