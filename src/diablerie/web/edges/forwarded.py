"""What several proxies in a row say of a request, so that the middleware for one understands it."""

from starlette.types import ASGIApp, Receive, Scope, Send

SCHEME = b"x-forwarded-proto"


class FirstScheme:
    """ASGI middleware that keeps the first scheme that proxies name: the browser's.

    Each proxy adds its own behind a comma, or in a header of its own. Who lies about it gets cookies
    that only TLS carries, or that also plain HTTP does: nobody else is concerned.
    """

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on, with one scheme at most."""
        if scope["type"] == "http":
            named = [value for name, value in scope["headers"] if name == SCHEME]
            rest = [one for one in scope["headers"] if one[0] != SCHEME]
            first = b",".join(named).partition(b",")[0].strip().lower()
            scope["headers"] = [*rest, (SCHEME, first)] if named else rest
        await self.app(scope, receive, send)
