"""What is said where a library of an extra is missing: a command that installs it."""

import importlib
import json
import re
import shlex
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from diablerie.engine import extras
from diablerie.lab import command_options
from diablerie.lab.dataset import pyarrow_module
from diablerie.lab.running.errors import BadConfig


@pytest.fixture(autouse=True)
def pip_found(monkeypatch):
    beside = str(Path(sys.executable).with_name("pip"))
    monkeypatch.setattr(extras.shutil, "which", lambda _: beside)


def origin(monkeypatch, **told):
    text = json.dumps(told) if told else None
    found = SimpleNamespace(read_text=lambda _: text)
    monkeypatch.setattr(extras, "distribution", lambda _: found)


def test_a_clone_and_a_wheel_are_named_by_their_paths(monkeypatch, tmp_path):
    origin(monkeypatch, url=tmp_path.as_uri(), dir_info={"editable": True})
    assert extras.install("data") == f"pip install --editable '{tmp_path}[data]'"
    origin(monkeypatch, url=tmp_path.as_uri(), dir_info={})
    assert extras.install("data") == f"pip install '{tmp_path}[data]'"
    wheel = tmp_path / "a folder" / "diablerie-1-py3-none-any.whl"
    wheel.parent.mkdir()
    wheel.touch()
    origin(monkeypatch, url=wheel.as_uri(), archive_info={})
    assert extras.install("data") == f"pip install '{wheel}[data]'"


def test_an_address_is_named_as_pip_takes_it(monkeypatch):
    origin(monkeypatch, url="https://house.example/diablerie.whl", archive_info={})
    told = extras.install("ray")
    assert told == "pip install 'diablerie[ray] @ https://house.example/diablerie.whl'"
    origin(monkeypatch, url="https://house.example/diablerie.git", vcs_info={"vcs": "git"})
    told = extras.install("ray")
    assert told == "pip install 'diablerie[ray] @ git+https://house.example/diablerie.git'"


def test_where_the_source_is_gone_or_unknown_a_clone_is_asked_for(monkeypatch, tmp_path):
    for told in ({}, {"url": (tmp_path / "gone").as_uri(), "dir_info": {"editable": True}}):
        origin(monkeypatch, **told)
        assert extras.install("data") == "pip install '.[data]' in a clone of diablerie"


def test_a_pip_that_the_shell_does_not_find_is_called_by_its_python(monkeypatch):
    origin(monkeypatch)
    monkeypatch.setattr(extras.shutil, "which", lambda _: "/elsewhere/pip")
    python = shlex.quote(sys.executable)  # its folder may have a space in its name
    assert extras.install("data").startswith(f"{python} -m pip install '.[data]'")


def test_in_an_environment_without_pip_uv_is_named(monkeypatch):
    origin(monkeypatch)
    monkeypatch.setattr(extras, "find_spec", lambda _: None)
    python = shlex.quote(sys.executable)
    told = extras.install("data")
    assert told == f"uv pip install --python {python} '.[data]' in a clone of diablerie"


def test_hints_end_with_the_command_itself(monkeypatch, tmp_path):
    """What is copied from there runs."""
    monkeypatch.setitem(sys.modules, "pyarrow.parquet", None)
    with pytest.raises(BadConfig) as data:
        pyarrow_module()
    assert str(data.value).endswith(f": {extras.install('data')}")
    monkeypatch.setattr(command_options, "find_spec", lambda _: None)
    with pytest.raises(BadConfig) as page:
        command_options.DrawnPage().convert(tmp_path / "page.html", None, None)
    assert str(page.value).endswith(f": {extras.install('report')}")


@pytest.mark.parametrize("missing", ["hypothesis", "pytest"])
def test_the_tests_of_games_name_the_extra(missing):
    code = f"import sys; sys.modules[{missing!r}] = None; import diablerie.testing"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert re.search(rf"{missing} is not installed: .*\[test\]", done.stderr)


def test_a_module_that_lacks_a_library_names_the_extra():
    with (
        pytest.raises(ModuleNotFoundError, match=r"no_such_library .*\[research\]"),
        extras.needed("research"),
    ):
        importlib.import_module("no_such_library")
