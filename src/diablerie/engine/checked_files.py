"""Files of the cache, each of which begins with a digest of the rest.

A cache is believed only as far as it is whole: a power cut leaves files empty or cut off, a failing
disk changes bytes, and a changed byte of machine code would end the process that runs it.
"""

import hashlib
import logging
import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path

log = logging.getLogger(__name__)
DIGEST_BYTES = 32  # bytes


def read_checked(path: Path) -> bytes | None:
    """What `write_checked` wrote; None if it is not there. A damaged file is deleted, and told."""
    try:
        data = path.read_bytes()
    except FileNotFoundError:
        return None
    except OSError as error:
        tell_damage(path, error.strerror or type(error).__name__)
        return None
    content = data[DIGEST_BYTES:]
    if hashlib.sha256(content).digest() == data[:DIGEST_BYTES]:
        return content
    tell_damage(path, "damaged")
    with suppress(OSError):  # then it is written over
        path.unlink()
    return None


def is_whole(path: Path) -> bool:
    """Whether `read_checked` would find the file."""
    return read_checked(path) is not None


def write_checked(path: Path, content: bytes) -> None:
    """Write a file at once, so that nobody ever reads half of it. Raises OSError."""
    with written_at_once(path) as made:
        made.write_bytes(hashlib.sha256(content).digest() + content)


@contextmanager
def written_at_once(path: Path) -> Iterator[Path]:
    """A file or folder to be made in the block, which is then put where `path` says."""
    made = path.with_name(f"{path.name}.{os.getpid()}-{secrets.token_hex(4)}")
    try:
        yield made
        made.replace(path)
    except BaseException:
        with suppress(OSError):
            made.unlink()
        raise


@cache
def tell_damage(path: Path, why: str) -> None:
    """Say that a file of the cache cannot be used: of several files only the first is named."""
    if tell_damage.cache_info().currsize == 0:
        log.warning("in the cache %s is %s: it is made anew", path, why)
