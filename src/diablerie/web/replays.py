"""Replays: a finished match at one of its plies, through the eyes of a seat or all open."""

from typing import NamedTuple

from diablerie.engine.asking import redacted
from diablerie.engine.match import Match, Step, narrate, told
from diablerie.engine.record import Record, copy
from diablerie.engine.text import Line
from diablerie.engine.verbs import CHANCE, WATCHER
from diablerie.table.live import Live, Ply
from diablerie.table.logbook import untold


class Moment(NamedTuple):
    """The position after a ply, and what that ply's sentences are."""

    record: Record
    lines: list[Line]


def moment(live: Live, step: int, eyes: int) -> Moment:
    """The match after its first `step` plies; to WATCHER all is open, for the match is over."""
    match = untold(live)
    for ply in live.plies[: step - 1]:
        for event in ply.events:
            match.apply(event)
    steps = _played(match, live.plies[step - 1])
    lines = [line for one in steps for line in _told(match, one, eyes)]
    after = copy(match.state) if eyes == WATCHER else redacted(match.state, eyes)
    return Moment(after, lines)


def _played(match: Match, ply: Ply) -> list[Step]:
    """Play a ply; its events with the states around them."""
    steps = []
    for event in ply.events:
        before = copy(match.state)
        parse = match.game.notation.parse_action
        if event.seat == CHANCE:
            action = match.game.notation.parse_outcome(before, event.text)
        else:
            action = parse(before, event.seat, event.text)
        match.apply(event)
        steps.append(Step(before, event.seat, action, copy(match.state)))
    return steps


def _told(match: Match, step: Step, eyes: int) -> list[Line]:
    return told(match.game, step) if eyes == WATCHER else narrate(match.game, step, eyes)
