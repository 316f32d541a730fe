"""A process that ends when the one that started it does, however that ended."""

import ctypes
import os
import signal
import sys
import threading
from multiprocessing.connection import Connection

PR_SET_PDEATHSIG = 1  # of prctl(2)


def end_with_parent(pipe: Connection) -> None:
    """Have this process killed as soon as its parent is gone, so that its port is free.

    On Linux the kernel does it, whatever this process is doing. Elsewhere, and for a parent that
    was gone before this was called, a thread waits for the end of the `pipe` from the parent.
    Nothing that was acknowledged is lost by that.
    """
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    threading.Thread(target=_await_end, args=(pipe,), daemon=True).start()


def _await_end(pipe: Connection) -> None:
    try:
        pipe.recv()
    except (EOFError, OSError):
        os.kill(os.getpid(), signal.SIGKILL)
