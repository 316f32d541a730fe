"""Tokens, by which programs of other people play here.

A token is a secret that is shown once to the browser that makes it; the database keeps its hash. A
program with a token is a visitor of its own: it sees its own seats, and none of its maker's.
"""

from collections.abc import Collection
from typing import NamedTuple

import sqlalchemy as sa

from diablerie.api import Frozen
from diablerie.engine.text import Line, say
from diablerie.table.commands.command import Asker, site_command
from diablerie.table.errors import BadInput, NotFound, TooMany
from diablerie.table.state.visitors import Visitor, chosen_name, fresh_secret, program_of
from diablerie.table.storage import schema
from diablerie.table.storage.store import Conflict, Write
from diablerie.table.tables import Tables

TOKEN_PREFIX = "diablerie_"  # by which people and scanners know a token that lies about
LONGEST_TOKEN = 100  # characters of a token worth looking at
MOST_TOKENS_OF_ADDRESS = 20  # of one address
DAY = 24 * 3600.0
UNUSED_TOKEN_SECONDS = 365 * DAY  # seconds after which a token is forgotten

SCOPES: dict[str, Line] = {
    "play": say("take seats, decide, resign"),
    "open": say("open tables and start them"),
    "chat": say("write in the chat of its tables"),
}


class Token(NamedTuple):
    """A token without its secret. `id` is the hash of that, times are Unix times."""

    id: Visitor
    maker: Visitor
    address: str  # the maker's: rate limits count it
    name: str
    scopes: frozenset[str]
    created: float
    used: float  # to the day


class NewToken(Frozen):
    """Make a token for a program of this name, which may do what these scopes say."""

    name: str
    scopes: Collection[str]


@site_command(NewToken)
def issue(asker: Asker, asked: NewToken) -> str:
    """Make a token and return its secret, which is kept nowhere else.

    Raises BadInput for a name or scope there cannot be, TooMany if the address has many.
    """
    tables = asker.tables
    scopes = {*asked.scopes}
    program = chosen_name(asked.name)
    secret = TOKEN_PREFIX + fresh_secret()
    if not program:
        raise BadInput(say("Give the program a name that the other players see."))
    if not scopes or not scopes <= set(SCOPES):
        raise BadInput(
            say("A token must allow at least one of these: {names}.", names=", ".join(SCOPES))
        )
    if len(_select(tables, "address", asker.client)) >= MOST_TOKENS_OF_ADDRESS:
        raise TooMany(
            say(
                "{n} tokens were made from your address: revoke one first.",
                n=MOST_TOKENS_OF_ADDRESS,
            )
        )
    now = tables.clock()
    # Only the hash of the secret is stored: whoever reads the database cannot play with it.
    row = {
        "id": program_of(secret),
        "maker": asker.visitor,
        "address": asker.client,
        "name": program,
        "scopes": " ".join(scope for scope in SCOPES if scope in scopes),
        "created": now,
        "used": now,
    }
    tables.store.commit(sa.insert(schema.tokens).values(row))
    return secret


def made_by(tables: Tables, maker: Visitor) -> list[Token]:
    """The tokens that a browser has made, the oldest first."""
    return sorted(_select(tables, "maker", maker), key=lambda token: token.created)


class TokenRevoking(Frozen):
    """Delete the token with this hash."""

    token: str


@site_command(TokenRevoking)
def revoke(asker: Asker, asked: TokenRevoking) -> None:
    """Delete a token of this browser. Raises NotFound."""
    t = schema.tokens
    gone = sa.delete(t).where(t.c.id == asked.token, t.c.maker == asker.visitor)
    try:
        asker.tables.store.commit(Write(gone, expect=1))
    except Conflict:
        raise NotFound(say("There is no such token.")) from None


def find_token(tables: Tables, secret: str) -> Token | None:
    """The token with this secret; None if there is none (any more)."""
    if not secret.startswith(TOKEN_PREFIX) or len(secret) > LONGEST_TOKEN:
        return None
    token = next(iter(_select(tables, "id", program_of(secret))), None)
    now = tables.clock()
    if token and now - token.used > DAY:  # when it was last used is stored once a day
        t = schema.tokens
        tables.store.commit(sa.update(t).where(t.c.id == token.id).values(used=now))
    return token


def _select(tables: Tables, column: str, value: str) -> list[Token]:
    rows = tables.store.rows(schema.tokens, column, value)
    return [Token(*row)._replace(scopes=frozenset(row.scopes.split())) for row in rows]
