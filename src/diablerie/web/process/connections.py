"""Limits on the connections of one client.

A connection beyond the limit is closed before anything is read from it. Those of a declared proxy
have no limit: the clients behind it are limited by their requests.
"""

from collections import Counter
from collections.abc import Container
from typing import Any

from diablerie.table.errors import TooMany
from diablerie.table.presence.rate_limits import Limits
from diablerie.web.people.identity import client_of
from diablerie.web.process.header_timeout import HeaderTimeoutProtocol

MOST = 256  # open connections of one client: thirty browsers have six each
IN_A_ROW = 64  # connections that are accepted before anything else is done


class Connections:
    """The open connections of each client, with their limits."""

    def __init__(self, limits: Limits, proxies: Container[str]) -> None:
        """`proxies` are the addresses without a limit."""
        self._limits, self._proxies = limits, proxies
        self._open: Counter[str] = Counter()

    def open(self, host: str) -> str | None:
        """Count a new connection from an address: its client, to be closed; None if refused."""
        if not host or host in self._proxies:
            return ""
        client = client_of(host)
        try:
            self._limits.count_here("connections", client)
        except TooMany:
            return None
        if self._open[client] >= MOST:
            return None
        self._open[client] += 1
        return client

    def close(self, client: str) -> None:
        """A connection that `open` has counted for this client is closed."""
        if client:
            self._open[client] -= 1
            if not self._open[client]:
                del self._open[client]


class LimitedProtocol(HeaderTimeoutProtocol):
    """uvicorn's protocol, whose connections are counted by the `Connections` in its app's state."""

    _counted: str | None = None

    def connection_made(self, transport: Any) -> None:
        """Serve the client, or close the connection at once if it has too many."""
        peer = transport.get_extra_info("peername")
        self._counted = self.app_state["connections"].open(str(peer[0]) if peer else "")
        if self._counted is None:
            transport.abort()
        else:
            super().connection_made(transport)

    def connection_lost(self, exc: Exception | None) -> None:
        """Count the connection no more."""
        if self._counted is not None:
            self.app_state["connections"].close(self._counted)
            super().connection_lost(exc)
