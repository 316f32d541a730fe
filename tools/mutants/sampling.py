"""Which mutants are run: a seeded sample, spread over the folders and the kinds of mistakes.

Every folder has its share. Within it the kinds take turns, each with one of its mistakes at a time,
so that the many constants do not crowd out the few decorators and loops.
"""

import random
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from tools.mutants import python, script
from tools.mutants.places import PLACES, ROOT, Place, files_of, holds_compiled


@dataclass(frozen=True)
class Mutant:
    """One mistake in one file of a place, found again by its number among the file's."""

    place: str
    path: str
    number: int
    line: int
    last: int
    kind: str
    before: str
    after: str

    @property
    def name(self) -> str:
        """What it is called in results."""
        return f"{self.path}:{self.line}#{self.number}"


def sample(seed: int, shares: dict[str, int] | None = None, root: Path = ROOT) -> list[Mutant]:
    """The mutants of a seed: so many of each place as its share says, or `shares` by its name."""
    found = []
    for place in PLACES:
        share = place.share if shares is None else shares.get(place.name, 0)
        if share:
            found += _of(place, share, random.Random(f"{seed} {place.name}"), root)
    return found


def _of(place: Place, share: int, rng: random.Random, root: Path) -> list[Mutant]:
    chosen: dict[tuple[str, int, str], Mutant] = {}
    for path, number in _in_turns(_by_kind(place, root), rng):
        if len(chosen) >= share:
            break
        one = made(place.name, path, number, root)
        chosen.setdefault((one.path, one.line, one.after), one)  # two ways to the same mistake
    return list(chosen.values())


def _by_kind(place: Place, root: Path) -> dict[str, list[tuple[str, int]]]:
    kinds: dict[str, list[tuple[str, int]]] = {}
    for path in files_of(place, root):
        for number, kind in enumerate(kinds_of(path, (root / path).read_text("utf-8"))):
            kinds.setdefault(kind, []).append((path, number))
    return kinds


def _in_turns(
    kinds: dict[str, list[tuple[str, int]]], rng: random.Random
) -> Iterator[tuple[str, int]]:
    left = [rng.sample(kinds[kind], len(kinds[kind])) for kind in sorted(kinds)]
    while left := [one for one in left if one]:
        for one in rng.sample(left, len(left)):
            yield one.pop()


def kinds_of(path: str, source: str) -> list[str]:
    """The kinds of all mistakes that a file has room for, in order."""
    if path.endswith(".js"):
        return [kind for kind, *_ in script.edits(source)]
    return [kind for _, kind, *_ in python.Finder(source, *manner(path, source)).found]


def made(place: str, path: str, number: int, root: Path = ROOT) -> Mutant:
    """The mutant of this number among a file's."""
    source = (root / path).read_text("utf-8")
    if path.endswith(".js"):
        change, _ = script.changed(source, number)
    else:
        change, _ = python.changed(source, number, *manner(path, source))
    return Mutant(
        place, path, number, change.line, change.last, change.kind, change.before, change.after
    )


def manner(path: str, source: str) -> tuple[bool, bool]:
    """Whether a file's constants are frozen into compiled code; whether it draws."""
    return holds_compiled(source), "/ui/drawing/" in path
