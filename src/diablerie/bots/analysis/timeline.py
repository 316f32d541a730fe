"""The timeline of a match: its positions with nothing hidden, and its decisions."""

from collections.abc import Iterator
from typing import NamedTuple

from diablerie.engine import verbs
from diablerie.engine.game import Game
from diablerie.engine.match import Match
from diablerie.engine.plies import Ply, PlyKind
from diablerie.engine.queries import legal_actions, redacted
from diablerie.engine.record import Record, copy
from diablerie.engine.replay import number_of
from diablerie.engine.rng import seeded
from diablerie.engine.verbs import CHANCE, EVERYTHING

DRAWS = 24  # how often the advice is drawn; if all are equal, it counts as deterministic


class PlayedDecision(NamedTuple):
    """A decision where there was a choice.

    ply: from 0; seen: what the seat knew; advised: whether the game's advice might
    be the same; after: the position before chance came into it, None where it did not.
    """

    ply: int
    seat: int
    seen: Record
    action: int
    advised: bool
    after: Record | None


class Story(NamedTuple):
    """The timeline of a match.

    states: after each ply. same: by ply, the first ply (from 0) whose position has the same win
    chances, since between the two every player did what the advice says. fated: the plies (from 0)
    at which only dice decided. movers: by ply, the seat that decided, else CHANCE. ended: 1 for the
    seats that won a match which others resigned, else 0; None for a match that was played to its
    end, or is not over.
    """

    game: Game
    states: list[Record]
    same: list[int]
    decisions: list[PlayedDecision]
    fated: frozenset[int]
    movers: tuple[int, ...]
    ended: tuple[float, ...] | None


def story(match: Match) -> Story:
    """The timeline of a match."""
    states = [step.state for step in match.steps(EVERYTHING)]
    same: list[int] = []
    decisions = []
    fated = set()
    for index, ply in enumerate(match.plies):
        move = decided(match.game, states[index - 1], ply, index) if index else None
        if move and move.decision:
            decisions.append(move.decision)
        elif move and len(ply.events) > 1:
            fated.add(index)
        same.append(_same(same, ply, bound=move is not None and move.bound))
    over = verbs.actor(match.state) == verbs.OVER
    ended = None if over or not match.over else tuple(float(x > 0) for x in match.returns())
    movers = tuple(mover(ply) for ply in match.plies)
    return Story(match.game, states, same, decisions, frozenset(fated), movers, ended)


def mover(ply: Ply) -> int:
    """The seat that decided at a ply; CHANCE if the ply is no move of a seat."""
    return ply.events[0].seat if ply.kind is PlyKind.MOVE and ply.events else CHANCE


def _same(before: list[int], ply: Ply, *, bound: bool) -> int:
    here = len(before)
    if ply.kind is PlyKind.TAKE_BACK:
        return before[ply.to - 1] if ply.to else here
    if here and (bound or ply.kind is not PlyKind.MOVE):
        return before[-1]
    return here


class Decided(NamedTuple):
    """A move of a seat.

    decision: None where only one action was legal; bound: whether the advice is always this move.
    """

    decision: PlayedDecision | None
    bound: bool


def decided(game: Game, before: Record, ply: Ply, index: int) -> Decided | None:
    """The move at a ply, None if the ply is no move of a seat."""
    seat = mover(ply)
    chancy = len(ply.events) > 1
    if seat == CHANCE:
        return None
    action = number_of(game, before, ply.events[0])
    seen = redacted(before, seat)
    if len(legal_actions(game, before, seat)) == 1:
        return Decided(None, not chancy)
    drawn = [advice == action for advice in advices(seen, seat, index)]
    after = None
    if chancy:
        after = copy(before)
        verbs.apply(after, seat, action)
    decision = PlayedDecision(index, seat, seen, action, any(drawn), after)
    bound = all(drawn) and not chancy and verbs.actor(before) == seat
    return Decided(decision, bound)


def advices(seen: Record, seat: int, seed: int) -> Iterator[int]:
    """Yield the game's advice `DRAWS` times: it may be random."""
    rng = seeded(seed)
    for _ in range(DRAWS):
        yield verbs.advise(copy(seen), seat, rng)
