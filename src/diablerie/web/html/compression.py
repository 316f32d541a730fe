"""Compressed bodies, made by the thread that has made the body.

The middleware compresses what is left, but in the event loop, where a page would keep everybody
waiting for a few milliseconds.
"""

import gzip
import re
from collections.abc import Mapping

from starlette.datastructures import Headers
from starlette.middleware.gzip import GZipMiddleware
from starlette.types import Receive, Scope, Send

COMPRESSED_FROM_BYTES = 1000  # bytes from which a body is compressed
BODY_COMPRESSION = 5  # the next level takes half as long again for a hundredth less
VARY = "Accept-Encoding"
UNWANTED = re.compile(r"\s*q\s*=\s*0(\.0*)?\s*", re.IGNORECASE)  # the weight of what is not wanted


class Compression(GZipMiddleware):
    """Starlette's middleware, for clients that read gzip; it reads no weights itself."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on, and compress what is long in its answer."""
        if scope["type"] == "http" and not accepts_gzip(Headers(scope=scope)):
            kept = [one for one in scope["headers"] if one[0] != b"accept-encoding"]
            scope["headers"] = kept
        await super().__call__(scope, receive, send)


def accepts_gzip(headers: Mapping[str, str]) -> bool:
    """Whether a client with these request headers reads gzip."""
    for item in headers.get("accept-encoding", "").split(","):
        coding, _, weight = item.partition(";")
        if coding.strip() == "gzip":
            return not UNWANTED.fullmatch(weight)
    return False


def compressed(body: bytes, level: int = BODY_COMPRESSION) -> bytes:
    """The body as gzip; the interpreter lock is free meanwhile."""
    return gzip.compress(body, level, mtime=0)
