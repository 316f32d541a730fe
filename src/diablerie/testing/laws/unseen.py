"""What is hidden: what a viewer has not seen leaves no trace, and a guess at it is as the truth could be.

A guess has to be complete, possible, of everything that is possible, and as likely.
"""

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from itertools import chain
from typing import NamedTuple

import numpy as np

from diablerie.engine import verbs
from diablerie.engine.compile import Records
from diablerie.engine.queries import guessed, redacted, refusal, sees
from diablerie.engine.record import Record, copy, same
from diablerie.engine.replay import known_event
from diablerie.engine.rng import Rng, below, seeded
from diablerie.engine.verbs import CHANCE, OVER, WATCHER
from diablerie.testing.buffers import checked_chance, checked_legal
from diablerie.testing.positions import (
    GameSetting,
    PlaceInGame,
    choose_action,
    decided,
    node_states,
    places_by_node,
    played_games,
    played_on,
    positions,
    states_of_game,
    viewed,
    viewers,
    waiting,
)

MOST_HAPPENINGS = 10  # of the things that may happen at a position are tried
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


# -- the laws ----------------------------------------------------------------------------------


def node_events(setting: GameSetting) -> Iterator[tuple[Record, int, list[tuple[int, Record]]]]:
    """Positions of every node: who acts there, and what may happen with what comes of it."""
    for s in node_states(setting):
        seats = waiting(setting, s)
        for who in seats or [CHANCE] * (verbs.actor(s) == CHANCE):
            if who == CHANCE:
                possible = checked_chance(setting.game, s)[0]
            else:
                possible = checked_legal(setting.game, s, who)
            few = possible[:: max(1, len(possible) // MOST_HAPPENINGS)]
            if len(few) > 1:
                yield s, who, [(what, _after(s, who, what)) for what in few]


def _after(s: Record, who: int, what: int) -> Record:
    after: Record = copy(s)
    verbs.apply(after, who, what)
    return after


def _opens(setting: GameSetting, s: Record) -> bool:
    """Whether something shows of this decision, alone or with what others have decided before."""
    return s.node in setting.game.opened and len(waiting(setting, s)) == 1


def _shows(setting: GameSetting, s: Record, viewer: int, where: str) -> str:
    """What is wrong where somebody learns more than `witness` says."""
    node = setting.game.node(s.node).name
    who = "a spectator" if viewer == WATCHER else f"seat {viewer}"
    return (
        f"the {where} shows {who} what happens at {node}, which witness does not say. "
        f"If seats decide there at once, and the last decision opens what all have decided, name "
        f"Node.{node} in Game.opened"
    )


def test_what_a_viewer_has_not_seen_leaves_no_trace(setting: GameSetting) -> None:
    for s, who, happened in node_events(setting):
        for viewer in viewers(setting):
            if not sees(s, who, viewer) and not _opens(setting, s):
                seen = {redacted(after, viewer).tobytes() for _, after in happened}
                assert len(seen) == 1, _shows(setting, s, viewer, "position")


def test_log_and_moments_tell_nothing_of_what_a_viewer_has_not_seen(setting: GameSetting) -> None:
    for s, who, happened in node_events(setting):
        for viewer in viewers(setting):
            if not sees(s, who, viewer) and not _opens(setting, s):
                told = {_told(setting, s, who, what, after, viewer) for what, after in happened}
                assert len(told) == 1, _shows(setting, s, viewer, "log, or a moment,")


def _told(setting: GameSetting, s: Record, who: int, what: int, after: Record, viewer: int) -> str:
    told = known_event(s, who, what, after, viewer)
    game = setting.game
    return "\n".join(map(str, [*game.ui.narrate(*told), *game.moments(*told)]))


def test_a_witness_is_exact(setting: GameSetting) -> None:
    """Of those who see what happens at a position, it makes a difference to all or to none."""
    for s, who, happened in node_events(setting):
        if not _opens(setting, s):
            named = [viewer for viewer in viewers(setting) if sees(s, who, viewer)]
            some = []
            for viewer in named:
                if len({redacted(after, viewer).tobytes() for _, after in happened}) > 1:
                    some.append(viewer)
            told = f"witness names {named}, but only to {some} it makes a difference"
            assert some in ([], named), told


def test_what_others_are_said_to_see_makes_a_difference_to_them(setting: GameSetting) -> None:
    """At every node whose witness names others, some position shows them one."""
    said = set()
    shown = set()
    for s, who, happened in node_events(setting):
        for viewer in range(setting.seats):
            if viewer != who and sees(s, who, viewer) and not _opens(setting, s):
                said.add(s.node)
                if len({redacted(after, viewer).tobytes() for _, after in happened}) > 1:
                    shown.add(s.node)
    assert {setting.game.node(n).name for n in said - shown} == set()


# -- redaction, guesses, and what follows from them --------------------------------------------


def test_redaction_twice_is_redaction_once(setting: GameSetting) -> None:
    for s, viewer, seen in viewed(setting):  # noqa: B007 (s is told where it fails)
        assert same(redacted(seen, viewer), seen)


def test_a_guess_looks_the_same_as_what_it_was_guessed_from(setting: GameSetting) -> None:
    rng = seeded(5)
    for s, viewer, seen in viewed(setting):
        assert same(redacted(guessed(s, viewer, rng), viewer), seen)


def test_what_a_seat_may_do_depends_only_on_what_it_may_know(setting: GameSetting) -> None:
    for s in (*positions(setting), *node_states(setting)):
        for seat in waiting(setting, s):
            seen = redacted(s, seat)
            assert verbs.pending(seen) == verbs.pending(s)
            assert checked_legal(setting.game, seen, seat) == checked_legal(setting.game, s, seat)


def test_a_guessed_position_can_be_played_to_its_end(setting: GameSetting) -> None:
    rng = seeded(9)
    for s, seat in decided(setting, 4):
        whole = guessed(s, seat, rng)
        for _ in played_on(whole, lambda s: choose_action(setting.game, s, rng, False), 20_000):
            pass
        assert verbs.actor(whole) == OVER


def test_a_refusal_says_only_what_the_seat_may_know(setting: GameSetting) -> None:
    for s, seat in decided(setting, 5):
        seen = redacted(s, seat)
        for action in range(setting.game.actions):
            if code := verbs.forbids(s, seat, action):
                said = [refusal(setting.game, code, at, action, "") for at in (s, seen)]
                assert str(said[0]) == str(said[1])
                assert verbs.forbids(seen, seat, action) == code


# -- guesses ---------------------------------------------------------------------------------------


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
        a = np.array([true[field][value] for value in values])
        b = np.array([tried[field][value] for value in values])
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
