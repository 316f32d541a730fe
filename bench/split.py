"""A server that notes what its processor time is spent on: `python -m bench.split serve …`.

The sums, in seconds by kind of work, are written to the file that BENCH_SPLIT names, once a second.
`apart` is what the event loop waits for, above all the database. What is in none of them is the rest:
HTTP, the event loop, changing threads.
"""

import functools
import json
import os
import threading
import time
from collections import Counter
from collections.abc import Callable
from concurrent.futures import Executor
from contextvars import ContextVar
from pathlib import Path
from typing import Any

from diablerie.cli import main
from diablerie.runtime.clock import Clock
from diablerie.table.commands import decisions
from diablerie.web.routes.streaming import EventStream

spent: Counter[str] = Counter()
_deeper = ContextVar("_deeper", default=0.0)  # seconds that count for another kind


def counted(name: str, function: Callable[..., Any]) -> Callable[..., Any]:
    """The function, whose time counts for `name`, and not for what it is called in."""

    @functools.wraps(function)
    def counting(*args: Any, **kwargs: Any) -> Any:
        outer, began = _deeper.get(), time.thread_time()
        _deeper.set(0.0)
        try:
            return function(*args, **kwargs)
        finally:
            took = time.thread_time() - began
            spent[name] += took - _deeper.get()
            _deeper.set(outer + took)

    return counting


def apart(clock: Clock, work: Callable[[], Any], threads: Executor | None = None) -> Any:
    """What `work` returns; whoever waits for it does nothing meanwhile, though the thread does."""
    outer, began = _deeper.get(), time.thread_time()
    try:
        return _apart(clock, counted("apart", work), threads)
    finally:
        _deeper.set(outer + time.thread_time() - began)


def _write(path: Path) -> None:
    while True:
        time.sleep(1.0)
        path.with_suffix(".new").write_text(json.dumps(spent))
        path.with_suffix(".new").replace(path)


if __name__ == "__main__":
    _apart, Clock.apart = Clock.apart, apart  # type: ignore[method-assign]
    object.__setattr__(decisions.decide, "do", counted("decide", decisions.decide.do))
    EventStream.now = counted("frames", EventStream.now)  # type: ignore[method-assign]
    writer = threading.Thread(target=_write, args=(Path(os.environ["BENCH_SPLIT"]),), daemon=True)
    writer.start()
    raise SystemExit(main())
