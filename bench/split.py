"""A server that notes what its processor time is spent on: `python -m bench.split serve …`.

The sums, in seconds by kind of work, are written to the file that BENCH_SPLIT names, once a second.
What is not in them is the rest: HTTP, the event loop, changing threads.
"""

import functools
import json
import os
import threading
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

from diablerie.cli import main
from diablerie.table.commands import decisions
from diablerie.table.storage.store import Store
from diablerie.web.routes.streaming import TableStream

spent: Counter[str] = Counter()
_inside = threading.local()


def counted(name: str, function: Callable[..., Any]) -> Callable[..., Any]:
    """The function, whose time counts for `name`, and not for what it is called in."""

    @functools.wraps(function)
    def counting(*args: Any, **kwargs: Any) -> Any:
        outer, _inside.deeper, began = getattr(_inside, "deeper", 0.0), 0.0, time.thread_time()
        try:
            return function(*args, **kwargs)
        finally:
            took = time.thread_time() - began
            spent[name] += took - _inside.deeper
            _inside.deeper = outer + took

    return counting


def _write(path: Path) -> None:
    while True:
        time.sleep(1.0)
        path.with_suffix(".new").write_text(json.dumps(spent))
        path.with_suffix(".new").replace(path)


if __name__ == "__main__":
    object.__setattr__(decisions.decide, "do", counted("decide", decisions.decide.do))
    Store.commit = counted("commit", Store.commit)  # type: ignore[method-assign]
    TableStream._event = counted("frames", TableStream._event)  # type: ignore[method-assign]
    writer = threading.Thread(target=_write, args=(Path(os.environ["BENCH_SPLIT"]),), daemon=True)
    writer.start()
    raise SystemExit(main())
