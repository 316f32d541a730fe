"""Matches: their files, what is taken back, and copies, which go on as the original does."""

import pickle
from collections.abc import Callable
from copy import copy, deepcopy
from typing import TypeVar

import pytest

from diablerie.engine import files, verbs
from diablerie.engine.match import Match
from diablerie.engine.notation import NotationError
from diablerie.engine.plies import PlyKind, conceded, count_draws
from diablerie.engine.queries import Illegal
from diablerie.engine.record import same
from diablerie.engine.rng import Rng, below, seeded
from diablerie.envs.batch import Batch
from diablerie.games import ALL
from diablerie.testing.buffers import is_compiled
from diablerie.testing.positions import GameSetting, played_match, unfinished_match


def test_a_match_file_reads_back_as_it_was_written(setting: GameSetting) -> None:
    match = played_match(setting, 60)
    text = files.dump(match)
    again = files.parse_match(text.encode(), ALL, dice=True)
    assert same(again.state, match.state)
    assert again.events == match.events
    assert files.dump(again) == text


def test_copies_are_independent_and_one_decision_is_taken_back(setting: GameSetting) -> None:
    match = unfinished_match(setting, 25)
    before = match.copy()
    match.play(match.legal()[-1])
    assert match.ply == before.ply + 1
    match.take_back()
    assert same(match.state, before.state)
    assert match.legal() == before.legal()
    match.recent = ()  # as in a match read from a file: no position is kept, all are replayed
    assert same(match.state_at(before.ply), before.state)


def test_an_illegal_decision_is_refused_with_its_clause_and_changes_nothing(
    setting: GameSetting,
) -> None:
    match = unfinished_match(setting, 17)
    kept = match.copy()
    seat = match.actor
    assert seat is not None
    wrong = [a for a in range(setting.game.actions) if verbs.forbids(match.state, seat, a)]
    for action in wrong[:: max(1, len(wrong) // 20)]:
        text = setting.game.notation.format_action(match.state, seat, action)
        with pytest.raises((Illegal, NotationError)) as refused:
            match.play(text, seat)
        if isinstance(refused.value, Illegal):
            assert refused.value.clause in setting.game.clause_texts
    text = setting.game.notation.format_action(match.state, seat, match.actions(seat)[0])
    for other in set(range(setting.seats)) - set(match.pending):
        with pytest.raises(Illegal) as out_of_turn:
            match.play(text, other)
        assert out_of_turn.value.clause in setting.game.clause_texts
    assert same(match.state, kept.state)


def test_nothing_but_a_draw_moves_the_dice(setting: GameSetting) -> None:
    """Of two matches with one key, one is full of notes and take-backs: it has the same dice."""
    plain = unfinished_match(setting, 8)
    noted = unfinished_match(setting, 8)
    rng = seeded(9)
    for _ in range(30):
        if plain.over:
            break
        noted = with_notes(noted, rng)
        seat = plain.actor
        legal = plain.legal()
        text = legal[below(rng, len(legal))]
        assert plain.play(text, seat).events == noted.play(text, seat).events
    assert same(plain.state, noted.state)
    assert noted.ply > plain.ply
    assert noted.draws == plain.draws == count_draws(plain.plies)


def with_notes(match: Match, rng: Rng) -> Match:
    """The match after notes that change no position; something may be taken back that drew nothing."""
    match.note(PlyKind.DEADLINE, below(rng, match.seats))
    match.note(PlyKind.HAND_OVER, below(rng, match.seats), by="sensible")
    seat = below(rng, match.seats)
    if not conceded(match.game.teams(match.seats), match.resigned | {seat}):
        match.note(PlyKind.RESIGN, seat)
    tried = match.copy()
    legal = match.legal()
    ply = tried.play(legal[below(rng, len(legal))])
    if len(ply.events) > 1:
        return match
    tried.take_back(match.ply)
    return tried


def test_what_is_taken_back_keeps_its_number(setting: GameSetting) -> None:
    """So nobody draws twice with one number, and a file with every draw taken back is sound."""
    match = unfinished_match(setting, 8)
    seen = set[int]()
    for _ in range(12):
        if match.over:
            break
        before = match.draws
        drawn = count_draws([match.play(match.legal()[0])])
        numbers = range(before, before + drawn)
        assert not seen.intersection(numbers)
        seen.update(numbers)
        assert match.draws == before + drawn
        if drawn:
            match.take_back()
            match.play(match.legal()[-1])
    again = files.parse_match(files.dump(match).encode(), ALL, dice=True)
    assert (again.events, again.draws) == (match.events, match.draws)


# -- copies ----------------------------------------------------------------------------------------


Copied = TypeVar("Copied", Match, Batch)
DECISIONS_OF_COPY = 12  # that are made of each copy


def pickled(one: Copied) -> Copied:
    """What a pickle of it restores."""
    return pickle.loads(pickle.dumps(one))  # type: ignore[no-any-return]


COPY_WAYS: tuple[Callable[[Copied], Copied], ...] = (copy, deepcopy, pickled)


def test_a_game_is_copied_and_pickled_as_itself(name: str) -> None:
    game = ALL[name]
    assert copy(game) is deepcopy(game) is pickle.loads(pickle.dumps(game)) is game


def test_a_copied_and_a_restored_match_go_on_alike(setting: GameSetting) -> None:
    match = unfinished_match(setting, 30)
    before = files.dump(match)
    seen = []
    for way in COPY_WAYS:
        other = way(match)
        for number in range(DECISIONS_OF_COPY):
            if not other.over:
                legal = other.legal()
                other.play(legal[number % len(legal)])
        seen.append((other.state.tobytes(), files.dump(other)))
        assert files.dump(match) == before, "what is played in a copy changes the original"
        assert same(match.state, way(match).state)
    assert seen[1:] == seen[:-1], "copies of a match play on differently"


def test_a_copied_and_a_restored_batch_go_on_alike(name: str) -> None:
    """The same decisions give the same bytes; compiled rules only, since a batch is compiled."""
    game = ALL[name]
    if not is_compiled(game.start(game.seats[0])):
        return
    batch = Batch(game, 3, seed=5)
    batch.reset()
    for _ in range(30):
        batch.step(batch.sample())
    # Another way to go on: what was saved, in a batch that knew nothing of it.
    fresh = Batch(game, 3)
    fresh.restore(batch.save())
    others = [fresh, *(way(batch) for way in COPY_WAYS)]
    for _ in range(DECISIONS_OF_COPY):
        chosen = batch.sample()
        batch.step(chosen)
        kept = batch.save()
        for other in others:
            assert (other.sample() == chosen).all(), "a copy of a batch has another generator"
            other.step(chosen)
            for what, array in other.save().items():
                assert array.tobytes() == kept[what].tobytes(), f"{what} differs in a copy"
