"""Who tells a ply gets what the viewer may know of it, and nothing else."""

from collections.abc import Iterator
from typing import Any

import pytest

from diablerie.engine.fair import DiceStream
from diablerie.engine.match import Match
from diablerie.engine.queries import redacted
from diablerie.engine.verbs import CHANCE, EVERYTHING, WATCHER
from diablerie.games import ALL

Told = list[tuple[bytes, int, int | None, bytes, int]]


@pytest.fixture
def told(monkeypatch: pytest.MonkeyPatch) -> Told:
    """What COALS' storyteller is given, instead of telling it."""
    heard: Told = []

    def narrate(before: Any, seat: int, action: int | None, after: Any, viewer: int) -> list[Any]:
        heard.append((before.tobytes(), seat, action, after.tobytes(), viewer))
        return []

    monkeypatch.setattr(ALL["coals"].ui, "narrate", narrate)
    return heard


def stakes() -> Iterator[Match]:
    """Two players of COALS have staked, the third has not."""
    match = Match.new(ALL["coals"], seats=3, fair=DiceStream.seeded(1))
    for seat, stake in ((0, 50), (1, 70)):
        match.play(f"bet {stake}", seat)
        yield match


@pytest.mark.parametrize("viewer", [WATCHER, 0, 2])
def test_records_before_and_after_are_redacted_for_the_viewer(told: Told, viewer: int) -> None:
    before, after = (redacted(match.state, viewer) for match in stakes())
    match = list(stakes())[-1]
    list(match.steps(viewer))
    seen = [(one[0], one[3]) for one in told if one[1] == 1]
    assert seen == [(before.tobytes(), after.tobytes())]
    assert after.tobytes() != match.state.tobytes()


def test_a_decision_is_told_to_whom_has_seen_it_and_else_only_that_there_was_one(
    told: Told,
) -> None:
    match = list(stakes())[-1]
    for viewer, knows in ((WATCHER, []), (0, [0]), (1, [1]), (2, []), (EVERYTHING, [0, 1])):
        told.clear()
        list(match.steps(viewer))
        decided = [one for one in told if one[1] != CHANCE]
        assert [seat for _, seat, *_ in decided] == [0, 1]
        assert [seat for _, seat, action, *_ in decided if action is not None] == knows
        eyes = WATCHER if viewer == EVERYTHING else viewer
        assert {one[4] for one in told} == {eyes}
