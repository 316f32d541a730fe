"""`make quick`: runs the tests nearest to what was edited since the last commit, or else in it.

Nearest are the test modules that import an edited module, then those that import a module that
does, and so on (grimp says what imports what), until there are LEAST; of more than MOST, those that
import the least. A game is one whole: its folder of tests, and its laws, walks and golden games.
What is not Python has its tests in `TESTS_OF`.
`make quick ROOM=games/coals` runs that folder of tests instead.
"""

import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

import grimp

ROOT = Path(__file__).parent.parent
GAMES = "src/diablerie/games/"
OF_EVERY_GAME = ("tests/test_contract.py", "tests/test_walks.py", "tests/test_golden.py")
TESTS_OF = {  # by the beginning of a path, the first that fits
    "src/diablerie/locales/": ("tests/test_languages.py",),
    "src/diablerie/web/": ("tests/web",),
    "plugins/exact/": ("plugins/exact/tests",),
    "tools/": ("tests/tools",),
    "docs/": ("tests/test_docs.py", "tests/test_prose.py"),
    "": ("tests/test_structure.py", "tests/test_readme.py"),
}
# test modules for an edited one: so that all of it takes less than a minute
LEAST = 5
MOST = 20
LEFT_OUT = "not nightly and not ci and not slow and not browser"
Runs = dict[str, set[str]]  # by a word that the names of tests have, or ""; which files or folders


def edited() -> list[str]:
    """The files that differ from the last commit; where none does, those that it changed."""
    now = _git("diff", "--name-only", "HEAD") + _git("ls-files", "--others", "--exclude-standard")
    return now or _git("diff", "--name-only", "HEAD~1", "HEAD")


def _git(*words: str) -> list[str]:
    done = subprocess.run(["git", *words], cwd=ROOT, capture_output=True, text=True, check=True)
    return done.stdout.splitlines()


def chosen(files: Iterable[str], graph: grimp.ImportGraph) -> Runs:
    """What to run for these edited files."""
    runs: Runs = {}
    for file in files:
        game, _, inside = file.removeprefix(GAMES).partition("/")
        if file.startswith(GAMES) and inside:
            runs.setdefault("", set()).add(f"tests/games/{game}")
            runs.setdefault(game, set()).update(OF_EVERY_GAME)
        else:
            beginning = next(one for one in TESTS_OF if file.startswith(one))
            paths = nearest(graph, file) or set(TESTS_OF[beginning])
            runs.setdefault("", set()).update(paths)
    return runs


def nearest(graph: grimp.ImportGraph, file: str) -> set[str]:
    """The files of the test modules from which the fewest imports lead to a file, if any do."""
    module = file.removeprefix("src/").removesuffix(".py").replace("/", ".")
    new = {module.removesuffix(".__init__")} & graph.modules if file.endswith(".py") else set()
    reached = set(new)
    found = list[str]()
    while new and len(found) < LEAST:
        tests = sorted(filter(_may_run, new))
        found += sorted(tests, key=lambda one: len(graph.find_modules_directly_imported_by(one)))
        new = set().union(*map(graph.find_modules_that_directly_import, new)) - reached
        reached |= new
    return {one.replace(".", "/") + ".py" for one in found[:MOST]}


def _may_run(module: str) -> bool:
    """Whether a module has tests, and not only such as drive a browser."""
    return module.rpartition(".")[2].startswith("test_") and "tests.browser." not in module


def main(words: list[str]) -> int:
    """Run pytest on what is chosen, or with these words; the status of what failed, or 0."""
    runs: Runs = {"": set()}
    if not any(word.startswith("tests") for word in words):
        files = edited()
        print("edited:", *files)
        runs = chosen(files, grimp.build_graph("diablerie", "tests"))
    failed = 0
    for game, paths in sorted(runs.items()):
        there = sorted(path for path in paths if (ROOT / path).exists())
        names = ["-k", game] if game else []
        print("tests:", *there, *names, flush=True)
        command = [
            sys.executable,
            "-m",
            "pytest",
            "-n",
            "auto",
            "--dist",
            "loadgroup",
            "-m",
            LEFT_OUT,
        ]
        status = subprocess.run(
            [*command, *names, *there, *words], cwd=ROOT, check=False
        ).returncode
        failed = failed or (status if status != 5 else 0)  # 5: all of them are left out
    return failed


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
