"""The version is the same everywhere, and whoever ports code finds each of the new names."""

import re
from pathlib import Path

import pytest

import diablerie

HOUSE = Path(__file__).parent.parent
CHANGELOG = (HOUSE / "CHANGELOG.md").read_text("utf-8")
TABLE = CHANGELOG.partition("### Names that moved")[2]
ROWS = [row.strip("|").split(" | ") for row in re.findall(r"^\|.+\|$", TABLE, re.MULTILINE)[2:]]
NAMES = sorted({name for _, now in ROWS for name in re.findall(r"`([^`]+)`", now)})
FILES = [
    path
    for folder in ("src/diablerie", "plugins/exact/src", "tools")
    for path in sorted((HOUSE / folder).rglob("*.py"))
]
SOURCES = "\n".join(path.read_text("utf-8") for path in FILES)


def modules(path: str) -> list[Path]:
    """The modules of ours whose path ends so: `rules.state`, `learning.inputs`."""
    inside = path.removeprefix("diablerie.").replace(".", "/")
    ends = (f"/{inside}.py", f"/{inside}/__init__.py")
    return [file for file in FILES if file.as_posix().endswith(ends)]


def is_defined(word: str, text: str = SOURCES) -> bool:
    """Whether a text defines or imports a word: a function, a class, a field, a name in quotes."""
    ways = [rf"(def|class) {word}\b", rf"^\s*{word}\b.*[:=]", rf"[\"']{word}[\"']"]
    ways += [rf"\b{word}=", rf"import .*\b{word}\b"]
    return re.search("|".join(ways), text, re.MULTILINE) is not None


def exists(name: str) -> bool:
    """Whether a name as the table writes it exists."""
    if name.startswith("make "):
        target = rf"^{name.removeprefix('make ')}:"
        return re.search(target, (HOUSE / "Makefile").read_text("utf-8"), re.MULTILINE) is not None
    path = name.removeprefix("python -m ").strip(".")
    if re.fullmatch(r"[a-z]\w*(\.[a-z]\w*)*", path) and modules(path):
        return True
    if path != name or (HOUSE / name).exists():
        return (HOUSE / name).exists()
    module, _, attribute = name.rpartition(".")
    if re.fullmatch(r"[a-z]\w*(\.[a-z]\w*)+", name):
        return any(is_defined(attribute, file.read_text("utf-8")) for file in modules(module))
    words = re.findall(r"[A-Za-z]\w+", name.replace("-", "_").replace("__", ""))
    return all(map(is_defined, words))


def test_changelog_and_citation_name_the_version_of_the_program():
    newest = re.search(r"^## (\S+)", CHANGELOG, re.MULTILINE)
    cited = re.search(
        r'^version: "(.+)"', (HOUSE / "CITATION.cff").read_text("utf-8"), re.MULTILINE
    )
    assert newest
    assert cited
    assert diablerie.__version__.startswith(newest[1])
    assert cited[1] == diablerie.__version__


def test_the_table_has_rows():
    assert len(ROWS) > 20
    assert len(NAMES) > 60


@pytest.mark.parametrize("name", NAMES)
def test_a_new_name_exists(name: str):
    assert exists(name)


def test_a_name_that_is_not_there_would_be_found():
    for wrong in ("flag_opt", "diablerie.compilation", "make cold", "lab.simulate.config"):
        assert not exists(wrong)
