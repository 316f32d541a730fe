"""Golden files: texts that are kept, and compared with what is made now (`make golden` writes them).

With `GOLDEN=write` in the environment a comparison writes what it was given, instead of failing.
"""

import difflib
import os
from collections.abc import Mapping
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
SHOWN = 200  # lines of a difference
ACCEPT = (
    "If this was meant to change: `make golden` writes the file anew; read `git diff` before you"
    " commit it with the change (CONTRIBUTING, “Tests”)."
)


def compare(file: Path, text: str) -> None:
    """Fail with a unified diff if a file does not hold this text."""
    compare_all({file: text})


def compare_folder(folder: Path, texts: Mapping[str, str]) -> None:
    """The same of all files in a folder, by their names; no other file may be in it."""
    made = {folder / name: text for name, text in texts.items()}
    stale = [file for file in sorted(folder.glob("*")) if file not in made]
    if writing():
        for file in stale:
            file.unlink()
    compare_all(made | dict.fromkeys([] if writing() else stale, ""))


def compare_all(made: Mapping[Path, str]) -> None:
    if writing():
        for file, text in made.items():
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text, "utf-8")
        return
    if changed := [line for file, text in made.items() for line in difference(file, text)]:
        more = len(changed) - SHOWN
        shown = [*changed[:SHOWN], *([f"… and {more} lines more\n"] if more > 0 else [])]
        pytest.fail(f"not what was kept:\n{''.join(shown)}\n{ACCEPT}", pytrace=False)


def difference(file: Path, text: str) -> list[str]:
    """The lines of a unified diff from what is kept to a text."""
    kept = file.read_text("utf-8") if file.exists() else ""
    name = file.relative_to(ROOT).as_posix() if file.is_relative_to(ROOT) else file.name
    before, after = kept.splitlines(keepends=True), text.splitlines(keepends=True)
    return list(difflib.unified_diff(before, after, f"kept/{name}", f"made/{name}", n=1))


def writing() -> bool:
    return os.environ.get("GOLDEN") == "write"
