"""HTTP with a deadline for headers: who opens a connection says soon what is wanted of it.

uvicorn lets a client take for ever, so a few hundred of them that send a letter a minute would
keep all others out. Bodies have their own deadline, see forms.py.
"""

import asyncio
from typing import Any

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

HEADERS = 10.0  # seconds for a request's headers, from its first byte


class HeaderTimeoutProtocol(H11Protocol):
    """uvicorn's protocol, which closes a connection whose headers do not come to an end."""

    _deadline: asyncio.TimerHandle | None = None

    def connection_made(self, transport: Any) -> None:
        """A client is there, and has until HEADERS to ask for something."""
        super().connection_made(transport)
        self._begin()

    def data_received(self, data: bytes) -> None:
        """Bytes have come: of headers, whose end is waited for, or of what follows them."""
        super().data_received(data)
        if self.conn.their_state is h11.IDLE:
            self._begin()
        else:
            self._end()

    def connection_lost(self, exc: Exception | None) -> None:
        """The client is gone."""
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
