"""The key by which push services know this server (VAPID, RFC 8292): made once, kept in a file."""

import base64
import os
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

import platformdirs

if TYPE_CHECKING:
    from py_vapid import Vapid

ENDING = ".push.pem"


def key_file(database: Path | None) -> Path:
    """Where the key lies: beside the database, or where DIABLERIE_PUSH_KEY says."""
    told = os.environ.get("DIABLERIE_PUSH_KEY", "")
    if told:
        return Path(told)
    if database is None:
        return Path(platformdirs.user_data_dir("diablerie")) / f"server{ENDING}"
    return database.with_name(database.name + ENDING)


class Keys:
    """The key in a file, which only its owner may read. Imports what it needs when asked."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def make(self) -> None:
        """Make the key, unless there is one. Raises OSError."""
        from cryptography.hazmat.primitives import serialization
        from cryptography.hazmat.primitives.asymmetric import ec

        if self._path.exists():
            return
        pem = ec.generate_private_key(ec.SECP256R1()).private_bytes(
            serialization.Encoding.PEM,
            serialization.PrivateFormat.PKCS8,
            serialization.NoEncryption(),
        )
        self._path.parent.mkdir(parents=True, exist_ok=True)
        half = self._path.with_name(f"{self._path.name}.{os.getpid()}")
        with os.fdopen(os.open(half, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
            file.write(pem)
        try:
            os.link(half, self._path)
        except FileExistsError:  # another process was first
            pass
        finally:
            half.unlink()

    @cached_property
    def private(self) -> "Vapid":
        """The key, to sign with. Raises OSError, ValueError for what is no key."""
        from py_vapid import Vapid

        self.make()
        return Vapid.from_pem(self._path.read_bytes())

    @cached_property
    def public(self) -> str:
        """What browsers are told of it, as they want it."""
        from cryptography.hazmat.primitives import serialization

        point = self.private.public_key.public_bytes(
            serialization.Encoding.X962, serialization.PublicFormat.UncompressedPoint
        )
        return base64.urlsafe_b64encode(point).rstrip(b"=").decode()
