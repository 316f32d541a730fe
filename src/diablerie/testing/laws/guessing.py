"""What a guess has to be: complete, possible, of everything that is possible, and as likely."""

from collections import Counter, defaultdict

import numpy as np

from diablerie.engine import verbs
from diablerie.engine.compile import Records
from diablerie.engine.queries import redacted
from diablerie.engine.record import Record, copy
from diablerie.engine.rng import Rng, below, seeded
from diablerie.testing.hidden import (
    Entry,
    Sample,
    hidden_sample,
    look_alikes,
    stacked,
    undecided,
    unseen_steps,
)
from diablerie.testing.positions import GameSetting, played_games, states_of_game

MOST_TRUE_VALUES = 6  # true values of a field that are waited for
# guesses for each value that has been guessed until another is waited for no longer
GUESSES_FOR_EACH = 16
MOST_GUESSES = 50_000  # guesses, whatever is guessed
GUESSING_DEVIATIONS = 4.7534  # standard deviations: a sound game exceeds them once in a million


def test_a_guess_leaves_nothing_blank(setting: GameSetting) -> None:
    """What redaction writes and no true state holds is found in no guess; but see `unguessed`."""
    if sample := hidden_sample(setting):
        states = [*states_of_game(setting, 1), *states_of_game(setting, 1, advised=True)]
        truths = stacked(states)
        left = set()
        for field in _guessed(setting, sample):
            truth, seen, guess = sample.of(field)
            blanks = np.unique(guess[(truth != seen) & (guess == seen)])
            if not np.isin(blanks, truths[field]).all():
                left.add(field)
        assert left == set()


def test_a_guess_is_possible(setting: GameSetting) -> None:
    """What is guessed is true in some state that looks the same, or was true where it is hidden."""
    if sample := hidden_sample(setting):
        for field in _guessed(setting, sample):
            truth, seen, guess = sample.of(field)
            filled = guess != seen
            possible = set(np.unique(truth[truth != seen]).tolist())
            for value in np.unique(guess[filled]).tolist():
                rows = np.flatnonzero(((guess == value) & filled).any(axis=1))
                entry = _recent(sample, rows)
                if value not in possible and entry:
                    possible |= _values_of_look_alikes(setting, entry, field)
                    told = f"guess writes {value} into {field}, which it cannot be there"
                    assert value in possible, told


def _recent(sample: Sample, rows: Records) -> Entry | None:
    """The first of the rows for which it can be tried what else could have happened unseen."""
    entries = (sample.entries[row] for row in rows)
    return next((one for one in entries if unseen_steps(one.place, one.viewer)), None)


def _values_of_look_alikes(setting: GameSetting, entry: Entry, field: str) -> set[object]:
    """What a field may hold where it is hidden or guessed, in states that look the same."""
    three = (entry.place.state, entry.seen, entry.guess)
    truth, seen, guess = (np.ravel(getattr(one, field)) for one in three)
    hidden = (truth != seen) | (guess != seen)
    found: set[object] = set()
    for other in look_alikes(setting, entry.place, entry.viewer):
        found |= set(np.ravel(getattr(other, field))[hidden].tolist())
    return found


def test_every_true_value_is_guessed(setting: GameSetting) -> None:
    """Given enough guesses, each hits the truth where it is filled in; but see `unguessed`."""
    if sample := hidden_sample(setting):
        rng = seeded(13)
        for field in _guessed(setting, sample):
            truth, seen, guess = sample.of(field)
            filled = (truth != seen) & (guess != seen)
            values = np.unique(truth[filled]).tolist()
            for value in values[:: max(1, len(values) // MOST_TRUE_VALUES)]:
                row, at = (int(one[0]) for one in np.nonzero(filled & (truth == value)))
                viewer = sample.entries[row].viewer
                met = _is_guessed(sample.entries[row].seen, viewer, rng, field, at, value)
                assert met, f"guess({viewer}) never writes {value} into {field}[{at}], its truth"


def _is_guessed(seen: Record, viewer: int, rng: Rng, field: str, at: int, value: object) -> bool:
    """Whether an entry of a field is ever guessed to be this."""
    tried: set[object] = set()
    for n in range(MOST_GUESSES):
        guess = copy(seen)
        verbs.guess(guess, viewer, rng)
        tried.add(np.ravel(getattr(guess, field))[at].item())
        if value in tried:
            return True
        if n > GUESSES_FOR_EACH * (len(tried) + 4):
            return False
    return False


def test_what_exists_once_is_guessed_once(setting: GameSetting) -> None:
    """A guess holds a value of a field twice only if some true state does."""
    if sample := hidden_sample(setting):
        true = stacked([s for game in played_games(setting) for s in game.states])
        for field in _guessed(setting, sample):
            truth, _, guess = sample.of(field)
            twice = np.flatnonzero(_repeats(guess) & ~_repeats(truth))
            entry = _recent(sample, twice)
            if entry and not _repeats(np.reshape(true[field], (len(true), -1))).any():
                viewer = entry.viewer
                others = [*look_alikes(setting, entry.place, viewer)]
                possible = _repeats(np.array([np.ravel(getattr(o, field)) for o in others])).any()
                assert possible, f"guess holds a value twice in {field}, which no true state does"


def _repeats(rows: Records) -> Records:
    """For each row whether it holds a number twice; negative ones say that there is nothing."""
    ordered = np.sort(rows, axis=1)
    return np.asarray(((ordered[:, 1:] == ordered[:, :-1]) & (ordered[:, 1:] >= 0)).any(axis=1))


def test_guesses_are_as_likely_as_the_truth_where_nobody_has_decided(setting: GameSetting) -> None:
    """χ² of what is guessed against what is true, one entry of each field at each position.

    At one position either of the two is as likely to be the one as the other, whatever is seen.
    """
    rng = seeded(31)
    true: dict[str, Counter[float]] = defaultdict(Counter)
    tried: dict[str, Counter[float]] = defaultdict(Counter)
    for s, blind in undecided(setting):
        viewer = blind[below(rng, len(blind))]
        for field, truth, guess in _one_of_each(setting.game.unguessed, s, viewer, rng):
            true[field][truth] += 1
            tried[field][guess] += 1
    for field in true:
        values = sorted(true[field] | tried[field])
        a, b = (np.array([n[v] for v in values]) for n in (true[field], tried[field]))
        chi2 = ((a - b) ** 2 / (a + b)).sum()
        told = f"{field} is {values} so often: {a.tolist()}, and is guessed so: {b.tolist()}"
        assert chi2 <= _critical(max(1, len(values) - 1)), told


def _one_of_each(
    unguessed: frozenset[str], s: Record, viewer: int, rng: Rng
) -> list[tuple[str, float, float]]:
    """Of each field with something hidden one such entry: (field, truth, guess)."""
    seen = redacted(s, viewer)
    found = []
    guess: Record = copy(seen)
    verbs.guess(guess, viewer, rng)
    for field in s.declared:
        truth, shown, tried = (np.ravel(getattr(one, field)) for one in (s, seen, guess))
        hidden = np.flatnonzero(truth != shown)
        if len(hidden) and field not in unguessed:
            at = hidden[below(rng, len(hidden))]
            found.append((field, truth[at].item(), tried[at].item()))
    return found


def _critical(freedom: int) -> float:
    """What χ² with so many degrees of freedom exceeds once in a million (Wilson-Hilferty)."""
    scale = 2 / (9 * freedom)
    return float(freedom * (1 - scale + GUESSING_DEVIATIONS * scale**0.5) ** 3)


def _guessed(setting: GameSetting, sample: Sample) -> list[str]:
    """The fields with something hidden that a guess fills in."""
    return [
        field
        for field in sample.entries[0].seen.declared
        if field not in setting.game.unguessed and (sample.truth[field] != sample.seen[field]).any()
    ]
