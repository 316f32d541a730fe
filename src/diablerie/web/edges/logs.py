"""Logs: one JSON object a line, on standard error or in a file, without secrets.

A request is logged by its route (`/t/{id}/claim/{secret}`), never by its address, which may hold a
secret.
"""

import json
import logging
import math
import sys
import threading
import time
from collections.abc import Callable
from logging.handlers import RotatingFileHandler
from pathlib import Path
from typing import TextIO

import platformdirs
from cachetools import LRUCache
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from diablerie.runtime.clock import SYSTEM_CLOCK

LOG_LEVELS = ("debug", "info", "warning", "error")
log = logging.getLogger("diablerie.http")
CRASHED = 500  # the status of an exception, which Starlette answers outside all middleware
NOISY_LOGGERS = ("asyncio", "uvicorn.error")  # loggers of what any client may cause
ERROR_LOG_SECONDS = 60.0  # seconds
LARGEST_LOG_BYTES = 1_000_000  # bytes of the file, after which a new one is begun
STANDARD_FIELDS = frozenset(logging.makeLogRecord({}).__dict__) | {
    "message",
    "taskName",
    "color_message",
}


def on_terminal() -> bool:
    """Whether standard error is a terminal."""
    return sys.stderr.isatty()


def file() -> Path:
    """The log file of a server that was started in a terminal."""
    return Path(platformdirs.user_log_dir("diablerie")) / "diablerie.log"


class JsonLines(logging.Formatter):
    """Formats a log record as one JSON object: time, level, logger, event, and all `extra` fields."""

    def format(self, record: logging.LogRecord) -> str:
        """The line."""
        entry: dict[str, object] = {
            "time": time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(record.created))
            + f".{int(record.msecs):03}Z",
            "level": record.levelname.lower(),
            "logger": record.name,
            "event": record.getMessage(),
        }
        entry |= {k: v for k, v in record.__dict__.items() if k not in STANDARD_FIELDS}
        if record.exc_info:
            entry["trace"] = self.formatException(record.exc_info)
        return json.dumps(
            entry, default=str
        )  # in ASCII, so that no control character reaches a terminal


def configure(level: str, verbose: bool = False) -> None:
    """Log everything at `level` or above to standard error. Raises ValueError for another level.

    A terminal shows errors only, unless `verbose`; then everything is logged to `file()` as well.
    """
    from diablerie.engine.compile_notice import SHOWN_NOTICE  # not in a browser

    SHOWN_NOTICE.quiet = True  # a page tells how far compiling is
    if level not in LOG_LEVELS:
        raise ValueError(f"the log level is one of {', '.join(LOG_LEVELS)}, not “{level}”")
    stderr = Stderr()
    handlers: list[logging.Handler] = [stderr]
    if on_terminal() and not verbose:
        stderr.setLevel(logging.ERROR)
        file().parent.mkdir(parents=True, exist_ok=True)
        handlers.append(
            RotatingFileHandler(file(), maxBytes=LARGEST_LOG_BYTES, backupCount=2, delay=True)
        )
    for handler in handlers:
        handler.setFormatter(JsonLines())
    root = logging.getLogger()
    root.handlers[:] = handlers
    root.setLevel(logging.WARNING)
    for name in NOISY_LOGGERS:
        logging.getLogger(name).filters[:] = [Seldom()]
    logging.getLogger("diablerie").setLevel(level.upper())
    threading.excepthook = _thread_ended


def _thread_ended(end: threading.ExceptHookArgs) -> None:
    """Log what ended a thread: Python itself would write a bare traceback."""
    if end.exc_value is not None and not issubclass(end.exc_type, SystemExit):
        name = end.thread.name if end.thread else "?"
        log.error("the thread %s has ended", name, exc_info=end.exc_value)


class Seldom(logging.Filter):
    """Passes a message once in ERROR_LOG_SECONDS, so that who makes it happen cannot fill the disk.

    Messages are the same if their first lines are. For a connection that cannot be accepted there
    is no traceback.
    """

    def __init__(self, clock: Callable[[], float] = SYSTEM_CLOCK.monotonic) -> None:
        super().__init__()
        self._clock = clock
        self._logged: LRUCache[str, float] = LRUCache(100)

    def filter(self, record: logging.LogRecord) -> bool:
        """Whether the message is logged."""
        first = record.getMessage().partition("\n")[0]
        now = self._clock()
        if now < self._logged.get(first, -math.inf) + ERROR_LOG_SECONDS:
            return False
        self._logged[first] = now
        if first.startswith("socket.accept()"):
            why = record.exc_info[1] if record.exc_info else ""
            record.msg = f"{first}: {why}"
            record.args = None
            record.exc_info = None
        return True


class Stderr(logging.StreamHandler[TextIO]):
    """A handler that looks up `sys.stderr` for every line, since a progress bar replaces it."""

    def __init__(self) -> None:
        logging.Handler.__init__(self)

    @property
    def stream(self) -> TextIO:  # type: ignore[override]
        """The present standard error."""
        return sys.stderr


class ResponseTimer:
    """ASGI middleware that calls `on_response` after every request."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    def on_response(self, scope: Scope, status: int, seconds: float) -> None:
        """Take note of a response: its status (0: the client has gone) and how long it took."""
        raise NotImplementedError

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle the request, then call `on_response`."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        began = time.perf_counter()
        status = 0

        async def remember_status(message: Message) -> None:
            nonlocal status
            status = message.get("status", status)
            await send(message)

        try:
            await self.app(scope, receive, remember_status)
        except Exception:
            status = status or CRASHED
            raise
        finally:
            self.on_response(scope, status, time.perf_counter() - began)


class AccessLog(ResponseTimer):
    """Logs a line for each request: at level debug for GET and HEAD, else at level info."""

    def on_response(self, scope: Scope, status: int, seconds: float) -> None:
        """Log the request by its route."""
        level = logging.DEBUG if scope["method"] in ("GET", "HEAD") else logging.INFO
        if not log.isEnabledFor(level):
            return
        path = getattr(scope.get("route"), "path", "") or "unknown"
        extra = {"method": scope["method"], "route": path, "status": status}
        log.log(level, "request", extra=extra | {"ms": round(seconds * 1000, 1)})
