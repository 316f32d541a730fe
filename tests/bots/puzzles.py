"""Puzzles found by the engine itself: one action decides the game, the others do not.

A puzzle is a state of an advised or random game in which some actions of the seat to decide end
the game at once with its win (or its defeat) whatever it cannot know, and others do not.
"""

from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

import numpy as np

from diablerie.bots.rollouts import Rollouts
from diablerie.engine import verbs
from diablerie.engine.game import Game
from diablerie.engine.queries import chance_outcomes, guessed, legal_actions, redacted
from diablerie.engine.record import Record, copy
from diablerie.engine.rng import seeded
from diablerie.games import ALL
from diablerie.games.kitchen.rules.state import LOST, MILK, SIGNS, colour_of
from diablerie.testing.positions import GameSetting, choose_action

GUESSES = 6
GAMES = 60


class Puzzle(NamedTuple):
    """A state, who is to decide, and the actions that solve it."""

    game: Game
    state: Record
    seat: int
    solutions: frozenset[int]


def ending(game: Game, s: Record, seat: int, action: int) -> float | None:
    """The return of `seat` if this action ends the game with the same return in any case."""
    found = set()
    for seed in range(GUESSES):
        whole = guessed(s, seat, seeded(seed))
        verbs.apply(whole, seat, action)
        found |= set(endings(game, whole, seat))
        if None in found or len(found) > 1:
            return None
    return found.pop() if len(found) == 1 else None


def endings(game: Game, s: Record, seat: int) -> Iterator[float | None]:
    """The returns after all outcomes that may follow at once; None where the game goes on."""
    who = verbs.actor(s)
    if who == verbs.OVER:
        worth = np.zeros(6)
        verbs.returns(s, worth)
        yield float(worth[seat])
    elif who == verbs.CHANCE:
        for outcome in chance_outcomes(game, s)[0]:
            yield from endings(game, after(s, who, outcome), seat)
    else:
        yield None


def lets_win(game: Game, s: Record, seat: int, action: int) -> bool:
    """Whether after this action the next to decide can end the game against `seat`, in any case."""
    for seed in range(GUESSES):
        whole = guessed(s, seat, seeded(seed))
        if not all(beaten(game, t, seat) for t in settled(game, after(whole, seat, action))):
            return False
    return True


def beaten(game: Game, s: Record, seat: int) -> bool:
    """Whether another seat is to decide and has an action that ends the game against `seat`."""
    who = verbs.actor(s)
    if who in (seat, verbs.OVER):
        return False
    replies = (after(s, who, action) for action in legal_actions(game, s, who))
    return any(all(end is not None and end < 0 for end in endings(game, t, seat)) for t in replies)


def settled(game: Game, s: Record) -> Iterator[Record]:
    """The decisions, or ends, that chance may lead to from here."""
    if verbs.actor(s) != verbs.CHANCE:
        yield s
        return
    for outcome in chance_outcomes(game, s)[0]:
        yield from settled(game, after(s, verbs.CHANCE, outcome))


def after(s: Record, who: int, move: int) -> Record:
    """The state after a decision or outcome."""
    moved = copy(s)
    verbs.apply(moved, who, move)
    return moved


@cache
def threats(name: str, games: int) -> tuple[Puzzle, ...]:
    """Positions of advised games where some actions let the next one win at once.

    After them all is lost, and after another one has as good a chance as the other.
    """
    found = []
    for seed in range(games):
        for s, who in decisions(name, seed, careless=False):
            puzzle = threat(ALL[name], s, who)
            if puzzle:
                found.append(puzzle)
    return tuple(found)


def threat(game: Game, s: Record, seat: int) -> Puzzle | None:
    """This state as such a puzzle, if it is one."""
    possible = legal_actions(game, s, seat)
    fatal = {action for action in possible if lets_win(game, s, seat, action)}
    if not fatal or len(fatal) == len(possible):
        return None
    rollouts, seen = Rollouts(game), redacted(s, seat)
    chance = {a: rollouts.chances(seen, seeded(1), 50, seat, a)[seat] for a in possible}
    best = max(chance[action] for action in set(possible) - fatal)
    if best < 0.5 or any(chance[action] for action in fatal):
        return None
    return Puzzle(game, s, seat, frozenset(set(possible) - fatal))


@cache
def puzzles(name: str, sign: int, count: int = 3) -> tuple[Puzzle, ...]:
    """Positions of a game with an action that wins (sign 1) or loses (-1) at once."""
    found: list[Puzzle] = []
    for seed in range(GAMES):
        last = None
        for s, who in decisions(name, seed):
            last = puzzle(ALL[name], s, who, sign) or last
        if last:
            found.append(last)
        if len(found) == count:
            break
    return tuple(found)


def served_milk() -> Puzzle:
    """KITCHEN: a cook with one devil left stands beside the own grill with the own milk."""
    game = ALL["kitchen"]
    for s, seat in (d for seed in range(GAMES) for d in decisions("kitchen", seed)):
        c = colour_of(s, seat)
        s.devil[c, 1:], s.cap[c] = LOST, 0
        for pot in range(SIGNS * c, SIGNS * (c + 1)):
            milk = next(p for p in range(SIGNS * c, SIGNS * (c + 1)) if s.card[p] == MILK)
            s.card[milk], s.card[pot] = s.card[pot], MILK
            found = puzzle(game, s, seat, -1)
            if found:
                return found
    raise AssertionError("no such position")


def decisions(name: str, seed: int, careless: bool = True) -> Iterator[tuple[Record, int]]:
    """The last decisions of an advised game, in which a careless seat plays at random."""
    game, rng, kept = ALL[name], seeded(seed), []
    s = GameSetting(name, 2).start()
    while verbs.actor(s) != verbs.OVER:
        who = verbs.actor(s)
        if who >= 0:
            kept = [*kept[-11:], (copy(s), who)]
        verbs.apply(s, *choose_action(game, s, rng, not careless or who != seed % 2))
    return iter(kept)


def puzzle(game: Game, s: Record, seat: int, sign: int) -> Puzzle | None:
    """This state as a puzzle, if it is one."""
    possible = legal_actions(game, s, seat)
    if len(possible) < 2:
        return None
    ends = {action: ending(game, s, seat, action) for action in possible}
    decided = {action for action, end in ends.items() if end is not None and end * sign > 0}
    solutions = decided if sign > 0 else set(possible) - decided
    if decided and len(decided) < len(possible):
        return Puzzle(game, s, seat, frozenset(solutions))
    return None
