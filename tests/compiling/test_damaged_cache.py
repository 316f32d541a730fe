"""Files of the compile cache that are cut off, changed or gone: what they held is compiled anew."""

import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest

from diablerie.compiling.rules_compiler import RulesCompiler
from diablerie.compiling.units import BOTS_UNIT, UNITS, is_compiled, mark_unit, unit_marker
from diablerie.engine import checked_files, code_files, sources
from diablerie.engine.checked_files import read_checked, write_checked
from diablerie.engine.code_files import CodeFiles
from tests.web.test_serve import answering, free_port, some_plies

PROGRAM = """
import sys
from numba.core import event
from diablerie.engine import verbs
from diablerie.engine.rng import bits, seeded, unit
with event.install_recorder("numba:compile") as recorder:
    print(int(bits(seeded(7))), float(unit(seeded(7))))
print(len(recorder.buffer), file=sys.stderr)
"""


def cut_to_nothing(path: Path) -> None:
    path.write_bytes(b"")


def cut_to_half(path: Path) -> None:
    data = path.read_bytes()
    path.write_bytes(data[: len(data) // 2])


def change_a_byte(path: Path) -> None:
    data = bytearray(path.read_bytes())
    data[-len(data) // 3] ^= 0x10
    path.write_bytes(data)


DAMAGE = (cut_to_nothing, cut_to_half, change_a_byte)


def run(folder: Path) -> tuple[str, list[str]]:
    """What a program that calls two rules prints, and the lines on its standard error."""
    env = {**os.environ, "DIABLERIE_CACHE": str(folder), "NUMBA_DISABLE_JIT": "0"}
    command = [sys.executable, "-c", PROGRAM]
    done = subprocess.run(command, env=env, capture_output=True, text=True, check=True)
    return done.stdout, done.stderr.splitlines()


@pytest.mark.ci
def test_damaged_code_is_compiled_anew_with_one_line_and_never_run(tmp_path: Path) -> None:
    right, (events,) = run(tmp_path)
    assert int(events) > 0
    kept = sorted(tmp_path.rglob("*.nbc"))
    assert len(kept) >= 2
    assert run(tmp_path) == (right, ["0"]), "all comes from the cache"
    for harm in DAMAGE:
        for path in kept:
            harm(path)
        found, (line, events) = run(tmp_path)
        assert found == right
        assert "damaged" in line
        assert int(events) > 0
        assert run(tmp_path) == (right, ["0"]), "it has healed"


@pytest.mark.parametrize("harm", DAMAGE)
def test_a_damaged_file_is_not_there(harm: Callable[[Path], None], tmp_path: Path) -> None:
    path = tmp_path / "file"
    assert read_checked(path) is None
    write_checked(path, b"content")
    assert read_checked(path) == b"content"
    harm(path)
    assert read_checked(path) is None
    assert not path.exists()


def test_of_many_damaged_files_one_is_told(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    checked_files.tell_damage.cache_clear()
    for name in ("a", "b"):
        cut_to_nothing(tmp_path / name)
        read_checked(tmp_path / name)
    assert len(caplog.records) == 1
    assert str(tmp_path / "a") in caplog.text
    checked_files.tell_damage.cache_clear()


def test_code_of_another_signature_under_this_ones_name_is_not_taken(tmp_path: Path) -> None:
    files = CodeFiles(str(tmp_path), "rule", "stamp")
    files.save(("int64",), "code")
    assert files.load(("int64",)) == "code"
    (path,) = tmp_path.iterdir()
    path.rename(files._path(("float64",)))
    assert files.load(("float64",)) is None
    assert CodeFiles(str(tmp_path), "rule", "later").load(("int64",)) is None


def test_two_signatures_that_are_kept_at_once_are_both_found(tmp_path: Path) -> None:
    """Numba's index, which both would have read and written, would have lost one."""
    one, other = (CodeFiles(str(tmp_path), "rule", "stamp") for _ in range(2))
    one.save(("int64",), "of integers")
    other.save(("float64",), "of floats")
    for files in (one, other):
        assert files.load(("int64",)) == "of integers"
        assert files.load(("float64",)) == "of floats"


def test_what_was_pickled_by_other_libraries_is_not_there(tmp_path: Path) -> None:
    files = CodeFiles(str(tmp_path), "rule", "stamp")
    write_checked(files._path("key"), b"no pickle")
    assert files.load("key") is None


@pytest.fixture
def cold(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    monkeypatch.setenv("DIABLERIE_CACHE", str(tmp_path))
    monkeypatch.setattr(code_files, "used", set())
    return sources.cache_folder()


@pytest.mark.parametrize("harm", [*DAMAGE, Path.unlink])
@pytest.mark.parametrize("what", ["code", "mark"])
def test_a_mark_is_believed_only_with_all_code_that_it_names(
    harm: Callable[[Path], None], what: str, cold: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    code, unit = cold / "rule.nbc", next(iter(UNITS))
    write_checked(code, b"code")
    monkeypatch.setattr("diablerie.compiling.units.used", {code})
    mark_unit("coals", unit)
    assert is_compiled("coals", unit)
    harm(code if what == "code" else unit_marker("coals", unit))
    assert not is_compiled("coals", unit)


def test_a_server_compiles_what_is_damaged(cold: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    code = cold / "rule.nbc"
    write_checked(code, b"code")
    monkeypatch.setattr("diablerie.compiling.units.used", {code})
    for unit in UNITS:
        mark_unit("coals", unit)
    assert RulesCompiler(takes_over=False).can("coals", BOTS_UNIT)
    change_a_byte(code)
    assert not RulesCompiler(takes_over=False).can("coals", BOTS_UNIT)


# -- folders that cannot be used -----------------------------------------------------------------


def test_a_folder_that_cannot_be_written_is_replaced_for_this_run_with_what_it_holds(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setenv("DIABLERIE_CACHE", str(tmp_path / "cache"))
    kept = tmp_path / "cache" / "rules" / sources.source_digest()
    kept.mkdir(parents=True)
    write_checked(kept / "file", b"content")

    def refused(**_: object) -> None:
        raise PermissionError(13, "Permission denied")

    with monkeypatch.context() as patched:
        patched.setattr(sources, "TemporaryFile", refused)
        here = sources.cache_folder()
    assert here != kept
    assert read_checked(here / "file") == b"content"
    write_checked(here / "file", b"new")
    assert read_checked(kept / "file") == b"content"
    assert sources.cache_folder() == here, "children find it by the variable"
    assert "this run only" in caplog.text


def test_code_that_cannot_be_kept_is_no_failure(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(code_files, "write_checked", full)
    CodeFiles(str(tmp_path / "there"), "rule", "stamp").save("key", "code")
    assert "No space left" in caplog.text
    assert CodeFiles(str(tmp_path), "rule", "stamp").load("key") is None


# -- a server -----------------------------------------------------------------------------------


@contextmanager
def serving(cache: Path, folder: Path) -> Iterator[tuple[httpx.Client, Path]]:
    """A server with a cache of its own, and the file of what it says."""
    port, said = free_port(), folder / "said"
    command = [sys.executable, "-m", "diablerie", "serve", "--port", str(port), "--no-open"]
    command += ["--db", str(folder / "tables.db"), "--tempo", "0"]
    env = {**os.environ, "DIABLERIE_CACHE": str(cache), "NUMBA_DISABLE_JIT": "0"}
    with (
        said.open("w") as out,
        subprocess.Popen(command, stdout=out, stderr=out, env=env) as process,
    ):
        try:
            answering(port, 300)
            home, json = f"http://127.0.0.1:{port}", {"accept": "application/json"}
            with httpx.Client(base_url=home, headers=json, timeout=60) as client:
                yield client, said
        finally:
            process.terminate()


def told(client: httpx.Client) -> str:
    """What the server says of the rules of COALS."""
    said = client.get("/healthz").raise_for_status().json()
    assert said["status"] == "ok"
    return str(said["rules"]["coals"])


def compiled(client: httpx.Client) -> None:
    until = time.monotonic() + 900
    while told(client) != "compiled":
        assert time.monotonic() < until
        time.sleep(1.0)  # who asks more often is refused


@pytest.mark.ci
@pytest.mark.slow
@pytest.mark.parametrize("harm", DAMAGE)
def test_a_server_says_what_holds_and_plays_while_a_damaged_game_is_compiled_anew(
    harm: Callable[[Path], None], tmp_path: Path
) -> None:
    cache = tmp_path / "cache"
    shutil.copytree(sources.cache_root() / "rules", cache / "rules")
    with serving(cache, tmp_path) as (client, _):
        compiled(client)
    harm(next(cache.rglob("diablerie.games.coals.rules/play.apply-*.nbc")))
    with serving(cache, tmp_path) as (client, said):
        assert told(client) == "interpreted"
        table = client.post("/tables", data={"game": "coals", "way": "bots"}).json()["url"]
        some_plies(client, table)
        compiled(client)
        some_plies(client, table)
        assert said.read_text().count("damaged") == 1
    with serving(cache, tmp_path) as (client, said):  # it has healed
        assert told(client) == "compiled"
        assert "damaged" not in said.read_text()
