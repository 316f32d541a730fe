"""HTTP with a deadline for the headers of a request (against slowloris attacks).

uvicorn has no such deadline, so a few hundred clients that send a letter a minute would keep all
others out. Bodies have their own deadline, see `edges/forms.py`.
"""

import asyncio
from typing import Any

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

HEADERS = 10.0  # seconds for a request's headers, from its first byte


class HeaderTimeoutProtocol(H11Protocol):
    """uvicorn's protocol, which closes a connection whose headers do not end in HEADERS seconds."""

    _deadline: asyncio.TimerHandle | None = None

    def connection_made(self, transport: Any) -> None:
        """Begin the deadline when a client connects."""
        super().connection_made(transport)
        self._begin()

    def data_received(self, data: bytes) -> None:
        """Pass the bytes on; the deadline ends with the headers, and begins anew after the request."""
        super().data_received(data)
        if self.conn.their_state is h11.IDLE:
            self._begin()
        else:
            self._end()

    def connection_lost(self, exc: Exception | None) -> None:
        """End the deadline."""
        self._end()
        super().connection_lost(exc)

    def _begin(self) -> None:
        if self._deadline is None:
            self._deadline = self.loop.call_later(HEADERS, self._late)

    def _end(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None

    def _late(self) -> None:
        if not self.transport.is_closing():
            self.transport.close()
