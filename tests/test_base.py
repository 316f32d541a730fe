"""What simulation and research need: all rooms but the server's work without what `play` brings."""

import re
import subprocess
import sys
from importlib.metadata import packages_distributions
from importlib.util import find_spec

import pytest

from tests import shells

BASE = (
    "engine",
    "games",
    "bots",
    "learning",
    "values",
    "envs",
    "lab",
    "compiling",
    "daily",
    "client",
)
SERVER = ("serve", "bots", "doctor", "reports", "print", "site")


def brought(requirement: str) -> set[str]:
    """The names of the modules that a requirement brings, with all that it needs."""
    names = {one.name for one in shells.closure([requirement])}
    return {module for module, of in packages_distributions().items() if {*of} & names}


def blocked(requirement: str) -> str:
    """A line of Python after which what the server needs and this does not bring is not found."""
    gone = brought("diablerie[play]") - brought(requirement)
    assert {"sqlalchemy", "babel", "jinja2", "greenlet"} <= gone
    return f"import sys; sys.modules.update(dict.fromkeys({sorted(gone)!r}))"


def python(*lines: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-W", "error", "-c", "\n".join(lines)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


IMPORT_ALL = """
import pkgutil
from importlib import import_module
rooms = [import_module(f"diablerie.{name}") for name in ROOMS]
found = [
    one.name for room in rooms for one in pkgutil.walk_packages(room.__path__, room.__name__ + ".")
]
for name in {"diablerie.cli", "diablerie.api", *found} - UNINSTALLED:
    import_module(name)
print(len(found))
"""


def test_nothing_but_the_server_imports_what_play_brings():
    without = set() if find_spec("mcp") else {"diablerie.client.mcp_server"}
    rooms = f"ROOMS, UNINSTALLED = {BASE!r}, {without!r}"
    done = python(blocked("diablerie[client,mcp,research]"), rooms, IMPORT_ALL)
    assert done.returncode == 0, done.stderr
    assert int(done.stdout) > 200


@pytest.mark.parametrize("command", SERVER)
def test_a_command_of_the_server_names_the_extra(command):
    arguments = {"bots": ["--db", "x"], "print": ["coals", "--out", "x"], "site": ["x"]}
    words = ["diablerie", command, *arguments.get(command, [])]
    code = f"sys.argv = {words}; from diablerie.cli import main; main()"
    done = python(blocked("diablerie"), code)
    assert done.returncode == 2, done.stderr
    extra = "site" if command == "site" else "play"
    assert re.fullmatch(rf"diablerie: \w+ is not installed: .*\[{extra}\].*\n", done.stderr)


@pytest.mark.parametrize("lacking", [["httpx", "mcp"], ["mcp"]], ids=str)
def test_the_command_for_language_models_names_the_one_extra_that_it_needs(lacking):
    gone = f"import sys; sys.modules.update(dict.fromkeys({lacking!r}))"
    words = ["diablerie", "mcp", "--token", "x"]
    done = python(gone, f"sys.argv = {words}; from diablerie.cli import main; main()")
    assert done.returncode == 2, done.stderr
    assert re.fullmatch(r"diablerie: \w+ is not installed: .*\[mcp\].*\n", done.stderr)
