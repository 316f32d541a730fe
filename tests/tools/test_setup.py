"""The set-up of `.venv`: what it takes from pip's settings, and how it heals what was cut off."""

import os
import shutil
import signal
import subprocess
import sys
import time
import zipfile
from pathlib import Path
from types import SimpleNamespace

import pytest

from tools import setup

ROOT = Path(__file__).parents[2]
SETTINGS = """
[global]
user = true
quiet = 1
index-url = https://house.example/simple
find-links =
    /a
    /b
[install]
prefix = /nowhere
index-url = https://install.example/simple
[download]
index-url = https://download.example/simple
"""
INSTALLING = f"{setup.PUTS}: numpy"


@pytest.fixture
def venv(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder `.venv` of a clone that is not set up yet."""
    folder = tmp_path / ".venv"
    for name, path in (
        ("ROOT", tmp_path),
        ("VENV", folder),
        ("PYTHON", folder / "bin" / "python"),
        ("UNFINISHED", folder / "unfinished"),
        ("PLACE", folder / "place"),
    ):
        monkeypatch.setattr(setup, name, path)
    monkeypatch.setattr(setup, "made", lambda: empty(folder))
    monkeypatch.setattr(setup, "install_projects", lambda _: "")
    monkeypatch.setattr(sys, "argv", ["setup.py", "play"])
    return folder


def empty(folder: Path) -> bool:
    """Make a new environment there, with something in place of Python that always succeeds."""
    shutil.rmtree(folder, ignore_errors=True)
    (folder / "bin").mkdir(parents=True)
    (folder / "bin" / "pip").touch()
    (folder / "bin" / "python").symlink_to(str(shutil.which("true")))
    return True


def installs(monkeypatch: pytest.MonkeyPatch, said: str | type[BaseException]) -> None:
    """Let pip fail with these words, or be killed, or do its work."""

    def installed(_: object) -> str:
        if isinstance(said, str):
            return said
        raise said

    monkeypatch.setattr(setup, "install_locked", installed)


def test_pip_is_told_how_packages_are_reached_and_not_where_they_go(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "pip.conf").write_text(SETTINGS)
    given = {"CONFIG_FILE": tmp_path / "pip.conf", "USER": 1, "TARGET": "/x", "ROOT": "/y"}
    given |= {"CERT": "/own.pem", "CONSTRAINT": "/c.txt", "DEFAULT_TIMEOUT": 7, "QUIET": 2}
    for name, value in given.items():
        monkeypatch.setenv(f"PIP_{name}", str(value))
    monkeypatch.setenv("PYTHONPATH", "/elsewhere")
    monkeypatch.setattr(setup, "PYTHON", Path(sys.executable))
    for name in ("FIND_LINKS", "INDEX_URL", "EXTRA_INDEX_URL"):
        monkeypatch.delenv(f"PIP_{name}", raising=False)
    found = setup.pip_environment()
    assert "PYTHONPATH" not in found
    assert found["PIP_INDEX_URL"] == "https://install.example/simple"
    assert found["PIP_FIND_LINKS"].split() == ["/a", "/b"]
    assert found["PIP_CERT"] == "/own.pem"
    assert found["PIP_DEFAULT_TIMEOUT"] == "7"
    assert found["PIP_CONFIG_FILE"] == os.devnull
    for name in ("USER", "TARGET", "ROOT", "PREFIX", "CONSTRAINT", "QUIET"):
        assert f"PIP_{name}" not in found


def wheel(folder: Path) -> Path:
    """A package with one module."""
    path = folder / "tiny-1-py3-none-any.whl"
    with zipfile.ZipFile(path, "w") as packed:
        packed.writestr("tiny.py", "")
        about = "tiny-1.dist-info"
        packed.writestr(f"{about}/METADATA", "Metadata-Version: 2.1\nName: tiny\nVersion: 1\n")
        packed.writestr(f"{about}/WHEEL", "Wheel-Version: 1.0\nTag: py3-none-any\n")
        packed.writestr(f"{about}/RECORD", "")
    return path


def test_a_package_is_installed_whatever_pip_is_set_up_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "pip.conf").write_text("[global]\nuser = true\nprefix = /nowhere\n")
    monkeypatch.setenv("PIP_CONFIG_FILE", str(tmp_path / "pip.conf"))
    for name in ("PIP_USER", "PIP_REQUIRE_HASHES", "PIP_DRY_RUN"):
        monkeypatch.setenv(name, "1")
    monkeypatch.setattr(setup, "PYTHON", Path(sys.executable))
    there = tmp_path / "there"
    assert setup.install("--no-index", "--target", str(there), str(wheel(tmp_path))) == ""
    assert (there / "tiny.py").exists()


def test_a_set_up_that_ends_well_leaves_no_mark(
    venv: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    installs(monkeypatch, "")
    assert setup.main() == 0
    assert (venv / "ready-play").exists()
    assert not setup.UNFINISHED.exists()
    (venv / "kept").touch()
    assert setup.main() == 0
    assert (venv / "kept").exists(), "it is used again"
    assert capsys.readouterr().out.count("Making a virtual environment") == 1


def test_a_set_up_that_was_killed_is_made_anew(
    venv: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    installs(monkeypatch, KeyboardInterrupt)
    with pytest.raises(KeyboardInterrupt):
        setup.main()
    (venv / "half").touch()
    installs(monkeypatch, "")
    assert setup.main() == 0
    assert not (venv / "half").exists()
    assert "anew: its set-up was cut off" in capsys.readouterr().out


def test_pip_that_failed_before_it_wrote_anything_has_changed_nothing(
    venv: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    installs(monkeypatch, "NameResolutionError")
    assert setup.main() == 2
    assert setup.worn() == ""
    installs(monkeypatch, f"{INSTALLING}\nNo space left on device")
    assert setup.main() == 2
    assert setup.worn() == "its set-up was cut off"
    assert venv.exists()


def test_what_has_moved_is_made_anew(
    venv: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    installs(monkeypatch, "")
    assert setup.main() == 0
    assert setup.worn() == ""
    monkeypatch.setattr(setup, "ROOT", tmp_path / "renamed")
    assert "moved" in setup.worn()
    monkeypatch.setattr(setup, "ROOT", tmp_path)
    setup.PYTHON.unlink()
    setup.PYTHON.symlink_to("/nowhere/python3.10")
    assert "moved" in setup.worn()
    setup.PLACE.unlink()  # as in one that an earlier version made
    assert setup.worn() == "its Python is gone"
    setup.PYTHON.unlink()
    setup.PYTHON.symlink_to(str(shutil.which("false")))
    assert setup.worn() == "its Python does not run"
    assert setup.main() == 0
    assert setup.worn() == ""
    assert venv.exists()


def test_a_folder_where_nothing_may_run_is_told_before_anything_is_made(
    venv: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("os.statvfs", lambda _: SimpleNamespace(f_flag=os.ST_NOEXEC))
    assert setup.main() == 2
    assert "noexec" in capsys.readouterr().err
    assert not venv.exists()


# -- make ----------------------------------------------------------------------------------------


@pytest.fixture
def clone(tmp_path: Path) -> Path:
    """A clone with the Makefile alone, which is set up."""
    folder = tmp_path / "a clone"
    for name in ("pyproject.toml", "plugins/exact/pyproject.toml", "locked.txt", "tools/setup.py"):
        file = folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.touch()
    shutil.copy(ROOT / "Makefile", folder)
    empty(folder / ".venv")
    python = os.path.realpath(folder / ".venv" / "bin" / "python")
    (folder / ".venv" / "place").write_text(f"{folder.resolve()}\n{python}\n")
    (folder / ".venv" / "ready-play").touch()
    return folder


def makes(folder: Path) -> str:
    """What `make play` would do there."""
    command = ["make", "--dry-run", "--no-print-directory", "play"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    return done.stdout


def test_make_starts_what_is_set_up(clone: Path) -> None:
    assert "setup.py" not in makes(clone)


def test_make_sets_up_a_clone_that_has_moved(clone: Path) -> None:
    assert "setup.py" in makes(clone.rename(clone.with_name("moved")))


def test_a_folder_whose_name_is_no_text_is_set_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As older machines wrote them, in Latin-1."""
    folder = tmp_path / os.fsdecode(b"spi\xeble")
    (folder / "bin").mkdir(parents=True)
    monkeypatch.setattr(setup, "ROOT", folder)
    monkeypatch.setattr(setup, "PLACE", folder / "place")
    monkeypatch.setattr(setup, "PYTHON", folder / "bin" / "python")
    (folder / "place").write_bytes(setup.place())
    command = 'test "$(pwd -P; readlink -m bin/python)" = "$(cat place)"'  # as in the Makefile
    subprocess.run(["sh", "-c", command], cwd=folder, check=True)


def test_make_sets_up_where_the_python_has_gone(clone: Path) -> None:
    python = clone / ".venv" / "bin" / "python"
    python.unlink()
    python.symlink_to("/nowhere/python3.10")
    assert "setup.py" in makes(clone)


def test_make_sets_up_what_was_cut_off(clone: Path) -> None:
    (clone / ".venv" / "unfinished").touch()
    assert "setup.py" in makes(clone)


def test_make_sets_up_what_an_earlier_version_made(clone: Path) -> None:
    (clone / ".venv" / "place").unlink()
    assert "setup.py" in makes(clone)


def test_who_ends_make_ends_the_server(clone: Path) -> None:
    """By SIGTERM, as service managers and closed terminals do."""
    program = clone / ".venv" / "bin" / "diablerie"
    program.write_text("#!/bin/sh\necho $DIABLERIE_MAKE $$\nexec sleep 600\n")
    program.chmod(0o755)
    command = ["make", "--no-print-directory", "play"]
    with subprocess.Popen(command, cwd=clone, stdout=subprocess.PIPE, text=True) as running:
        assert running.stdout
        told, number = running.stdout.readline().split()
        assert told == "1"
        running.send_signal(signal.SIGTERM)
        running.wait()
        try:
            assert ends(int(number))
        finally:
            if not ends(int(number), 0.0):
                os.kill(int(number), signal.SIGKILL)


def ends(process: int, patience: float = 30.0) -> bool:
    """Whether a process ends within so many seconds."""
    until = time.monotonic() + patience
    while (running := is_running(process)) and time.monotonic() < until:
        time.sleep(0.01)
    return not running


def is_running(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    return True
