"""What a guess has to be: complete, possible, and of everything that is possible."""

from collections import defaultdict
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from diablerie.engine import verbs
from diablerie.engine.queries import redacted
from diablerie.engine.record import Record, copy, same
from diablerie.engine.rng import seeded
from diablerie.games import ALL
from diablerie.testing.positions import GameSetting, all_settings, by_node, states_of_game, viewers

GUESSES = 4  # at each position, for each viewer from whom something is hidden


class Hidden(NamedTuple):
    """The entries of a field that are blank or guessed: their truth, as seen, as guessed."""

    field: str
    truth: NDArray[Any]
    seen: NDArray[Any]
    guess: NDArray[Any]


def hidden(setting: GameSetting) -> Iterator[Hidden]:
    """What is hidden at positions of every node, field by field, and guessed anew."""
    rng = seeded(11)
    for s in (one for found in by_node(setting).values() for one in found):
        for viewer in viewers(setting):
            seen = redacted(s, viewer)
            if same(seen, s):
                continue
            for _ in range(GUESSES):
                guess = copy(seen)
                verbs.guess(guess, viewer, rng)
                yield from _fields(s, seen, guess)


def _fields(s: Record, seen: Record, guess: Record) -> Iterator[Hidden]:
    for name in s.declared:
        true, shown, tried = (np.ravel(getattr(one, name)) for one in (s, seen, guess))
        blank = (true != shown) | (tried != shown)
        if blank.any():
            yield Hidden(name, true[blank], shown[blank], tried[blank])


def test_a_guess_leaves_nothing_blank(setting: GameSetting) -> None:
    """What redaction writes and no true state holds is found in no guess; but see `unguessed`."""
    truths: dict[str, set[Any]] = defaultdict(set)
    for advised in (False, True):
        for s in states_of_game(setting, 1, advised):
            for name in s.declared:
                truths[name].update(np.ravel(getattr(s, name)).tolist())
    blanks: dict[str, set[Any]] = defaultdict(set)
    for found in hidden(setting):
        blanks[found.field].update(found.guess[found.guess == found.seen].tolist())
    left = {name for name, there in blanks.items() if there - truths[name]}
    assert left <= setting.game.unguessed


def test_the_truth_is_among_the_guesses_and_not_alone(name: str) -> None:
    """Field by field: what is guessed varies where the truth does, and meets it now and then."""
    true, tried = defaultdict(set), defaultdict(set)
    met: dict[str, int] = defaultdict(int)
    for field, truth, _, guess in (one for at in all_settings([name]) for one in hidden(at)):
        true[field].update(truth.tolist())
        tried[field].update(guess.tolist())
        met[field] += int((truth == guess).sum())
    for field in set(true) - ALL[name].unguessed:
        assert len(true[field]) < 2 or len(tried[field]) > 1, field
        assert met[field], field


def test_what_exists_once_is_guessed_once(name: str) -> None:
    """Where no true state holds a value of a field twice, no guess does."""
    found = [one for setting in all_settings([name]) for one in hidden(setting)]
    fields = {one.field for one in found}
    twice: set[str] = set()
    for setting in all_settings([name]):
        for s in states_of_game(setting, 1)[::7]:
            twice |= {at for at in fields - twice if _repeats(np.ravel(getattr(s, at)))}
    for field, truth, _, guess in found:
        if field not in twice and not _repeats(truth):
            assert not _repeats(guess), field


def _repeats(values: NDArray[Any]) -> bool:
    there = values[values >= 0]  # what is negative says that there is nothing, or nothing known
    return len(np.unique(there)) < len(there)
