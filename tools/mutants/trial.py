"""One mutant and its tests, in a fork of a process that has everything loaded: a pytest plugin.

pytest collects the tests once. For every mutant the process forks; the fork exchanges the code of
the functions that the mistake is in, runs the tests that reach it, the quickest first, and ends
with the first that fails. What cannot be exchanged (what ran when modules were imported) is tried
by `cold` in a process of its own. What tests start as processes gets the mistake through `site`.
"""

import gc
import json
import os
import select
import signal
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from functools import _lru_cache_wrapper
from pathlib import Path
from types import CodeType, FunctionType
from typing import Any

import pytest

from tools.mutants import cold, python
from tools.mutants.sampling import manner

PATIENCE = 60.0  # seconds that any mutant may take: machines that measure are busy
SLOWER = 8  # times the recorded time of its tests


class Trials:
    """Instead of running the tests: tries the mutants of `TRIALS_JOBS`, a line of result each."""

    def __init__(self) -> None:
        self.jobs: list[dict[str, Any]] = json.loads(Path(os.environ["TRIALS_JOBS"]).read_text())
        self.results = Path(os.environ["TRIALS_RESULTS"])
        self.sound: dict[str, bool] = {}
        self.noticed: tuple[str, str] | None = None

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """Every job in turn."""
        if "diablerie" in sys.modules:
            warm()
        gc.freeze()
        items = {item.nodeid: item for item in session.items}
        for job in self.jobs:
            began = time.monotonic()
            found = self._tried(items, job)
            found |= {"mutant": job["mutant"], "tests": len(job["tests"])}
            found["seconds"] = round(time.monotonic() - began, 1)
            with self.results.open("a") as file:
                file.write(json.dumps(found) + "\n")
        return True

    def _tried(self, items: dict[str, pytest.Item], job: dict[str, Any]) -> dict[str, Any]:
        tests = [name for name in job["tests"] if name in items]
        if not tests:
            return {"state": "survived", "why": "no test reaches it"}
        while tests:
            found = self._forked([items[name] for name in tests], job)
            test = found.get("test")
            if not test or self._is_sound(items[test]):
                return found
            tests = tests[tests.index(test) + 1 :]  # it fails here on the sound code, too
        return {"state": "survived", "why": "no sound test reaches it"}

    def _is_sound(self, item: pytest.Item) -> bool:
        """Whether a test passes without any mistake, here and now."""
        if item.nodeid not in self.sound:
            found = self._forked([item], {"seconds": 30.0, "mutant": None})
            self.sound[item.nodeid] = found["state"] == "survived"
        return self.sound[item.nodeid]

    def _forked(self, items: list[pytest.Item], job: dict[str, Any]) -> dict[str, Any]:
        """What a fork finds: read from its pipe, within its time."""
        limit = PATIENCE + SLOWER * job["seconds"]
        there, here = os.pipe()
        pid = os.fork()
        if not pid:
            os.close(there)
            self._as_child(items, job, here, limit)
        os.close(here)
        told = _read(there, limit)
        for one in [*descendants(pid), pid]:
            _kill(one)
        os.waitpid(pid, 0)
        if told is None:
            return {"state": "killed", "why": "time"}
        return json.loads(told) if told else {"state": "killed", "why": "the process ended"}

    def _as_child(
        self, items: list[pytest.Item], job: dict[str, Any], pipe: int, limit: float
    ) -> None:
        """Run the tests with the mistake; never returns."""
        found: dict[str, Any] = {"state": "survived"}
        try:
            os.setsid()
            signal.signal(signal.SIGINT, signal.SIG_IGN)
            if job["mutant"]:
                os.environ["DIABLERIE_MUTANT"] = json.dumps([job["path"], job["number"]])
            if job["mutant"] and (job["cold"] or not exchanged(job["path"], job["number"])):
                found = cold.tried([item.nodeid for item in items], limit)
            else:
                found = self._here(items)
        except BaseException as error:
            found = {"state": "broken", "why": repr(error)}
        finally:
            os.write(pipe, json.dumps(found).encode())
            os._exit(0)

    def _here(self, items: list[pytest.Item]) -> dict[str, Any]:
        for item, after in zip(items, [*items[1:], None], strict=True):
            item.config.hook.pytest_runtest_protocol(item=item, nextitem=after)
            if self.noticed:
                return {"state": "killed", "test": self.noticed[0], "why": self.noticed[1]}
        return {"state": "survived"}

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Keep the first failure."""
        if report.failed and not self.noticed:
            said = str(getattr(report.longrepr, "reprcrash", None) or report.longrepr)
            self.noticed = report.nodeid, said.replace("\n", " ")[-300:]


def warm() -> None:
    """Fetch the machine code that most tests call, so that not every fork does; forget the rest."""
    from diablerie.games import ALL
    from diablerie.testing.positions import GameSetting, played_match

    for name, game in ALL.items():
        match = played_match(GameSetting(name, game.seats[0]), 6)
        for viewer in (-1, 0):
            view = match.view(viewer)
            game.ui.draw(view, [], str)
            game.ui.prompt(match.seen_by(viewer), viewer)
        match.log(0)
    for one in gc.get_objects():
        if isinstance(one, _lru_cache_wrapper) and ".ui." in (one.__module__ or ""):
            one.cache_clear()


def exchanged(path: str, number: int) -> bool:
    """Put the mistake into the functions of this process; False if it cannot be done."""
    full = Path(path).absolute()
    source = full.read_text("utf-8")
    _, tree = python.changed(source, number, *manner(path, source))
    changed = _codes(compile(tree, str(full), "exec"))
    sound = _codes(compile(source, str(full), "exec"))
    if changed.keys() != sound.keys():
        return False
    other = {key: code for key, code in changed.items() if code != sound[key]}
    if None in other.values():
        return False
    done = False
    for one in _functions(str(full)):
        code = other.get((one.__code__.co_qualname, one.__code__.co_firstlineno))
        if code is None:
            continue
        if code.co_freevars != one.__code__.co_freevars:
            return False
        one.__code__ = code
        done = True
    return done


def _functions(path: str) -> Iterator[FunctionType]:
    gc.unfreeze()
    for one in gc.get_objects():
        if type(one) is FunctionType and one.__code__.co_filename == path:
            yield one


def _codes(code: CodeType) -> dict[tuple[str, int], CodeType | None]:
    """All code inside a module's, by name and line; None where two have the same (lambdas)."""
    found: dict[tuple[str, int], CodeType | None] = {}
    todo = [code]
    while todo:
        for one in todo.pop().co_consts:
            if isinstance(one, CodeType):
                key = (one.co_qualname, one.co_firstlineno)
                found[key] = None if key in found and found[key] != one else one
                todo.append(one)
    return found


def _read(pipe: int, limit: float) -> bytes | None:
    """All that is written into a pipe until it is closed; None if that takes too long."""
    end = time.monotonic() + limit
    told = b""
    try:
        while (left := end - time.monotonic()) > 0:
            if select.select([pipe], [], [], left)[0]:
                part = os.read(pipe, 65536)
                if not part:
                    return told
                told += part
                if told.endswith(b"}"):
                    return told  # processes it started may hold the pipe open
        return None
    finally:
        os.close(pipe)


def descendants(pid: int) -> Iterator[int]:
    """All processes that a process has started, and those that these have."""
    children: dict[int, list[int]] = {}
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            number, _, rest = stat.read_text().partition(" ")
        except OSError:
            continue
        children.setdefault(int(rest.rpartition(")")[2].split()[1]), []).append(int(number))
    todo = [pid]
    while todo:
        todo += (found := children.get(todo.pop(), []))
        yield from found


def _kill(pid: int) -> None:
    with suppress(ProcessLookupError):
        os.kill(pid, signal.SIGKILL)


def pytest_configure(config: pytest.Config) -> None:
    """Take the place of pytest's own loop."""
    no_new_machine_code()
    config.pluginmanager.register(Trials(), "trials")


def no_new_machine_code() -> None:
    """Nothing that a mutant compiles may stay for others in Numba's cache."""
    if caching := sys.modules.get("numba.core.caching"):
        caching.Cache.save_overload = lambda *_: None
