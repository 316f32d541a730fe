"""What a game may write to: its own state where it changes it, and no more than it is given."""

from collections.abc import Callable

import numpy as np

from diablerie.engine import verbs
from diablerie.engine.record import Record, copy, same
from diablerie.engine.rng import seeded
from diablerie.engine.verbs import CHANCE, OVER
from diablerie.testing.buffers import GuardedBuffer, GuardedRecord, checked_chance, checked_legal
from diablerie.testing.positions import GameSetting, node_states, viewers, waiting
from diablerie.values.observation import ObservationLayout

ACTIONS_TRIED = 3  # of the actions and outcomes of a position


def test_nothing_is_written_beyond_a_buffer(setting: GameSetting) -> None:
    """Lists of actions, outcomes, probabilities, returns, values, observations."""
    layout = ObservationLayout(setting.game, setting.seats)
    for s in node_states(setting):
        for seat in waiting(setting, s):
            checked_legal(setting.game, s, seat)
        if verbs.actor(s) == CHANCE:
            checked_chance(setting.game, s)
        for verb in [verbs.value] + [verbs.returns] * (verbs.actor(s) == OVER):
            out = GuardedBuffer(setting.seats, np.float64)
            verb(s, out.inner)
            out.check(verb.__name__)
        for seat in range(setting.seats):
            _observed(layout, s, seat)


def test_nothing_is_written_beyond_the_record(setting: GameSetting) -> None:
    for s in node_states(setting):
        for who, what in _acts(setting, s):
            _written(verbs.apply, s, who, what)
        for viewer in viewers(setting):
            _written(verbs.guess, _written(verbs.redact, s, viewer), viewer, seeded(3))


def test_a_question_does_not_change_the_position(setting: GameSetting) -> None:
    """All verbs but apply, redact and guess leave the record as it is."""
    out = np.empty(verbs.SEATS)
    for s in node_states(setting):
        kept = copy(s)
        verbs.actor(s), verbs.pending(s), verbs.witness(s), verbs.value(s, out)
        for seat in waiting(setting, s):
            checked_legal(setting.game, s, seat)
            verbs.forbids(s, seat, setting.game.actions - 1)
            verbs.advise(s, seat, seeded(3))
        if verbs.actor(s) == CHANCE:
            checked_chance(setting.game, s)
        if verbs.actor(s) == OVER:
            verbs.returns(s, out)
        assert same(s, kept)


def _observed(layout: ObservationLayout, s: Record, seat: int) -> None:
    """Write an observation between guarded entries; what goes round has to be there as it was.

    Raises AssertionError, also where a rotation reads beyond a field, or a number is outside its
    range (`Features.ranges`).
    """
    seen = copy(s)
    entries = GuardedBuffer(layout.size, np.float32)
    verbs.redact(seen, seat)
    layout.write(seen, seat, entries.inner)
    entries.check("the observation")
    for plane in layout.planes:
        there = entries.inner[plane.start : plane.start + plane.size]
        within = (
            plane.low <= there.min(initial=plane.low) and there.max(initial=plane.low) <= plane.high
        )
        assert within, f"{plane.name} leaves its range, {plane.low:g} to {plane.high:g}"
    for plane in layout.planes[1:]:
        if plane.name not in layout.features.by_seat | layout.features.by_place.keys():
            continue
        field = np.ravel(getattr(seen, plane.name))
        there = entries.inner[plane.start : plane.start + plane.size]
        numbers = layout.features.seats | layout.features.places  # which go round themselves
        if len(field) == len(there) and plane.name not in numbers:
            assert sorted(field) == sorted(there), f"an observation reads beyond {plane.name}"


def _acts(setting: GameSetting, s: Record) -> list[tuple[int, int]]:
    """A few of the things that may happen, the first and the last among them: (who, what)."""
    if verbs.actor(s) == CHANCE:
        outcomes = checked_chance(setting.game, s)[0]
        return [(CHANCE, what) for what in _few(outcomes)]
    return [
        (seat, what)
        for seat in waiting(setting, s)
        for what in _few(checked_legal(setting.game, s, seat))
    ]


def _few(things: list[int]) -> list[int]:
    return sorted(
        {
            things[round(i * (len(things) - 1) / (ACTIONS_TRIED - 1))]
            for i in range(ACTIONS_TRIED)
            if things
        }
    )


def _written(verb: Callable[..., None], s: Record, *rest: object) -> Record:
    """The state as the verb leaves it. Raises AssertionError if it writes beyond it."""
    guarded = GuardedRecord(s)
    verb(guarded.state, *rest)
    guarded.check(verb.__name__)
    return copy(guarded.state)
