"""A game compiled beside a program that plays it interpreted, and taken over when that is done.

A server has a `RulesCompiler` for all games instead, and calls `leave_to_others` first.
"""

import atexit
import sys
import threading
from contextlib import suppress

from diablerie.compiling import LOWEST_PRIORITY
from diablerie.compiling.units import BOTS_UNIT, is_compiled, needed, take_over_play
from diablerie.games import ALL

COMPILE_PROGRAM = f"import os; os.nice({LOWEST_PRIORITY}); from diablerie.cli import main; main()"
_begun: set[str] = set()


def leave_to_others() -> None:
    """Compile nothing beside this process."""
    _begun.update(ALL)


def begin(game: str) -> None:
    """Have a game run compiled, once: its code is loaded, or made at the lowest priority before.

    Waits for nothing.
    """
    if game in ALL and game not in _begun:
        _begun.add(game)
        threading.Thread(target=_compile, args=(game,), name="compile-beside", daemon=True).start()


def _compile(game: str) -> None:
    if not _is_whole(game):
        _compile_in_child(game)
    if _is_whole(game):  # else it stays interpreted
        take_over_play(ALL[game])


def _is_whole(game: str) -> bool:
    return all(is_compiled(game, unit) for unit in needed(BOTS_UNIT))


def _compile_in_child(game: str) -> None:
    import subprocess  # here, for in a browser there is none

    command = [sys.executable, "-c", COMPILE_PROGRAM, "compile", game]
    quiet = subprocess.DEVNULL
    with suppress(OSError):
        process = subprocess.Popen(command, stdin=quiet, stdout=quiet, stderr=quiet)
        atexit.register(process.kill)
        process.wait()
        atexit.unregister(process.kill)
