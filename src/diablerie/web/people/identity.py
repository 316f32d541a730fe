"""Identity: a visitor is known by the secret in the browser's cookie, and by nothing else.

The owner of this server is who opened the link that the terminal prints, with a secret in it.
Nothing else makes somebody the owner, the browser's network address least of all: behind a tunnel
or a proxy everybody has the address of this machine.
"""

import ipaddress
import secrets
from functools import lru_cache
from typing import cast

from starlette.requests import Request
from starlette.responses import Response

from diablerie.table.authority import Authority
from diablerie.table.commands.browsers import Browsers
from diablerie.table.state.visitors import Visitor, fresh_secret, visitor_of

IDENTITY_COOKIE = "diablerie"
OWNER_COOKIE = "diablerie-owner"
OWNER_PATH = "owner"  # the link is /owner/SECRET
COOKIE_SECONDS = 365 * 24 * 3600


def browsers(request: Request) -> Browsers:
    """The browsers that this server knows."""
    return cast(Authority, request.app.state.authority).browsers


def visitor(request: Request) -> Visitor | None:
    """The visitor a request comes from; None for a browser that has done nothing yet.

    A secret that this server has not made is nobody's. Raises Unavailable.
    """
    return browsers(request).visitor(request.cookies.get(IDENTITY_COOKIE, ""))


def secret(request: Request) -> str:
    """The secret in a request's cookie, "" for a browser that has done nothing yet."""
    return request.cookies.get(IDENTITY_COOKIE, "") if visitor(request) else ""


class Caller:
    """The visitor who sends a form. A new one gets a secret, and a cookie with the answer."""

    def __init__(self, request: Request) -> None:
        known = visitor(request)
        self.secret = "" if known else fresh_secret()
        self.visitor: Visitor = known or visitor_of(self.secret)
        self._browsers = browsers(request)

    def keep(self, response: Response) -> Response:
        """The response, with the cookie if the secret is new, which is known from now on."""
        if self.secret:
            self._browsers.note(visitor_of(self.secret))
            response.set_cookie(
                IDENTITY_COOKIE, self.secret, max_age=COOKIE_SECONDS, httponly=True, samesite="lax"
            )
        return response


def client(request: Request) -> str:
    """The client as rate limits count it: its network address.

    For IPv6 that is the first 64 bits, since a client usually has all addresses of such a network.
    """
    return client_of(request.client.host if request.client else "")


@lru_cache(maxsize=4096)
def client_of(host: str) -> str:
    """The client of a network address, as `client` has it."""
    try:
        address = ipaddress.ip_address(host.partition("%")[0])
    except ValueError:
        return host
    if isinstance(address, ipaddress.IPv4Address):
        return str(address)
    if address.ipv4_mapped:
        return str(address.ipv4_mapped)
    return str(ipaddress.ip_network((address, 64), strict=False))


# -- the owner of this server: who opened the link that the terminal prints ------------------------


def is_secret(given: str, secret: str) -> bool:
    """Whether somebody knows the owner's secret. A server without one ("") has no owner."""
    return bool(secret) and secrets.compare_digest(given.encode(), secret.encode())


def is_owner(request: Request, secret: str) -> bool:
    """Whether a request comes from a browser that has opened the owner's link."""
    return is_secret(request.cookies.get(OWNER_COOKIE, ""), secret)


def remember_owner(response: Response, secret: str) -> Response:
    """The response with the cookie that makes this browser the owner's."""
    response.set_cookie(OWNER_COOKIE, secret, max_age=COOKIE_SECONDS, httponly=True, samesite="lax")
    return response
