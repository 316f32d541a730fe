"""What docstrings show as code stands in blocks of code."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

SOURCE = Path(__file__).parent.parent / "src" / "diablerie"
# A line of Python at the margin of a docstring: Markdown would join it to the lines around it.
# (Where nothing else stands at the margin all is dedented, so a sentence comes before the code.)
CODE = re.compile(
    r"from \S+ import \w|import \w[\w., ]*$|(async )?(with|for) .+:( *#.*)?$"
    r"|(if|while) .+:( *#.*)?$|\w+ = \w+(\.\w+)*\(|(await )?\w+(\.\w+)*\(.*\)( *#.*)?$|\.\.\.$"
)


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
