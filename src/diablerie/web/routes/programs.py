"""The page on which people make and revoke tokens for their programs."""

from collections.abc import Mapping

from msgspec import Struct
from starlette.requests import Request
from starlette.responses import Response

from diablerie.api import PREFIX
from diablerie.table.commands import tokens
from diablerie.table.commands.tokens import SCOPES
from diablerie.table.errors import Refused
from diablerie.table.state.visitors import Visitor
from diablerie.web.edges.requests import authority_of, known_visitor, see_other
from diablerie.web.html import templates
from diablerie.web.people import identity


class Making(Struct, frozen=True):
    """The form of a new token: the program's name, and a checkbox for each scope."""

    name: str = ""
    scope: dict[str, str] = {}


class Revoking(Struct, frozen=True):
    """The token to be revoked, by its hash."""

    token: str


def make(request: Request, form: Making) -> Response:
    """POST /programs: make a token. Only this answer contains its secret."""
    caller = identity.Caller(request)
    authority = authority_of(request)
    client = identity.client(request)
    asked = tokens.NewToken(form.name, set(form.scope))
    secret = tokens.issue.do(authority, caller.visitor, asked, client)
    return caller.keep(programs_page(request, secret=secret, maker=caller.visitor))


def revoke(request: Request, form: Revoking) -> Response:
    """POST /programs/revoke"""
    tokens.revoke(authority_of(request), known_visitor(request), form.token)
    return see_other(request, "/programs")


def programs_page(
    request: Request,
    given: Mapping[str, str] | None = None,
    refusal: Refused | None = None,
    secret: str = "",
    maker: Visitor | None = None,
) -> Response:
    """The page, with what was typed in its form (`given`) and why that was refused."""
    visitor = maker or identity.visitor(request)
    return templates.page_response(
        request,
        "programs.html",
        tokens=tokens.made_by(authority_of(request), visitor) if visitor else [],
        scopes=SCOPES,
        given=given or {},
        refusal=refusal,
        secret=secret,
        home=str(request.base_url).rstrip("/"),
        prefix=PREFIX,
    )
