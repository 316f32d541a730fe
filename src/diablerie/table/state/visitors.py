"""Visitors, and the names they give themselves.

A browser has a random secret in a cookie, and the server keeps only its hash. A personal link works
the same way: whoever has its secret may take the seat. A name must be visible, and not a bot's.
"""

import hashlib
import secrets
import unicodedata
from typing import NewType

from diablerie.bots.spec import KINDS
from diablerie.engine.text import say
from diablerie.table.errors import BadInput

Visitor = NewType("Visitor", str)  # the hash of a browser's secret: what the table knows of it

NAME = 24
HIDDEN = {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}  # controls and bidi overrides deceive readers

DEVILS = (  # what a bot on each seat is called
    say("Ash"),
    say("Soot"),
    say("Flint"),
    say("Ember"),
    say("Pitch"),
    say("Cinder"),
)
# Letters that are drawn as nothing, though Unicode counts them as letters and symbols.
BLANK = dict.fromkeys(map(ord, "\u115f\u1160\u2800\u3164\uffa0\u034f"))
# Cyrillic and Greek letters that look like Latin ones.
ALIKE = str.maketrans("аеорсухіјѕԁһмтвнкαορτνιε", "aeopcyxijsdhmtbhkaoptvie")


def fresh_secret() -> str:
    """A new secret, for a cookie or a personal link."""
    return secrets.token_urlsafe(32)


def fresh_id() -> str:
    """A new table's id. Nobody can guess it, because private tables are only unlisted."""
    return secrets.token_urlsafe(9)


def visitor_of(secret: str) -> Visitor:
    """The visitor who has this secret."""
    return Visitor(hashlib.sha256(b"visitor " + secret.encode("utf-8", "replace")).hexdigest())


def program_of(token: str) -> Visitor:
    """The visitor who has this token; no browser can be that visitor."""
    return Visitor(hashlib.sha256(b"token " + token.encode("utf-8", "replace")).hexdigest())


def link_hash(secret: str) -> str:
    """The hash of a personal link's secret."""
    return hashlib.sha256(b"link " + secret.encode("utf-8", "replace")).hexdigest()


def clean(text: str, length: int = NAME) -> str:
    """Text by a person as one line of at most `length` characters that can be seen."""
    visible = "".join(c for c in text if c.isspace() or unicodedata.category(c) not in HIDDEN)
    return " ".join(visible.split())[:length].rstrip()


def chosen_name(text: str) -> str:
    """A person's name as it is shown, "" if none was given.

    Raises BadInput for one that cannot be seen, or that is a bot's.
    """
    name = clean(text.translate(BLANK))
    if text.strip() and not any(unicodedata.category(c)[0] in "LNPS" for c in name):
        raise BadInput(say("This name is invisible: choose another one."))
    if _folded(name) in _taken():
        raise BadInput(say("A devil has this name here: choose another one."))
    return name


def _folded(name: str) -> str:
    """A name without case, accents, spaces and marks, as readers compare names."""
    plain = unicodedata.normalize("NFKD", name).casefold().translate(ALIKE)
    return "".join(c for c in plain if c.isalnum())


def _taken() -> set[str]:
    titles = [_folded(str(kind.title)) for kind in KINDS.values()]
    devils = [_folded(str(name)) for name in DEVILS]
    return {*titles, *devils, *(title + name for title in titles for name in devils), "bot"}
