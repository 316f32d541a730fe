"""The processes that the killing test kills, forked from one that is warm.

Run with a database; it prints the port. For each line on standard input, `web` or `bots`, a process
is started that answers at that port or lets bots play, and its number printed.
"""

import os
import signal
import sys
from ctypes import c_int
from types import SimpleNamespace

from diablerie.compiling.units import UNITS, compile_unit
from diablerie.table.cluster import claimed_turns  # noqa: F401
from diablerie.table.presence.rate_limits import Limits
from diablerie.web.process.serve import bind
from diablerie.web.process.workers import Plan, run_bots_process, run_web_process


def unlimited(*_: object) -> None:
    """Instead of `Limits.count_here`: the clients of these tests ask all the time."""


def main(db: str) -> None:
    """Fork processes as long as they are asked for."""
    Limits.count_here = unlimited  # type: ignore[method-assign]
    for unit in UNITS:
        list(compile_unit("coals", unit))
    plan, listening = Plan("127.0.0.1", db, 0.0, "error", False), bind("127.0.0.1", 0)
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # nobody asks how they ended
    print(listening.getsockname()[1], flush=True)
    for line in sys.stdin:
        child = os.fork()
        if child == 0:
            signal.signal(signal.SIGCHLD, signal.SIG_DFL)
            os.dup2(2, 1)
            if line.strip() == "web":
                answers = SimpleNamespace(set=lambda: None)
                run_web_process(plan, listening, answers, running=c_int(2), of=2)
            else:
                run_bots_process(plan, 1)
            os._exit(1)
        print(child, flush=True)


if __name__ == "__main__":
    main(sys.argv[1])
