"""Which tests reach which lines, and how long each takes: a pytest plugin, run once.

coverage.py records every test in a context of its own, and what a test starts as processes of its
own with it. What is found is kept by test file (`REACH_FOLDER`), so that only new and changed ones
need be recorded again. A test that takes more than `REACH_LIMIT` seconds of processor time is
stopped and left out: what it alone would notice counts as not noticed.
"""

import hashlib
import json
import os
import signal
import tempfile
from collections.abc import Generator, Iterable
from pathlib import Path
from time import perf_counter, process_time
from typing import Any

import coverage
import pytest

LIMIT = float(os.environ.get("REACH_LIMIT", "15"))
WAITED = 0.05  # of a second counts each that a test waits and does not compute
SOURCE = Path("src/diablerie").absolute()


class TooLong(BaseException):
    """A test that takes too long to be run for every mutant."""


def _stop(*_: object) -> None:
    raise TooLong


def kept(folder: Path, test_file: str) -> Path:
    """The file of what a test file reaches, named by its content too."""
    digest = hashlib.sha256(Path(test_file).read_bytes()).hexdigest()[:12]
    return folder / f"{test_file.replace('/', '.')}-{digest}.json"


class Recorder:
    """Records for as long as pytest runs; what a test file reaches is written when it is done."""

    def __init__(self) -> None:
        self.folder = Path(os.environ["REACH_FOLDER"])
        self.parts = Path(tempfile.mkdtemp())
        self.tests: dict[str, float] = {}
        self.failed: set[str] = set()
        self.now = ""
        settings = self.parts / "settings"
        settings.write_text(
            f"[run]\nsource = {SOURCE}\ncontext = ${{REACH_TEST}}\nparallel = true\n"
            f"data_file = {self.parts / 'started'}\nconcurrency = thread,multiprocessing\n"
        )
        os.environ["COVERAGE_PROCESS_START"] = str(settings)
        os.environ["REACH_TEST"] = ""
        self._begin()

    def _begin(self) -> None:
        self.coverage = coverage.Coverage(
            data_file=None, source=[str(SOURCE)], config_file=False, check_preimported=False
        )
        self.coverage.set_option("run:disable_warnings", ["no-data-collected"])
        self.coverage.start()

    def _end(self) -> dict[str, dict[int, set[str]]]:
        """Lines by file, and tests by line, of what was recorded since the last time."""
        self.coverage.stop()
        data = self.coverage.get_data()
        parts = coverage.CoverageData(basename=str(self.parts / "whole"))
        parts.erase()
        parts.update(data)
        for path in self.parts.glob("started.*"):
            part = coverage.CoverageData(basename=str(path))
            try:
                part.read()
                parts.update(part)
            except coverage.CoverageException:
                pass  # a process that was killed while it wrote
            path.unlink()
        found = {}
        for path in map(Path, sorted(parts.measured_files())):
            name = "src/diablerie/" + path.relative_to(SOURCE).as_posix()
            by_line = parts.contexts_by_lineno(str(path))
            found[name] = {line: set(tests) for line, tests in by_line.items()}
        parts.close()
        return found

    @pytest.hookimpl(wrapper=True)
    def pytest_collection(self) -> Generator[None, Any, Any]:
        """What is imported by then ran without any test."""
        result = yield
        found = self._end()
        imported = {name: sorted(lines) for name, lines in found.items()}
        (self.folder / "imported" / f"{os.getpid()}.json").write_text(json.dumps(imported))
        self._begin()
        return result

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Generator[None, Any, Any]:
        """One test, in its own context and with its own time."""
        here = item.nodeid.partition("::")[0]
        if here != self.now:
            self._write()
            self.now = here
        os.environ["REACH_TEST"] = item.nodeid
        self.coverage.switch_context(item.nodeid)
        signal.signal(signal.SIGPROF, _stop)
        signal.setitimer(signal.ITIMER_PROF, LIMIT)
        began, used = perf_counter(), process_time()
        try:
            return (yield)
        finally:
            signal.setitimer(signal.ITIMER_PROF, 0)
            seconds = process_time() - used + WAITED * (perf_counter() - began)
            self.tests[item.nodeid] = round(seconds, 3)
            self.coverage.switch_context("")
            os.environ["REACH_TEST"] = ""

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Only tests that pass on the sound code can tell a mutant from it."""
        if report.failed or report.skipped:
            self.failed.add(report.nodeid)

    def pytest_sessionfinish(self) -> None:
        """The last file."""
        self._write()

    def _write(self) -> None:
        found = self._end()
        if self.now:
            usable = [name for name in self.tests if name not in self.failed]
            number = {name: at for at, name in enumerate(usable)}
            lines = {
                name: {line: reached for line, tests in sorted(by_line.items())
                       if (reached := _numbers(tests, number))}
                for name, by_line in found.items()
            }  # fmt: skip
            whole = {
                "tests": [[name, self.tests[name]] for name in usable],
                "left out": sorted(self.failed),
                "lines": {name: by_line for name, by_line in lines.items() if by_line},
            }
            kept(self.folder, self.now).write_text(json.dumps(whole))
        self.tests, self.failed = {}, set()
        self._begin()


def _numbers(tests: Iterable[str], number: dict[str, int]) -> list[int]:
    return sorted(number[one] for one in tests if one in number)


@pytest.hookimpl(tryfirst=True)
def pytest_load_initial_conftests(early_config: pytest.Config) -> None:
    """Begin before anything of the house is imported."""
    early_config.pluginmanager.register(Recorder(), "reach")
