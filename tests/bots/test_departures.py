"""What leaving the advice is worth is counted against the advice itself, with the same luck."""

import numpy as np
import pytest
from bench import departures

from diablerie.bots.searcher import HAND
from diablerie.games import ALL


def test_only_departures_gain_or_lose(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(departures, "ITERATIONS", 60)
    monkeypatch.setattr(departures, "ROUNDS", 2)
    found = departures.departures(ALL["underworld"], HAND, 12)
    assert list(found) == list(departures.DOUBTS)
    left = [int((~np.isnan(gains)).sum()) for gains in found.values()]
    assert left == sorted(left)  # the less it doubts the oftener
    assert 0 < left[-1] < 12
    assert all(np.nanmax(np.abs(gains), initial=0.0) <= 2 for gains in found.values())
    surest = departures.departures(ALL["underworld"], HAND, 3)
    assert [list(surest[d]) for d in departures.DOUBTS] == [
        pytest.approx(list(found[d][:3]), nan_ok=True) for d in departures.DOUBTS
    ]
