"""Every walk and count of the independent implementation agrees, to the last line.

Of each walk the first lines are kept, as its author printed them, and in `SHA256SUMS` the digest of
the whole: `sha256sum -c` checks whole walks against it.
"""

import hashlib
from itertools import zip_longest
from pathlib import Path

import pytest

from diablerie.engine.walk import perft, walk
from diablerie.games import ALL

WALKS = Path(__file__).parent / "walks"
KEPT = 300  # lines of each walk
WHOLE = {
    name: digest for digest, name in map(str.split, (WALKS / "SHA256SUMS").read_text().splitlines())
}


def files() -> list[Path]:
    return [f for f in sorted(WALKS.glob("*-*.txt")) if f.name.split("-")[0] in ALL]


def counts() -> list[tuple[str, int, list[int]]]:
    rows = [line.split() for line in (WALKS / "perft.txt").read_text().splitlines()]
    return [(r[0], int(r[1]), [int(n) for n in r[2:]]) for r in rows if r[0] in ALL]


@pytest.mark.parametrize("file", files(), ids=lambda f: f.stem)
def test_the_walk_agrees(file: Path) -> None:
    name, seats, seed, *options = file.stem.split("-")
    game = ALL[name]
    start = game.start(int(seats), dict(o.split("=") for o in options))
    ours = list(walk(game, start, int(seed)))
    theirs = file.read_text().splitlines()
    for mine, other in zip_longest(ours[:KEPT], theirs):
        assert mine == other
    command = f"diablerie walk {name} --seats {seats} --seed {seed}"
    command += "".join(f" --option {option}" for option in options)
    whole = hashlib.sha256("".join(f"{line}\n" for line in ours).encode()).hexdigest()
    assert whole == WHOLE[file.name], (
        f"the first {KEPT} lines agree, the whole walk of {len(ours)} lines does not; which line"
        f" differs is not kept. This prints all of ours, to compare with earlier code: {command}"
    )


def test_every_digest_is_of_a_walk_that_is_kept() -> None:
    assert set(WHOLE) == {file.name for file in WALKS.glob("*-*.txt")}


@pytest.mark.parametrize(("name", "seats", "expected"), counts())
def test_perft_agrees(name: str, seats: int, expected: list[int]) -> None:
    start = ALL[name].start(seats)
    assert perft(ALL[name], start, 0) == 1
    assert [perft(ALL[name], start, depth + 1) for depth in range(len(expected))] == expected


def test_a_walk_may_be_cut(game) -> None:
    start = game.start(game.seats[0])
    lines = list(walk(game, start, 3, limit=5))
    assert len(lines) == 6
    assert lines[-1] == "cut"


def test_a_walk_cut_exactly_at_its_end_says_end(game) -> None:
    whole = list(walk(game, game.start(game.seats[0]), 1))
    again = list(walk(game, game.start(game.seats[0]), 1, limit=len(whole) - 1))
    assert again == whole
