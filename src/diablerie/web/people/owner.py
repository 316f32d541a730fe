"""The owner of this server: who opened the link that the terminal prints, with a secret in it.

Nothing else makes somebody the owner, the browser's network address least of all: behind a tunnel
or a proxy everybody has the address of this machine.
"""

import secrets

from starlette.requests import Request
from starlette.responses import Response

from diablerie.engine.text import say
from diablerie.table.errors import Forbidden
from diablerie.web.people.identity import YEAR

COOKIE = "diablerie-owner"
PATH = "owner"  # the link is /owner/SECRET


def fresh_secret() -> str:
    """A new secret for the owner's link, 256 bits; a server has another one at each start."""
    return secrets.token_urlsafe(32)


def is_secret(given: str, secret: str) -> bool:
    """Whether somebody knows the owner's secret. A server without one ("") has no owner."""
    return bool(secret) and secrets.compare_digest(given.encode(), secret.encode())


def is_owner(request: Request, secret: str) -> bool:
    """Whether a request comes from a browser that has opened the owner's link."""
    return is_secret(request.cookies.get(COOKIE, ""), secret)


def require_owner(request: Request, secret: str) -> None:
    """Raise Forbidden unless the request comes from the owner."""
    if not is_owner(request, secret):
        raise Forbidden(
            say(
                "Only the person who started the server may do that: open the link that the "
                "terminal shows."
            )
        )


def remember_owner(request: Request, response: Response, secret: str) -> Response:
    """The response with the cookie that makes this browser the owner's."""
    response.set_cookie(
        COOKIE,
        secret,
        max_age=YEAR,
        httponly=True,
        samesite="lax",
        secure=request.url.scheme == "https",
    )
    return response
