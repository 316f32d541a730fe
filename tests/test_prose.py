"""What is written for those who read the code: no paragraph twice, no path that is gone, and
examples in docstrings as blocks of code."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
SOURCE = ROOT / "src" / "diablerie"
PAGES = [*sorted(ROOT.glob("*.md")), *sorted(ROOT.glob("docs/*.md"))]
PATH = re.compile(r"`((?:api|art|bots|client|engine|envs|games|lab|table|testing|web)/[\w/.]+)`")
# A line of Python at the margin of a docstring: Markdown would join it to the lines around it.
# (Where nothing else stands at the margin all is dedented, so a sentence comes before the code.)
CODE = re.compile(
    r"from \S+ import \w|import \w[\w., ]*$|(async )?(with|for) .+:( *#.*)?$"
    r"|(if|while) .+:( *#.*)?$|\w+ = \w+(\.\w+)*\(|(await )?\w+(\.\w+)*\(.*\)( *#.*)?$|\.\.\.$"
)


def paragraphs(text: str) -> list[str]:
    """Paragraphs and items of lists that are long enough to be no accident."""
    found = (part.strip() for part in re.split(r"\n\n+|\n(?=[-*] )", text))
    return [part for part in found if len(part) > 80 and not part.startswith(("```", "|"))]


def alike(paragraph: str) -> str:
    """What two versions of one paragraph share: its first words."""
    return " ".join(paragraph.split()[:12])


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_no_page_has_a_paragraph_twice(page: Path) -> None:
    beginnings = [alike(one) for one in paragraphs(page.read_text("utf-8"))]
    assert sorted(beginnings) == sorted(set(beginnings))


def test_a_paragraph_in_two_versions_is_seen() -> None:
    one = "- **A batch is one call** (`x.py`): decisions, the chance that follows, one row and {}"
    found = [alike(part) for part in paragraphs(f"{one.format('lists')}\n{one.format('more')}")]
    assert len(found) == 2
    assert len(set(found)) == 1


def test_the_folders_and_files_the_architecture_names_are_there() -> None:
    named = set(PATH.findall((ROOT / "ARCHITECTURE.md").read_text("utf-8")))
    named = {path for path in named if "NAME" not in path}
    assert len(named) > 30
    for path in named:
        place = SOURCE / path
        assert place.exists() or place.with_name(f"{place.name}.py").exists(), path


def docstrings(path: Path) -> Iterator[tuple[str, str]]:
    """All docstrings of a file, each with where it is."""
    tree = ast.parse(path.read_text("utf-8"))
    for node in ast.walk(tree):
        documented = ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef
        if isinstance(node, documented) and (text := ast.get_docstring(node)):
            yield f"{path.relative_to(SOURCE)}: {getattr(node, 'name', 'module')}", text


def bare(docstring: str) -> list[str]:
    """Lines of code that are not indented."""
    fenced = re.sub(r"```.*?```", "", docstring, flags=re.DOTALL)
    return [line for line in fenced.splitlines() if CODE.match(line)]


def test_examples_in_docstrings_are_indented() -> None:
    found = [pair for path in sorted(SOURCE.rglob("*.py")) for pair in docstrings(path)]
    assert len(found) > 1000
    assert not [(where, bare(text)) for where, text in found if bare(text)]


@pytest.mark.parametrize(
    "line",
    [
        "from diablerie.lab.dataset import dataset",
        'dataset("tails", "tails.parquet", games=1000)',
        'found = fit_values("coals", seats=2)',
        "async with hub.subscribe(table) as news:   # TooMany",
    ],
)
def test_code_at_the_margin_is_seen(line: str) -> None:
    assert bare(f"A module.\n\n{line}\n") == [line]
    assert not bare(f"A module.\n\nFor example:\n\n    {line}\n")
