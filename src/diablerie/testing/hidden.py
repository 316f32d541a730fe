"""What is hidden from viewers at positions of a setting, as guessed, and as it could be instead."""

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from itertools import chain
from typing import NamedTuple

import numpy as np

from diablerie.engine import verbs
from diablerie.engine.compile import Records
from diablerie.engine.queries import redacted, sees
from diablerie.engine.record import Record, copy, same
from diablerie.engine.rng import Rng, below, seeded
from diablerie.engine.verbs import CHANCE, OVER, WATCHER
from diablerie.testing.buffers import checked_chance, checked_legal
from diablerie.testing.positions import (
    GameSetting,
    PlaceInGame,
    choose_action,
    places_by_node,
    played_games,
    viewers,
)

SPREAD_PLACES = 20  # places of a game, beside those of every node
SECRET_PLACES = 8  # places of a game just after something that not all have seen
GUESSES_A_PLACE = 2  # at each place, for each viewer from whom something is hidden
STEPS_BACK = 60  # steps back, for what could have happened instead
JOINT_CHANGES = 60  # times it is tried to change several steps together
STARTS_TRIED = 400  # of each setting, where something is hidden before anybody decides


class Entry(NamedTuple):
    """What a viewer gets to see of a place, and a guess."""

    place: PlaceInGame
    viewer: int
    seen: Record
    guess: Record


class Sample(NamedTuple):
    """The entries of a setting; and their truth, what is seen and guessed, as structured arrays."""

    entries: list[Entry]
    truth: Records
    seen: Records
    guess: Records

    def of(self, field: str) -> tuple[Records, Records, Records]:
        """The truth, what is seen, and what is guessed of a field, each (entries, size)."""
        three = (self.truth, self.seen, self.guess)
        truth, seen, guess = (np.reshape(one[field], (len(one), -1)) for one in three)
        return truth, seen, guess


def stacked(states: Sequence[Record]) -> Records:
    """States as one structured array."""
    return np.frombuffer(b"".join(bytes(s.data) for s in states), states[0].dtype)


@cache
def hidden_sample(setting: GameSetting) -> Sample | None:
    """What is hidden at places of every node and throughout the played games, None if nothing."""
    rng = seeded(11)
    entries = []
    for place in _places(setting):
        for viewer in viewers(setting):
            seen = redacted(place.state, viewer)
            if not same(seen, place.state):
                for _ in range(GUESSES_A_PLACE):
                    entries.append(Entry(place, viewer, seen, _guess(seen, viewer, rng)))
    if not entries:
        return None
    truths = [entry.place.state for entry in entries]
    lists = truths, [entry.seen for entry in entries], [entry.guess for entry in entries]
    return Sample(entries, *map(stacked, lists))


def _places(setting: GameSetting) -> Iterator[PlaceInGame]:
    yield from chain(*places_by_node(setting).values())
    for game in played_games(setting):
        for i in range(0, len(game.states), max(1, len(game.states) // SPREAD_PLACES)):
            yield PlaceInGame(game, i)
        secret = [i for i in range(len(game.acts)) if not sees(game.states[i], OVER, WATCHER)]
        for i in secret[:: max(1, len(secret) // SECRET_PLACES)]:
            yield PlaceInGame(game, i + 1)


def _guess(seen: Record, viewer: int, rng: Rng) -> Record:
    guess: Record = copy(seen)
    verbs.guess(guess, viewer, rng)
    return guess


# -- what could have happened instead ----------------------------------------------------------


def unseen_steps(place: PlaceInGame, viewer: int) -> list[int]:
    """The steps, by number, that `viewer` has not seen since everything was last open to it.

    None if that was more than `STEPS_BACK` steps ago.
    """
    found = []
    for i in range(place.step - 1, max(0, place.step - STEPS_BACK) - 1, -1):
        s = place.game.states[i]
        if not sees(s, place.game.acts[i][0], viewer):
            found.append(i)
        if same(redacted(s, viewer), s):
            return found[::-1]
    return []


def look_alikes(setting: GameSetting, place: PlaceInGame, viewer: int) -> Iterator[Record]:
    """True states that look to `viewer` as this one does: other things happened unseen.

    First each of the last steps alone is replaced by all that was possible, then several at once.
    """
    seen = redacted(place.state, viewer)
    unseen = unseen_steps(place, viewer)
    rng = seeded(17)
    for i in reversed(unseen):
        for other in _possible(setting, place.game.states[i], place.game.acts[i][0]):
            end = _replayed(setting, place, i, {i: other}, rng)
            if end is not None and same(redacted(end, viewer), seen):
                yield end
    for _ in range(JOINT_CHANGES * (len(unseen) > 1)):
        changed = unseen[below(rng, len(unseen) - 1) :]
        end = _replayed(setting, place, changed[0], dict.fromkeys(changed), rng)
        if end is not None and same(redacted(end, viewer), seen):
            yield end


def _possible(setting: GameSetting, s: Record, who: int) -> list[int]:
    if who == CHANCE:
        return checked_chance(setting.game, s)[0]
    return checked_legal(setting.game, s, who)


def _replayed(
    setting: GameSetting,
    place: PlaceInGame,
    start: int,
    instead: Mapping[int, int | None],
    rng: Rng,
) -> Record | None:
    """The state at the end of a game that went otherwise; None if that is against the rules.

    instead: by step what happens there, None if any that is possible.
    """
    s: Record = copy(place.game.states[start])
    for i in range(start, place.step):
        who, what = place.game.acts[i]
        possible = _possible(setting, s, who) if verbs.actor(s) != OVER else []
        if i in instead and possible:
            other = instead[i]
            what = possible[below(rng, len(possible))] if other is None else other
        # What happened instead may make impossible what came later.
        if what not in possible:
            return None
        verbs.apply(s, who, what)
    return s


# -- where nobody has decided yet ------------------------------------------------------------


def undecided(setting: GameSetting) -> Iterator[tuple[Record, list[int]]]:
    """Positions with what is hidden by chance alone, and the viewers from whom it is hidden.

    Everything was open to these viewers, then only chance acted: what they cannot see is as likely
    as the chances say.
    """
    rng = seeded(23)
    for _ in range(STARTS_TRIED):
        s = setting.start()
        while verbs.actor(s) == CHANCE:
            verbs.apply(s, *choose_action(setting.game, s, rng, False))
        if blind := [v for v in viewers(setting) if not same(redacted(s, v), s)]:
            yield s, blind
        else:
            break
    for game in played_games(setting):
        yield from _undecided(setting, game.states, [who for who, _ in game.acts])


def _undecided(
    setting: GameSetting, states: Sequence[Record], acted: list[int]
) -> Iterator[tuple[Record, list[int]]]:
    start = None
    for i, who in enumerate([*acted, OVER]):
        if who == CHANCE and start is None:
            start = i
        elif who != CHANCE and start is not None:
            blind = [
                v
                for v in viewers(setting)
                if same(redacted(states[start], v), states[start])
                and not same(redacted(states[i], v), states[i])
            ]
            if blind:
                yield states[i], blind
            start = None
