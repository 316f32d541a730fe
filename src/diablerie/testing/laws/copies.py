"""Copies: of a match and of a batch, which go on as the original does, and leave it alone."""

import pickle
from collections.abc import Callable
from copy import copy, deepcopy
from typing import TypeVar

from diablerie.engine import files
from diablerie.engine.match import Match
from diablerie.engine.record import same
from diablerie.envs.batch import Batch
from diablerie.games import ALL
from diablerie.testing.buffers import is_compiled
from diablerie.testing.positions import GameSetting, unfinished_match

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
