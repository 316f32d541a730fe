"""Every block of code in the documentation is run, here or where it says; or it says why not.

After its language a block may say: `fewer` (run with as few games as there can be), `by=FILE` (run
by that test), `unrun=WHY`; or the libraries that it needs. Commands are understood in any case.
"""

import re
import shlex
import subprocess
import sys
from importlib.util import find_spec
from itertools import chain
from pathlib import Path
from typing import NamedTuple

import click
import pytest

from diablerie.cli import commands
from tests import shells
from tests.test_readme import prepared

ROOT = Path(__file__).parent.parent
PAGES = sorted(
    chain(
        ROOT.glob("*.md"),
        ROOT.glob("docs/**/*.md"),
        ROOT.glob("examples/**/README.md"),
        ROOT.glob("plugins/*/README.md"),
    )
)
LIBRARIES = {"torch", "pyarrow", "polars", "sb3_contrib"}
ACTIVATE = ". .venv/bin/activate"
# How many blocks of Python a page has, and the test that runs all of them.
PYTHON = {
    "README.md": (1, "test_readme.py"),
    "docs/api.md": (1, "client/test_client.py"),
    "docs/fairness.md": (1, "test_proof.py"),
    "docs/own-learner.md": (3, "envs/test_docs.py"),
    "docs/research.md": (14, "envs/test_docs.py"),
}


class Block(NamedTuple):
    """A block of code: where it is, its language, what it says of itself, and the code."""

    page: str
    language: str
    info: str
    code: str

    @property
    def commands(self):
        lines = self.code.replace("\\\n", "").splitlines()
        return [shlex.split(line)[1:] for line in lines if line.startswith("diablerie ")]


def blocks():
    for path in PAGES:
        text = path.read_text("utf-8")
        assert text.count("\n```") % 2 == 0, path
        for language, info, code in re.findall(
            r"^```(\w*)([^\n]*)\n(.*?)^```", text, re.MULTILINE | re.DOTALL
        ):
            yield Block(str(path.relative_to(ROOT)), language, info.strip(), code)


BLOCKS = list(blocks())


def test_every_block_is_run_or_says_why_not():
    for block in BLOCKS:
        word, _, rest = block.info.partition("=")
        if word == "by":
            assert (ROOT / rest).exists(), block
        elif word == "unrun":
            assert re.fullmatch(r"[a-z]+(-[a-z]+)*", rest), block
        elif not block.language:
            assert block.page == "ARCHITECTURE.md", block  # a drawing
        elif block.language == "python":
            assert set(block.info.split()) <= LIBRARIES, block
        else:
            assert (block.language, block.info) in {("console", ""), ("console", "fewer")}, block
            lines = block.code.replace("\\\n", "").splitlines()
            assert all(line.startswith(("diablerie ", ACTIVATE)) for line in lines), block


def test_python_is_run_by_the_tests_that_are_named():
    found = [block.page for block in BLOCKS if block.language == "python"]
    assert {page: found.count(page) for page in found} == {
        page: count for page, (count, _) in PYTHON.items()
    }
    for page, (_, test) in PYTHON.items():
        text = (ROOT / "tests" / test).read_text("utf-8")
        assert Path(page).name in text


def test_the_line_that_makes_a_game_known_is_that_of_the_example():
    (block,) = [block for block in BLOCKS if block.language == "toml"]
    assert block.code in (ROOT / "examples/coasters/pyproject.toml").read_text("utf-8")


def test_what_is_said_to_be_ten_lines_is_ten_lines():
    bot = (ROOT / "examples/my_bot.py").read_text("utf-8")
    _, _, code = bot.partition('"""')[2].partition('"""')
    (client,) = [b.code for b in BLOCKS if b.page == "docs/api.md" and b.language == "python"]
    for written in (code, client):
        assert len([line for line in written.splitlines() if line.strip()]) == 10
    said = {page.name for page in PAGES if "ten lines" in page.read_text("utf-8").lower()}
    assert said == {"README.md", "CONTRIBUTING.md", "api.md"}


@pytest.mark.parametrize("name", ["strength", "research", "speed"])
def test_a_long_page_begins_with_five_lines_to_leave_with(name):
    opening, *_ = (ROOT / "docs" / f"{name}.md").read_text("utf-8").split("\n## ")
    lines = [line for line in opening.splitlines() if line.startswith("- ")]
    assert len(lines) == 5
    assert max(map(len, lines)) < 260
    assert sum("](#" in line for line in lines) >= 4


def test_a_page_with_commands_says_how_a_shell_is_prepared_for_them():
    for page in {block.page for block in BLOCKS if block.commands}:
        near = ROOT / page
        if "studies" in page:
            near = near.with_name("README.md")
        assert ACTIVATE in (text := near.read_text("utf-8")) or "README.md#in-your-own" in text, (
            page
        )
    assert "\n## In your own shell\n" in (ROOT / "README.md").read_text("utf-8")


def test_no_page_and_no_message_has_pip_fetch_diablerie_from_an_index():
    told = [path for path in ROOT.glob("src/**/*") if path.suffix in (".py", ".html", ".po")]
    written = [*PAGES, *ROOT.glob("examples/**/*.py"), *ROOT.glob("examples/**/*.ipynb"), *told]
    assert len(written) > 300
    for path in written:
        for line in re.findall(r"pip install[^\n]*", path.read_text("utf-8")):
            assert not re.match(r"pip install [\\\"']*diablerie\b(?!-)", line), (path, line)


def command_named(name):
    found = commands.get_command(click.Context(commands), name)
    assert found, name
    return found


def parameters():
    for block in BLOCKS:
        for words in block.commands:
            if words != ["--version"] and not block.page.startswith("docs/studies"):
                yield pytest.param(words, id=shlex.join(words))


@pytest.mark.parametrize("words", list(parameters()))
def test_the_words_of_a_command_are_understood(words, monkeypatch):
    if "ray" in shlex.join(words):
        pytest.importorskip("ray", reason="Ray is not installed: make setup-ray")
    monkeypatch.setenv("DIABLERIE_TOKEN", "x")
    name, *rest = words
    assert command_named(name).make_context(name, rest).args == []


def short():
    """The commands to be run; those of players that think, and of loops to compile, at night.

    What trains or compares variants runs in CI: `tests/lab` has the same commands.
    """
    for block in BLOCKS:
        if block.language != "console" or block.info not in ("", "fewer"):
            continue
        if block.page in ("README.md", "docs/command-line.md"):  # tests/test_readme.py
            continue
        for words in block.commands:
            few = shlex.join(words)
            slow = re.search("search|archdevil|oberteufel|simulate (?!coals)|--on|kitchen", few)
            in_ci = re.search("train|--vary", few)
            marks = [pytest.mark.nightly] if slow else [pytest.mark.ci] if in_ci else []
            yield pytest.param(words, block.info, marks=marks, id=few)


@pytest.mark.parametrize(("words", "info"), list(short()))
def test_a_command_runs_in_a_shell_that_readme_has_prepared(words, info, tmp_path):
    for name in ("bench", "examples", "src", "tests"):
        (tmp_path / name).symlink_to(ROOT / name)
    (tmp_path / "my_bot.py").symlink_to(ROOT / "examples" / "my_bot.py")
    (tmp_path / ".venv").symlink_to(sys.prefix)
    if info == "fewer":
        words = [*words, "--games", "2"]
    if "--workers" not in words:
        words = [*words, "--workers", "1"]
    done = shells.shell(prepared(shlex.join(["diablerie", *words])), tmp_path)
    assert done.returncode == 0, done.stderr
    assert done.stdout


@pytest.mark.ci
def test_the_reference_has_pages_with_docstrings_links_and_signatures(tmp_path):
    names = ("lab", "lab.statistics", "client", "engine.rng")
    modules = [f"diablerie.{name}" for name in names]
    command = [sys.executable, "-m", "tools.docs", tmp_path, *modules]
    subprocess.run(command, check=True, cwd=ROOT)
    assert "AsyncClient" in (tmp_path / "diablerie" / "client.html").read_text("utf-8")
    rules = (tmp_path / "diablerie" / "engine" / "rng.html").read_text("utf-8")
    assert re.search(r'<span class="def">def</span>\s*<span class="name">below', rules)
    inside = (tmp_path / "diablerie" / "lab.html").read_text("utf-8")
    assert 'href="lab/statistics.html"' in inside


def test_what_lacks_a_docstring_or_does_not_resolve_fails_the_reference(tmp_path, monkeypatch):
    from tools.docs import bare, module

    monkeypatch.syspath_prepend(tmp_path)
    text = '"""A module."""\n\ndef naked():\n    return 1\n\ndef dressed():\n    """One."""\n'
    (tmp_path / "diablerie_bare.py").write_text(text)
    (tmp_path / "diablerie_wrong.py").write_text('"""A module."""\n\n__all__ = ["absent"]\n')
    assert list(bare(module("diablerie_bare"))) == ["diablerie_bare.naked"]
    with pytest.raises(UserWarning, match="absent"):
        list(bare(module("diablerie_wrong")))


@pytest.mark.parametrize("name", ["research", "benchmark"])
def test_the_bot_that_a_page_for_researchers_names_is_found_in_the_clone(name):
    page = (ROOT / "docs" / f"{name}.md").read_text("utf-8")
    named = set(re.findall(r"([\w.]+):MyBot", page))
    assert named
    assert all(map(find_spec, named))
