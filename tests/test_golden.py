"""Golden games: whole matches kept as readable files, which replay identically for ever."""

from pathlib import Path

import pytest

import diablerie
from diablerie.engine import files
from tools import seen

GOLDEN = sorted(Path(__file__).parent.glob("games/*/golden/*.jsonl"))


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
    assert file.with_suffix(".log").read_text("utf-8") == told


@pytest.mark.parametrize("file", GOLDEN, ids=lambda f: f.stem)
def test_what_is_seen_of_a_golden_game_looks_as_it_did(file):
    """If it was meant to change: look at the pages, then `make golden`."""
    assert list(seen.of_match(diablerie.load(file))) == kept(file.with_suffix(".seen"))


def test_the_scenes_of_a_lesson_look_as_they_did(game):
    folder = Path(__file__).parent / "games" / game.name / "golden"
    assert list(seen.of_lesson(game)) == kept(folder / "lesson.seen")


def kept(file: Path) -> list[str]:
    return file.read_text("utf-8").splitlines()
