"""Visitors: a browser is a random secret in a cookie, and the table keeps only its hash.

A personal link works the same way: whoever has its secret may take the seat.
"""

import hashlib
import secrets
import unicodedata
from typing import NewType

Visitor = NewType("Visitor", str)  # the hash of a browser's secret: what the table knows of it

NAME = 24
HIDDEN = {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}  # controls and bidi overrides deceive readers


def fresh_secret() -> str:
    """A new secret, for a cookie or a personal link."""
    return secrets.token_urlsafe(32)


def fresh_id() -> str:
    """A new table's name in addresses; not to be guessed, for private tables are only unlisted."""
    return secrets.token_urlsafe(9)


def visitor_of(secret: str) -> Visitor:
    """The visitor who has this secret."""
    return Visitor(hashlib.sha256(b"visitor " + secret.encode("utf-8", "replace")).hexdigest())


def program_of(token: str) -> Visitor:
    """The visitor that a program with this token is: none that a browser could be."""
    return Visitor(hashlib.sha256(b"token " + token.encode("utf-8", "replace")).hexdigest())


def link_hash(secret: str) -> str:
    """What is kept of a personal link's secret."""
    return hashlib.sha256(b"link " + secret.encode("utf-8", "replace")).hexdigest()


def clean(text: str, length: int = NAME) -> str:
    """Text by a person as one line of at most `length` characters that can be seen."""
    shown = "".join(c for c in text if c.isspace() or unicodedata.category(c) not in HIDDEN)
    return " ".join(shown.split())[:length].rstrip()
