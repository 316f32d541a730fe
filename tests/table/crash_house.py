"""The servers that the crash test kills: `diablerie serve`, forked from a process that is warm.

Run with a port and a database; for each line on standard input a server is started, its process
number printed, and when it is dead its status.
"""

import os
import sys

import diablerie.web.app  # noqa: F401  # what serving imports late, once for all
from diablerie.compiling.units import UNITS, compile_unit
from diablerie.table.presence.rate_limits import Limits
from diablerie.web.process.serve import ServeSettings, serve


def unlimited(*_: object) -> None:
    """Instead of `Limits.count_here`: the clients of these tests ask all the time."""


def main(port: int, db: str) -> None:
    """Fork servers as long as they are asked for."""
    Limits.count_here = unlimited  # type: ignore[method-assign]
    for unit in UNITS:
        list(compile_unit("coals", unit))
    for _ in sys.stdin:
        server = os.fork()
        if server == 0:
            os.dup2(2, 1)
            asked = ServeSettings(
                "127.0.0.1", port, db, open_browser=False, log_level="error", tempo=0.0
            )
            serve(asked)
            os._exit(1)
        print(server, flush=True)
        print(os.waitpid(server, 0)[1], flush=True)


if __name__ == "__main__":
    main(int(sys.argv[1]), sys.argv[2])
