"""Looks for decisions of a match where one action may be clearly the best, cheaply."""

import random
from collections import defaultdict
from collections.abc import Iterator
from itertools import islice, zip_longest
from typing import NamedTuple

import numpy as np

from diablerie.bots.levels import LEVELS, Level
from diablerie.bots.noisy_one_ply import FallibleBot
from diablerie.engine.game import Game
from diablerie.engine.match import Match
from diablerie.engine.queries import legal_actions, redacted
from diablerie.engine.record import Record
from diablerie.engine.rng import seeded
from diablerie.engine.verbs import CHANCE
from diablerie.lab.running.matches import replayed
from diablerie.lab.running.settings import seed_for
from tools.daily.promises import kind_of

# Chosen by hand, for many finds in an hour of two cores.
LOOKED = 240  # decisions of a match that are looked at, spread evenly
# of them that are played out, at most; and of one kind
TAKEN = 6
ALIKE = 3
CLOSE = 0.1  # a smaller lead of the return (-1 to 1) at the first look is given up
# legal actions; a person cannot weigh more
FEWEST = 3
MOST = 40
TRIES = 8  # how often each level that does not search is asked
QUICK: tuple[Level, ...] = tuple(level for level in LEVELS if not level.iterations)


class Candidate(NamedTuple):
    """A decision that may make a challenge.

    place: of its event in the match; seen: what the seat knows; actions: all that are legal;
    lead: that of the best at the first look; choices: of each quick level, of each of its tries.
    """

    place: int
    seat: int
    seen: Record
    actions: tuple[int, ...]
    lead: float = 0.0
    choices: tuple[tuple[int, ...], ...] = ()


def candidates(match: Match, seed: int) -> list[Candidate]:
    """The most promising decisions of a match: kinds of decisions in turn, by lead in each."""
    looked = list(decisions(match))
    step = max(1, -(-len(looked) // LOOKED))
    bot = FallibleBot(match.game, match.game.levels[-1])
    led = [_led(bot, one, seed) for one in looked[::step]]
    clear = sorted((one for one in led if one.lead >= CLOSE), key=lambda one: -one.lead)
    asked = (_asked(match.game, one, seed) for one in clear)
    return _in_turns(match.game, [one for one in asked if disputed(one)], seed)


def decisions(match: Match) -> Iterator[Candidate]:
    """The decisions of a match that offer enough actions, and not too many.

    Two are enough only for a kind of decision that offers no more in the whole match, such as to
    go on or to stop.
    """
    found = []
    most = defaultdict[str, int](int)
    for place, (s, seat, _) in enumerate(replayed(match)):
        if seat != CHANCE:
            actions = tuple(legal_actions(match.game, s, seat))
            kind = kind_of(match.game, s)
            most[kind] = max(most[kind], len(actions))
            if 1 < len(actions) <= MOST:
                found.append((kind, Candidate(place, seat, redacted(s, seat), actions)))
    return (one for kind, one in found if len(one.actions) >= min(FEWEST, most[kind]))


def disputed(one: Candidate) -> bool:
    """Whether the quick levels do not all prefer the same action."""
    return len({max(set(made), key=made.count) for made in one.choices}) > 1


def _led(bot: FallibleBot, one: Candidate, seed: int) -> Candidate:
    luck = seeded(seed_for(seed, "look", one.place))
    _, worth = bot.judge(one.seen, one.seat, luck)
    second, best = np.sort(worth)[-2:]
    return one._replace(lead=float(best - second))


def _asked(game: Game, one: Candidate, seed: int) -> Candidate:
    choices = (choices_of(game, level, one, seed, TRIES) for level in QUICK)
    return one._replace(choices=tuple(choices))


def choices_of(game: Game, level: Level, one: Candidate, seed: int, tries: int) -> tuple[int, ...]:
    """What a level chooses there, each time with another generator."""
    lucks = (seeded(seed_for(seed, level.name, one.place, k)) for k in range(tries))
    return tuple(level.make(game).choose(one.seen.copy(), one.seat, luck) for luck in lucks)


def _in_turns(game: Game, ranked: list[Candidate], seed: int) -> list[Candidate]:
    """The first few: the first of each kind of decision, then the second of each, and so on."""
    kinds = sorted({kind_of(game, one.seen) for one in ranked})
    random.Random(seed).shuffle(kinds)
    each = []
    for kind in kinds:
        each.append([one for one in ranked if kind_of(game, one.seen) == kind][:ALIKE])
    rounds = (one for some in zip_longest(*each) for one in some if one)
    return list(islice(rounds, TAKEN))
