"""`diablerie meet`: a meeting point for static sites by itself, without games and a database."""

from collections.abc import Sequence
from contextlib import suppress
from urllib.parse import urlsplit

from starlette.applications import Starlette
from starlette.middleware import Middleware
from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware

from diablerie.runtime.clock import SYSTEM_CLOCK
from diablerie.table.presence.rate_limits import Limits
from diablerie.web.edges.settings import host_of, trusted_proxies
from diablerie.web.process.serve import bind, local_link
from diablerie.web.process.sockets import LimitedServer
from diablerie.web.routes import meeting

USUAL_PORTS = {"http": 80, "https": 443}  # those that origins do not tell


def serve_rooms(host: str, port: int, sites: Sequence[str] = ()) -> None:
    """Serve until interrupted. sites: addresses of the sites whose pages may ask; all if none is named.

    Raises ValueError, with a sentence, for a port that is taken and what is no address.
    """
    proxies = trusted_proxies()
    app = application([site_origin(one) for one in sites], proxies)
    listening = bind(host, port)
    link = local_link(host, listening).rstrip("/")
    print(f"the meeting point is at {link}  (Ctrl-C stops it)", flush=True)
    print(f"build the site with: diablerie site FOLDER --meet {link}", flush=True)
    with suppress(KeyboardInterrupt):
        LimitedServer(app, Limits(SYSTEM_CLOCK.monotonic), proxies).run([listening])


def application(origins: Sequence[str] = (), proxies: str | list[str] = "") -> Starlette:
    """An application with the rooms and nothing else. proxies: those that say who asks."""
    behind = [Middleware(ProxyHeadersMiddleware, trusted_hosts=proxies)] if proxies else []
    app = Starlette(routes=[meeting.route()], middleware=behind)
    app.state.meeting = meeting.Rooms(sites=origins)
    return app


def site_origin(address: str) -> str:
    """The origin of a site's address, as browsers send it. Raises ValueError, with a sentence."""
    try:
        parts = urlsplit(address)
        usual = USUAL_PORTS[parts.scheme]
        host = host_of(parts.netloc)
        port = "" if parts.port in (None, usual) else f":{parts.port}"
    except (ValueError, KeyError):
        raise ValueError(
            f"{address} is no address of a site: name one such as https://example.org"
        ) from None
    return f"{parts.scheme}://{host}{port}"
