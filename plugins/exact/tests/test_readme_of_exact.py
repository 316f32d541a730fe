"""The plug-in's page is true: it is installed as the page says, and its command prints what it says."""

import re
import shlex
import shutil
from importlib.metadata import distribution
from pathlib import Path

import pytest
from tests import shells
from tests.test_cli import run

HOME = Path(__file__).parent.parent
PAGE = (HOME / "README.md").read_text("utf-8")
INSTALL, SOLVE = re.findall(r"^```console by=.*\n(.*)\n```", PAGE, re.MULTILINE)

pytestmark = pytest.mark.ci


def test_it_solves_as_the_page_says():
    done = run(*shlex.split(SOLVE)[1:])
    assert done.exit_code == 0, done.output
    shown = re.findall(r"(\d\.\d{4}) \[(\d\.\d{4}),", done.output)[:3]
    told = re.search(r"loses ([\d.]+) a game, .*: ([\d.]+) by its bets and ([\d.]+) by", PAGE)
    assert told
    for figure, (value, low) in zip(told.groups(), shown, strict=True):
        assert float(value) == pytest.approx(float(figure), abs=0.01)
        assert float(low) > 0


@pytest.mark.slow
def test_it_is_installed_into_a_clone_as_the_page_says(tmp_path):
    clone = shells.clone(tmp_path / "clone")
    shutil.copytree(HOME, clone / "plugins" / "exact", ignore=shutil.ignore_patterns("__pycache__"))
    libraries = shells.needs(distribution("diablerie"))
    shells.environment(clone / ".venv", *libraries, "scipy", "matplotlib")
    packed = shells.offline(shells.pack(tmp_path / "wheels", *shells.BUILDING))
    script = f". .venv/bin/activate; pip install --editable . >&2; diablerie --help; {INSTALL} >&2"
    done = shells.shell(f"{script}; diablerie solve --help", clone, **packed)
    assert done.returncode == 0, done.stdout + done.stderr
    before, _, after = done.stdout.partition("Usage: diablerie solve")
    assert "tournament" in before
    assert "solve" not in before
    assert "Solve a small game" in after
