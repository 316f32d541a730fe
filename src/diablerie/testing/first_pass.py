"""A plugin for pytest: what `python -m diablerie.testing GAME` holds, and what it says.

Of each law that fails it says where, and in which position. It stops at the first exception that
the game itself raises, and names the line: no law says anything about rules that break.
"""

import os
import time
import traceback
from collections.abc import Iterator
from difflib import get_close_matches
from importlib.metadata import entry_points
from importlib.resources import files
from pathlib import Path
from types import TracebackType
from typing import Any, NamedTuple

import pytest

from diablerie.engine.game import Game
from diablerie.engine.record import Record
from diablerie.engine.sources import GROUP
from diablerie.games import ALL
from diablerie.testing.positions import GameSetting, PlaceInGame, played_games

TESTING = Path(__file__).parent
ACTORS = ("viewer", "seat", "who", "what", "action")  # of a law's variables, those that are told


class FailedLaw(NamedTuple):
    """A law that fails: on which setting, with what error, and where."""

    law: str
    setting: str
    error: str
    line: str  # FILE:LINE of the game if it raised the error, else of the law
    position: str


class FirstPass:
    """Holds the laws against one game, collects what fails, and tells it in the end."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.held = 0
        self.started = time.monotonic()
        self.found: dict[str, list[FailedLaw]] = {}  # by law

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(
        self, item: pytest.Item, call: pytest.CallInfo[None]
    ) -> Iterator[Any]:
        """Keep what went wrong while a law was held."""
        self.held += call.when == "call"
        if call.excinfo is not None:
            found = explain(self.game, item, call.excinfo.value)
            self.found.setdefault(found.law, []).append(found)
            if not isinstance(call.excinfo.value, AssertionError):
                item.session.shouldstop = found.error
        return (yield)

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        """Tell at once why the laws cannot be collected."""
        if report.failed:
            print(report.longrepr)

    def pytest_sessionfinish(self) -> None:
        """Tell what was found."""
        for found in self.found.values():
            print(failure_text(found))
        failed = len(self.found)
        seconds = time.monotonic() - self.started
        ended = "no law fails" if self.held else "no law was held"
        if failed:
            ended = f"{failed} {'law fails' if failed == 1 else 'laws fail'}"
        print(f"{self.game.name}, uncompiled: {ended} ({self.held} tests, {seconds:.0f} s)")


def failure_text(found: list[FailedLaw]) -> str:
    """How a law failed at first, and on how many settings, in three lines."""
    first = found[0]
    others = f", and on {len(found) - 1} more" if len(found) > 1 else ""
    return "\n".join(
        filter(
            None,
            [
                f"{first.line}: {first.error}",
                f"    found by {first.law} on {first.setting}{others}",
                first.position and f"    at {first.position}",
            ],
        )
    )


def explain(game: Game, item: pytest.Item, error: BaseException) -> FailedLaw:
    """What a failed law says."""
    frames = list(_frames(error.__traceback__))
    home = Path(str(files(game.home))).resolve()
    lines = [line for path, line, _ in frames if path.is_relative_to(home)]
    lines = lines or [line for path, line, _ in frames if path.is_relative_to(TESTING / "laws")]
    law, _, setting = item.name.rstrip("]").partition("[")
    line = lines[-1] if lines else item.nodeid
    return FailedLaw(law, setting, _sentence(error), line, _position(game, item, frames))


def _frames(at: TracebackType | None) -> Iterator[tuple[Path, str, dict[str, object]]]:
    """The frames of a traceback: file, FILE:LINE, and local variables."""
    while at is not None:
        path = Path(at.tb_frame.f_code.co_filename).resolve()
        shown = os.path.relpath(path) if path.is_relative_to(Path.cwd()) else str(path)
        yield path, f"{shown}:{at.tb_lineno}", at.tb_frame.f_locals
        at = at.tb_next


def _sentence(error: BaseException) -> str:
    """An error in one sentence; for a field that there is not, with one like it."""
    text = str(error).partition("\n")[0]
    if isinstance(error, AttributeError) and isinstance(error.obj, Record):
        like = get_close_matches(error.name or "", error.obj.declared, 1)
        text = f"the record has no field {error.name!r}"
        return text + (f"; did you mean {like[0]!r}?" if like else "")
    if isinstance(error, AssertionError):
        return text or "the law does not hold"
    return f"{type(error).__name__}: {text}"


def _position(
    game: Game, item: pytest.Item, frames: list[tuple[Path, str, dict[str, object]]]
) -> str:
    """The position that a law failed at, from the variables of its code; "" if it has none."""
    setting: Any = item.funcargs.get("setting") if isinstance(item, pytest.Function) else None
    for path, _, variables in reversed(frames):
        if path.is_relative_to(TESTING):
            s = variables.get("s", variables.get("place", variables.get("entry")))
            s = getattr(s, "place", s)
            s = s.state if isinstance(s, PlaceInGame) else s
            if isinstance(s, Record):
                actors = [f"{name} {variables[name]}" for name in ACTORS if name in variables]
                return ", ".join([*_step(setting, s), *actors, _fields(game, s)])
    return ""


def _fields(game: Game, s: Record) -> str:
    fields = s.asdict() | {"node": game.node(s.node).name}
    return " ".join(f"{name}={value}" for name, value in fields.items()).replace(", ", ",")


def _step(setting: GameSetting | None, s: Record) -> list[str]:
    """Where a state comes from, if it is one of the played games."""
    try:
        games = played_games(setting) if setting else []
    except Exception:  # rules with mistakes may fail in any way
        return []
    for n, game in enumerate(games):
        for i, state in enumerate(game.states):
            if state.data == s.data:
                return [f"step {i} of {'an advised' if n % 2 else 'a random'} game"]
    return []


def pytest_addoption(parser: pytest.Parser) -> None:
    """The game's name."""
    parser.addoption("--game", required=True)


def pytest_configure(config: pytest.Config) -> None:
    """Hold the laws against this game alone. Raises UsageError if it cannot be used."""
    from diablerie.testing import contract  # after pytest can rewrite its asserts

    name = config.getoption("--game")
    if name not in ALL:
        raise pytest.UsageError(missing(name))
    contract.GAMES = [name]  # type: ignore[attr-defined]
    config.pluginmanager.register(FirstPass(ALL[name]))


def missing(name: str) -> str:
    """Why there is no game of this name."""
    for point in entry_points(group=GROUP):
        if point.name == name:
            try:
                point.load()
            except (Exception, SystemExit) as error:  # what others wrote may fail in any way
                last = traceback.extract_tb(error.__traceback__)[-1]
                return f"{last.filename}:{last.lineno}: {_sentence(error)}"
    skipped = [f"{one.name} is left out: {one.why}" for one in ALL.skipped if one.name == name]
    return "; ".join(skipped) or f"there is no game {name}, only {', '.join(ALL)}"
