"""A parent whose child heeds no SIGTERM and holds a port: `python -m tests.web.stubborn`.

The child also keeps the interpreter's lock, as compiled code may, so that no thread of it runs.
"""

import ctypes
import signal
import socket
import threading

from diablerie.web.process.workers import Child, Plan


def hold(plan: Plan, listening: socket.socket) -> None:
    """Listen for ever, deaf to being told to end."""
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    listening.listen()
    print("listening", flush=True)
    ctypes.PyDLL(None).pause()


if __name__ == "__main__":
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        child = Child("stubborn", hold, Plan("", "", None, "error", False), listening)
        child.keep_running()
        assert child.process
        print(listening.getsockname()[1], child.process.pid, flush=True)
        threading.Event().wait()
