"""`python -m diablerie.testing GAME`: the laws on one game, uncompiled, told in sentences."""

import os
import shutil
import subprocess
import sys
from importlib.metadata import EntryPoint
from pathlib import Path

import numba
import numpy as np
import pytest

from diablerie.testing import buffers, contract
from diablerie.testing import first_pass as plugin
from diablerie.testing.__main__ import main
from diablerie.testing.buffers import GuardedBuffer
from diablerie.testing.laws.buffers import test_nothing_is_written_beyond_the_record as record_law
from diablerie.testing.positions import GameSetting, node_states

ROOT = Path(__file__).parent.parent
UNCOMPILED = {"NUMBA_DISABLE_JIT": "1"}  # saves a process
SOURCES = ROOT / "examples" / "coasters" / "src" / "coasters"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A copy of COASTERS with its entry point, to plant mistakes into."""
    shutil.copytree(SOURCES, tmp_path / "coasters", ignore=shutil.ignore_patterns("__pycache__"))
    about = tmp_path / "coasters-1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: coasters\nVersion: 1.0\n")
    (about / "entry_points.txt").write_text("[diablerie.games]\ncoasters = coasters:GAME\n")
    return tmp_path


def first_pass(folder: Path, *arguments: str, **more: str) -> subprocess.CompletedProcess[str]:
    """What the command says, with the packages in a folder and more in the environment."""
    return subprocess.run(
        [sys.executable, "-m", "diablerie.testing", *arguments],
        capture_output=True,
        text=True,
        check=False,
        cwd=folder,
        env={**os.environ, "PYTHONPATH": os.pathsep.join([str(folder), str(ROOT / "src")]), **more},
    )


def plant(path: Path, right: str, wrong: str) -> int:
    """Change the first place in a file that says this; return its line."""
    text = path.read_text("utf-8")
    before, found, after = text.partition(right)
    assert found
    path.write_text(before + wrong + after, "utf-8")
    return before.count("\n") + 1


def test_a_misspelt_field_is_told_in_one_sentence_with_file_and_line(folder):
    line = plant(folder / "coasters/rules/play.py", "s.laid[s.turn] += 1", "s.laidd[s.turn] += 1")
    done = first_pass(folder, "coasters")
    told, *rest = done.stdout.splitlines()
    place = Path("coasters") / "rules" / "play.py"
    assert told == f"{place}:{line}: the record has no field 'laidd'; did you mean 'laid'?"
    assert len(rest) == 3  # the law, the position, and how many laws fail
    assert done.stderr == ""
    assert done.returncode != 0


def test_where_no_law_has_the_name_none_was_held_also_beside_tests_of_others():
    done = first_pass(ROOT, "tails", "-k", "winess", **UNCOMPILED)
    assert (done.stdout.count("\n"), done.stderr) == (1, "")
    assert "no law was held" in done.stdout
    assert done.returncode != 0


def test_a_law_that_fails_is_told_with_its_line_and_position(folder):
    wrong = plant(folder / "coasters/rules/hidden.py", "EVERYONE if s.wake else", "EVERYONE or")
    assert wrong
    done = first_pass(folder, "coasters", "-k", "witness_is_exact", **UNCOMPILED)
    told, law, position, end = done.stdout.splitlines()
    assert "laws/unseen.py:" in told.replace(os.sep, "/")
    assert "witness names [-3, 0, 1, 2], but only to [" in told
    assert "found by test_a_witness_is_exact on coasters-3, and on " in law
    assert "of a random game" in position
    assert "node=DROP" in position
    assert "1 law fails" in end
    assert done.returncode == 1


def test_a_game_that_keeps_the_laws_passes_in_a_line(folder):
    done = first_pass(folder, "coasters", "-k", "witness_is_exact or beyond_a_buffer", **UNCOMPILED)
    assert done.stdout.startswith("coasters, uncompiled: no law fails (")
    assert done.stdout.count("\n") == 1
    assert (done.stderr, done.returncode) == ("", 0)


def test_a_game_that_cannot_be_loaded_is_told_with_file_and_line(tmp_path, monkeypatch):
    (tmp_path / "unfinished.py").write_text("EACH = 4\nGAME = Game(each=EACH)\n")
    monkeypatch.syspath_prepend(tmp_path)
    point = EntryPoint("unfinished", "unfinished:GAME", "diablerie.games")
    monkeypatch.setattr(plugin, "entry_points", lambda **_: [point])
    told = plugin.missing("unfinished")
    assert told.endswith("unfinished.py:2: NameError: name 'Game' is not defined")


def test_without_a_game_it_says_how_it_is_used(capsys):
    assert main([]) == main(["-k", "witness"]) == 2
    assert capsys.readouterr().err.count("usage: python -m diablerie.testing GAME") == 2


def test_for_an_unknown_game_it_says_which_there_are():
    assert plugin.missing("nowhere").startswith("there is no game nowhere, only coals, tails,")


# -- what the laws themselves are made of ------------------------------------------------------


def test_no_law_has_a_deadline():
    """On a busy machine one would fail without a mistake."""
    laws = [law for name, law in vars(contract).items() if name.startswith("test_")]
    tuned = [law._hypothesis_internal_use_settings for law in laws if hasattr(law, "hypothesis")]
    assert len(tuned) == 2
    assert {settings.deadline for settings in tuned} == {None}


@numba.njit
def put(array, i, x):
    array[i] = x


@pytest.mark.parametrize("beyond", [-1, 5])
def test_what_compiled_code_writes_beside_a_buffer_is_noticed(beyond):
    buffer = GuardedBuffer(5, np.int64)
    put(buffer.inner, 4, 7)
    buffer.check("it")
    put(buffer._whole, buffers.GUARD_ENTRIES + beyond, 7)
    with pytest.raises(AssertionError, match="it writes beyond a buffer of 5"):
        buffer.check("it")


def test_what_compiled_rules_write_beyond_the_record_is_noticed(monkeypatch):
    setting = GameSetting("tails", 2)
    node_states(setting)  # played before the rules are spoilt
    compiled = setting.start().verbs
    right = compiled.apply

    def spill(array, who, what):
        right(array, who, what)
        put(array.view(np.uint8), array.nbytes, 7)

    monkeypatch.setattr(compiled, "apply", spill)
    with pytest.raises(AssertionError, match="apply writes beyond the record"):
        record_law(setting)
