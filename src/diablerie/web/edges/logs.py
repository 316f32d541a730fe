"""Logs: one JSON object a line on standard error, or in a file, without secrets.

An address is logged as its route (`/t/{id}/claim/{secret}`), never as it was asked for.
"""

import json
import logging
import sys
import time
from logging.handlers import RotatingFileHandler
from pathlib import Path
from typing import Any, TextIO

import platformdirs
from starlette.types import ASGIApp, Message, Receive, Scope, Send

LEVELS = ("debug", "info", "warning", "error")
log = logging.getLogger("diablerie.http")
CRASHED = 500  # what the framework answers for our mistakes, outside all middleware
SIZE = 1_000_000  # bytes of the file, after which a new one is begun
PLAIN = frozenset(logging.makeLogRecord({}).__dict__) | {"message", "taskName", "color_message"}


def on_terminal() -> bool:
    """Whether somebody started this who watches standard error."""
    return sys.stderr.isatty()


def file() -> Path:
    """Where a server that was started in a terminal logs."""
    return Path(platformdirs.user_log_dir("diablerie")) / "diablerie.log"


class JsonLines(logging.Formatter):
    """A log record as one JSON object: time, level, event, and whatever else was given."""

    def format(self, record: logging.LogRecord) -> str:
        """The line."""
        entry: dict[str, Any] = {
            "time": time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(record.created))
            + f".{int(record.msecs):03}Z",
            "level": record.levelname.lower(),
            "logger": record.name,
            "event": record.getMessage(),
        }
        entry |= {k: v for k, v in record.__dict__.items() if k not in PLAIN}
        if record.exc_info:
            entry["trace"] = self.formatException(record.exc_info)
        return json.dumps(entry, default=str)  # all in ASCII: nothing reaches a terminal raw


def configure(level: str, verbose: bool = False) -> None:
    """Send everything at `level` or above to standard error. Raises ValueError for no level.

    On a terminal only errors are shown, unless it is `verbose`; all of it is kept in `file()`.
    """
    if level not in LEVELS:
        raise ValueError(f"the log level is one of {', '.join(LEVELS)}, not “{level}”")
    shown = Stderr()
    handlers: list[logging.Handler] = [shown]
    if on_terminal() and not verbose:
        shown.setLevel(logging.ERROR)
        file().parent.mkdir(parents=True, exist_ok=True)
        handlers.append(RotatingFileHandler(file(), maxBytes=SIZE, backupCount=2, delay=True))
    for handler in handlers:
        handler.setFormatter(JsonLines())
    root = logging.getLogger()
    root.handlers[:] = handlers
    root.setLevel(logging.WARNING)
    logging.getLogger("diablerie").setLevel(level.upper())


class Stderr(logging.StreamHandler[TextIO]):
    """Standard error as it is at the moment: a progress bar redirects it for a while."""

    def __init__(self) -> None:
        logging.Handler.__init__(self)

    @property
    def stream(self) -> TextIO:  # type: ignore[override]
        """Where lines go."""
        return sys.stderr


class Answered:
    """ASGI middleware: `note` is told of every answered request."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    def note(self, scope: Scope, status: int, seconds: float) -> None:
        """What was asked, the answer's status (0: nobody waited for it), and how long it took."""
        raise NotImplementedError

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer, then note."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        began, status = time.perf_counter(), 0

        async def noting(message: Message) -> None:
            nonlocal status
            status = message.get("status", status)
            await send(message)

        try:
            await self.app(scope, receive, noting)
        except Exception:
            status = status or CRASHED
            raise
        finally:
            self.note(scope, status, time.perf_counter() - began)


class Access(Answered):
    """A line for each answered request; who only looks is for debugging."""

    def note(self, scope: Scope, status: int, seconds: float) -> None:
        """Log it, by its route."""
        path = getattr(scope.get("route"), "path", "") or "unknown"
        level = logging.DEBUG if scope["method"] in ("GET", "HEAD") else logging.INFO
        extra = {"method": scope["method"], "route": path, "status": status}
        log.log(level, "request", extra=extra | {"ms": round(seconds * 1000, 1)})
