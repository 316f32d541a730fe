"""One line on standard error where something is compiled that takes seconds: what, and how long.

    compiling KITCHEN, about 30 s, once

It comes a second after a game's first function began to be compiled, and once in a process. Of
several processes that compile the same at once, as workers do, one says it.
"""

import os
import sys
import threading
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from time import monotonic, time
from typing import Any

from numba.core import event, types

from diablerie.engine.sources import cache_folder, compile_seconds

UNWORTHY_SECONDS = 1.0  # seconds of compiling that are not worth a word
SHARED_RULES = "what games share"
NEWS_SECONDS = 120  # seconds for which what one process said counts for all


class Notice(event.Listener):  # type: ignore[misc]
    """Listens to Numba, and says what is compiled. Functions that a function calls are its part."""

    def __init__(self) -> None:
        self.quiet = False  # where others tell what is compiled, as a server's page does
        self._depth = threading.local()
        self._spent: dict[str, float] = {}  # by what was compiled
        self._told: set[str] = set()

    def on_start(self, happening: event.Event) -> None:
        """Numba begins to compile a function: it is not in the cache."""
        depth = self._depth.__dict__.setdefault("now", 0)
        self._depth.now = depth + 1
        if depth or self.quiet:
            return
        what = subject(happening.data["dispatcher"], happening.data["args"])
        wait = max(0.0, UNWORTHY_SECONDS - self._spent.get(what, 0.0))
        self._depth.timer = threading.Timer(wait, self._tell, (what,))
        self._depth.timer.daemon = True
        self._depth.began = monotonic()
        self._depth.what = what
        self._depth.timer.start()

    def on_end(self, happening: object) -> None:
        """Numba has compiled a function, or failed to."""
        self._depth.now -= 1
        timer = self._depth.__dict__.pop("timer", None) if not self._depth.now else None
        if timer:
            timer.cancel()
            what = self._depth.what
            seconds = monotonic() - self._depth.began
            self._spent[what] = self._spent.get(what, 0.0) + seconds

    def _tell(self, what: str) -> None:
        if what not in self._told and claimed(what):
            seconds = max(5, 5 * round(compile_seconds(what.lower()) / 5))
            print(f"compiling {what}, about {seconds} s, once", file=sys.stderr, flush=True)
        self._told.add(what)


def subject(dispatcher: Any, args: Any) -> str:
    """What a function belongs to: a game in capitals, by the states that it takes, or SHARED."""
    verbs = sys.modules.get("diablerie.engine.verbs")  # which imports this one, if a game is there
    homes = map(verbs.home_of, records(args)) if verbs else ()
    module = next(filter(None, homes), dispatcher.py_func.__module__)
    package, *rooms = module.split(".")
    if package != "diablerie":
        return str(package.upper())
    return str(rooms[1].upper()) if rooms[0] == "games" else SHARED_RULES


def records(args: Iterable[Any]) -> Iterator[types.Record]:
    """The records among the types of arguments: also those in arrays, and in tuples of these."""
    for one in args:
        kind = getattr(one, "dtype", one)
        if isinstance(kind, types.Record):
            yield kind
        elif isinstance(one, types.BaseTuple):  # type: ignore[attr-defined]
            yield from records(one)


def claimed(what: str) -> bool:
    """Whether this process is the one to say it: no other has said it a moment ago."""
    path = Path(cache_folder(), f"{what}.told")
    with suppress(OSError):
        if (
            path.exists()
            and time() - path.stat().st_mtime < NEWS_SECONDS
            and _runs(path.read_text())
        ):
            return False
        path.write_text(str(os.getpid()))
    return True


def _runs(pid: str) -> bool:
    """Whether another process of this number runs."""
    try:
        os.kill(int(pid), 0)
    except (ValueError, ProcessLookupError):
        return False
    except OSError:
        return True
    return int(pid) != os.getpid()


SHOWN_NOTICE = Notice()
event.register("numba:compile", SHOWN_NOTICE)
