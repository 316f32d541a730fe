"""Golden games: whole matches kept as readable files, which replay identically for ever."""

from pathlib import Path

import pytest

import diablerie
from diablerie.engine import files
from tests import drawings, positions, snapshots

GAMES = Path(__file__).parent / "games"
GOLDEN = sorted(GAMES.glob("*/golden/*.jsonl"))
DRAWN = ("coals-3", "kitchen-2", "tails-4", "underworld-3")  # one golden game of each


@pytest.mark.parametrize("file", GOLDEN, ids=lambda f: f.stem)
def test_the_golden_game_replays_to_the_letter(file):
    match = diablerie.verify(file)
    assert match.over
    assert files.dump(match) == file.read_text("utf-8")


def test_no_game_and_number_of_players_lacks_a_golden_game(game):
    kept = [diablerie.load(f) for f in GOLDEN if f.parent.parent.name == game.name]
    assert {match.seats for match in kept} == set(game.seats)


@pytest.mark.parametrize("file", GOLDEN, ids=lambda f: f.stem)
def test_the_log_of_a_golden_game_reads_as_it_did(file):
    """The sentences of each golden game are kept beside it: how the game reads."""
    told = "".join(f"{line}\n" for line in diablerie.load(file).log())
    snapshots.compare(file.with_suffix(".log"), told)


@pytest.mark.parametrize("file", GOLDEN, ids=lambda f: f.stem)
def test_positions_of_a_golden_game_are_told_as_they_were(file):
    """Sketch, prompt, panel, actions and refusals, for each viewer."""
    snapshots.compare(file.with_suffix(".positions"), positions.of_match(diablerie.load(file)))


def test_the_scenes_of_a_lesson_are_told_as_they_were(game):
    snapshots.compare(GAMES / game.name / "golden" / "lesson.positions", positions.of_lesson(game))


@pytest.mark.parametrize("name", DRAWN)
def test_the_pictures_of_a_golden_game_are_drawn_as_they_were(name):
    file = GAMES / name.rpartition("-")[0] / "golden" / f"{name}.jsonl"
    pictures = drawings.of_match(diablerie.load(file))
    snapshots.compare_folder(file.with_name("pictures"), pictures)


def test_each_game_has_pictures(game):
    assert [name for name in DRAWN if name.rpartition("-")[0] == game.name]
