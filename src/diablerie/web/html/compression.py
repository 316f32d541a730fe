"""Compressed bodies, made by the thread that has made the body.

The middleware compresses what is left, but in the event loop, where a page would keep everybody
waiting for a few milliseconds.
"""

import gzip
from collections.abc import Mapping

LONG = 1000  # bytes from which a body is compressed
LEVEL = 5  # the next level takes half as long again for a hundredth less
VARY = "Accept-Encoding"


def accepts_gzip(headers: Mapping[str, str]) -> bool:
    """Whether a client with these request headers reads gzip."""
    return "gzip" in headers.get("accept-encoding", "")


def compressed(body: bytes, level: int = LEVEL) -> bytes:
    """The body as gzip; the interpreter lock is free meanwhile."""
    return gzip.compress(body, level, mtime=0)
