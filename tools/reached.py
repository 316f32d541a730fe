"""For `pytest -p`: which lines of diablerie each test executes, and what it takes.

In the folder $REACHED: `data*`, which coverage.py reads, with a context for each test and for each
fixture that several tests share; and `tests.jsonl`, a line for each test: its name, its outcome,
seconds of processor time, the shared fixtures it uses. Processes that a test starts are recorded as
its own. $REACHED_SECONDS limits a test, and twice as much all cases of one function together:
uncompiled, some would take hours.
"""

import json
import os
import signal
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from types import FrameType

import coverage
import pytest

FOLDER = Path(os.environ["REACHED"]).resolve()
LIMIT = float(os.environ.get("REACHED_SECONDS", "inf"))
SETTINGS = """[run]
source = {source}
data_file = {data}
disable_warnings = no-data-collected,module-not-imported,module-not-measured,couldnt-parse
"""
IN_OTHERS = "parallel = true\nsigterm = true\npatch = _exit\ncontext = ${REACHED_TEST}\n"
SOON = 0.01  # seconds until it is tried again
WHOLE = {"package", "module", "class", "session"}


class TooLongError(BaseException):
    """No Exception, so that nothing in a test takes it for its own."""


def _too_long(number: int, frame: FrameType | None) -> None:
    """Not while coverage works: it would keep its lock, and everything would wait for ever."""
    here = frame
    while here:
        if "coverage" in Path(here.f_code.co_filename).parts:
            signal.setitimer(signal.ITIMER_PROF, SOON)
            return
        here = here.f_back
    raise TooLongError


def _processor_time() -> float:
    """Of this process and of those it has waited for."""
    return sum(os.times()[:4])


def _context(definition: pytest.FixtureDef[object]) -> str:
    return f"fixture {definition.baseid}::{definition.argname}"


class Recorder:
    """Switches coverage's context; notes what became of each test."""

    def __init__(self) -> None:
        FOLDER.mkdir(parents=True, exist_ok=True)
        text = SETTINGS.format(source=Path("src/diablerie").resolve(), data=FOLDER / "data")
        (FOLDER / "here.ini").write_text(text)
        (FOLDER / "others.ini").write_text(text + IN_OTHERS)
        self.coverage = coverage.Coverage(config_file=str(FOLDER / "here.ini"), data_suffix="main")
        self.coverage.start()
        os.environ["COVERAGE_PROCESS_START"] = str(FOLDER / "others.ini")
        self.file = (FOLDER / "tests.jsonl").open("w")
        self.took: Counter[str] = Counter()
        self.outcome = ""
        self.now = ""

    def switch(self, context: str) -> str:
        """What is executed from now on belongs to this; what was before."""
        before, self.now = self.now, context
        self.coverage.switch_context(context)
        os.environ["REACHED_TEST"] = context
        return before

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Iterator[None]:
        """Note a test's lines, outcome and time."""
        self.outcome = "passed"
        self.switch(item.nodeid)
        began = _processor_time()
        try:
            return (yield)
        finally:
            took = _processor_time() - began
            self.took[item.nodeid.partition("[")[0]] += took
            info = item._fixtureinfo  # type: ignore[attr-defined]
            shared = {
                _context(one)
                for several in info.name2fixturedefs.values()
                for one in several
                if one.scope in WHOLE
            }
            one = {"test": item.nodeid, "outcome": self.outcome, "took": round(took, 3)}
            self.file.write(json.dumps(one | {"shared": sorted(shared)}) + "\n")
            self.switch("")

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_setup(self, item: pytest.Item) -> None:
        """Leave out what other cases have spent the time of."""
        if self.took[item.nodeid.partition("[")[0]] > 2 * LIMIT:
            pytest.skip("its other cases took long enough")

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_call(self) -> Iterator[None]:
        """End a test that takes too long."""
        if LIMIT < float("inf"):
            signal.signal(signal.SIGPROF, _too_long)
            signal.setitimer(signal.ITIMER_PROF, LIMIT)
        try:
            return (yield)
        finally:
            signal.setitimer(signal.ITIMER_PROF, 0)

    @pytest.hookimpl(wrapper=True)
    def pytest_fixture_setup(self, fixturedef: pytest.FixtureDef[object]) -> Iterator[object]:
        """What a shared fixture executes belongs to all tests that use it."""
        before = self.switch(_context(fixturedef)) if fixturedef.scope in WHOLE else None
        try:
            return (yield)
        finally:
            if before is not None:
                self.switch(before)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Keep the worst of a test's three outcomes."""
        if report.outcome != "passed":
            self.outcome = report.outcome

    def pytest_sessionfinish(self) -> None:
        """Write all down, that of other processes beside it."""
        self.file.close()
        self.coverage.stop()
        self.coverage.save()
        os.environ.pop("COVERAGE_PROCESS_START")


RECORDER = Recorder()  # now: before the first conftest imports what is to be recorded


def pytest_configure(config: pytest.Config) -> None:
    """Have it told of tests."""
    config.pluginmanager.register(RECORDER, "reached")
