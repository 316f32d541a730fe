"""Sockets that listen, the connections that they accept, and limits on those of one client.

A connection beyond the limit is closed, before anything is made for it: after a pause, so that a
client which tries again and again keeps nobody waiting. Those of a declared proxy have no limit:
the clients behind it are limited by their requests.

uvicorn has no deadline for headers, so a few hundred clients that send a letter a minute would keep
all others out (slowloris). Bodies have their own deadline, see `edges/forms.py`.
"""

import asyncio
import logging
import os
import socket
import struct
from asyncio import AbstractEventLoop
from collections import Counter
from collections.abc import Callable, Container, Coroutine
from typing import Any, cast
from weakref import WeakSet

import h11
import uvicorn
from uvicorn.middleware.proxy_headers import _TrustedHosts
from uvicorn.protocols.http.h11_impl import H11Protocol

from diablerie.table.errors import TooMany
from diablerie.table.presence.hub import MOST_LISTENERS
from diablerie.table.presence.rate_limits import Limits
from diablerie.web.edges.limits import LONGEST_HEADERS
from diablerie.web.people.identity import client_of

# -- connections -----------------------------------------------------------------------------------

MOST_CONNECTIONS_OF_CLIENT = 256  # open connections of one client: thirty browsers have six each
IN_A_ROW = 8  # connections that are accepted before anything else is done
REFUSED_IN_A_ROW = 32  # and those that are refused, which takes a tenth of the time
REFUSED_CLOSE_SECONDS = 1.0  # seconds until a refused connection is closed
HEADERS_SECONDS = 10.0  # seconds for a request's headers, from its first byte
PORTION = 16 * 1024  # bytes that are parsed at once
PIECES = 1024  # of a body: chunks and packets; the longest form has 200 packets
# refused connections of one client that wait for it; further ones are closed at once
MOST_CONNECTIONS_HELD = 256
RESET = struct.pack("ii", 1, 0)  # SO_LINGER: close with RST, which keeps no state


class Connections:
    """The open connections of each client, with their limits."""

    def __init__(
        self, limits: Limits, proxies: Container[str], later: Callable[..., object] | None = None
    ) -> None:
        """`proxies` are the addresses without a limit.

        `later(seconds, function, *arguments)` calls a function after a while, as the event loop
        does; without it refused connections are closed at once.
        """
        self._limits = limits
        self._proxies = proxies
        self._later = later
        self._open: Counter[str] = Counter()
        self._held: Counter[str] = Counter()  # refused, and not yet closed

    def admits(self, host: str) -> bool:
        """Count an attempt to connect from an address; whether its client may have one more."""
        if not host or host in self._proxies:
            return True
        client = client_of(host)
        try:
            self._limits.count_here("connections", client)
        except TooMany:
            return False
        return self._open[client] < MOST_CONNECTIONS_OF_CLIENT

    def refuse(self, connection: socket.socket, host: str) -> None:
        """Close a connection from an address that is not admitted, after REFUSED_CLOSE_SECONDS."""
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, RESET)
        client = client_of(host)
        if self._later is None or self._held[client] >= MOST_CONNECTIONS_HELD:
            connection.close()
            return
        self._held[client] += 1
        self._later(REFUSED_CLOSE_SECONDS, self._close_held, connection, client)

    def _close_held(self, connection: socket.socket, client: str) -> None:
        connection.close()
        self._held[client] -= 1
        if not self._held[client]:
            del self._held[client]

    def open(self, host: str) -> str | None:
        """Note a new connection from an address: its client, to be closed; None if refused."""
        if not host or host in self._proxies:
            return ""
        client = client_of(host)
        if self._open[client] >= MOST_CONNECTIONS_OF_CLIENT:
            return None
        self._open[client] += 1
        return client

    def close(self, client: str) -> None:
        """A connection that `open` has counted for this client is closed."""
        if client:
            self._open[client] -= 1
            if not self._open[client]:
                del self._open[client]


class LimitedSocket(socket.socket):
    """A listening socket that accepts only those connections which `Connections` admits."""

    connections: Connections

    @classmethod
    def over(cls, listening: socket.socket, connections: Connections) -> "LimitedSocket":
        """The same socket with these limits; the one that is given may be closed then."""
        number = os.dup(listening.fileno())
        made = cls(listening.family, listening.type, listening.proto, number)
        made.connections = connections
        return made

    def accept(self) -> tuple[socket.socket, object]:
        """The next connection that is admitted; the others are refused.

        Raises BlockingIOError if there is none, or after REFUSED_IN_A_ROW: more may wait then.
        """
        for _ in range(REFUSED_IN_A_ROW):
            connection, address = super().accept()
            if self.connections.admits(str(address[0])):
                return connection, address
            self.connections.refuse(connection, str(address[0]))
        raise BlockingIOError


class LimitedParser(h11.Connection):
    """h11's parser, which takes a body in so many pieces at most: each costs 20 µs, however short."""

    _pieces = 0

    def next_event(self) -> Any:
        """What comes next. Raises RemoteProtocolError."""
        event = super().next_event()
        if isinstance(event, h11.Request):
            self._pieces = 0
        elif isinstance(event, h11.Data):
            self._pieces += 1
            if self._pieces > PIECES:
                raise h11.RemoteProtocolError("a body in too many pieces", 413)
        return event


class HeaderTimeoutProtocol(H11Protocol):
    """uvicorn's protocol, which closes a connection whose headers do not end in HEADERS_SECONDS.

    Bytes are read in portions, because h11 looks how long headers are only while they do not end.
    """

    _deadline: asyncio.TimerHandle | None = None

    def __init__(self, *given: Any, **named: Any) -> None:
        """As uvicorn makes it."""
        super().__init__(*given, **named)
        self.conn = LimitedParser(h11.SERVER, LONGEST_HEADERS + PORTION)  # a little more is told so

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Begin the deadline when a client connects."""
        super().connection_made(transport)
        self._begin()

    def data_received(self, data: bytes) -> None:
        """Pass the bytes on; the deadline ends with the headers, and begins anew after the request."""
        for at in range(0, len(data), PORTION):
            if not self.transport.is_closing():
                super().data_received(data[at : at + PORTION])
        if self.conn.their_state is h11.IDLE:
            self._begin()
        else:
            self._end()

    def send_400_response(self, msg: str) -> None:
        """Refuse what is no HTTP, and let nothing else be answered on this connection."""
        if self.conn.our_state in (h11.IDLE, h11.SEND_RESPONSE):
            super().send_400_response(msg)
        self.transport.close()
        if self.cycle:
            self.cycle.disconnected = True

    def connection_lost(self, exc: Exception | None) -> None:
        """End the deadline."""
        self._end()
        super().connection_lost(exc)

    def _begin(self) -> None:
        if self._deadline is None:
            self._deadline = self.loop.call_later(HEADERS_SECONDS, self._late)

    def _end(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None

    def _late(self) -> None:
        if not self.transport.is_closing():
            self.transport.close()


class LimitedProtocol(HeaderTimeoutProtocol):
    """uvicorn's protocol, whose connections are counted by the `Connections` in its app's state."""

    _counted: str | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
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


# -- a server --------------------------------------------------------------------------------------

# seconds until a connection is closed on which nothing is asked: people think as long
IDLE_SECONDS = 75
STOP_GRACE_SECONDS = 3  # seconds that open requests have when the server stops


class LimitedServer(uvicorn.Server):
    """uvicorn, with limits on the connections of each client."""

    def __init__(self, app: Any, limits: Limits, proxies: str | list[str]) -> None:
        """app: an ASGI application; proxies: whose connections have no limit."""
        super().__init__(
            uvicorn.Config(
                app,
                http=LimitedProtocol,
                loop="asyncio",  # uvloop, where it is installed, would not ask LimitedSocket
                backlog=IN_A_ROW,
                log_config=None,
                access_log=False,
                lifespan="off",
                server_header=False,
                timeout_keep_alive=IDLE_SECONDS,
                proxy_headers=False,  # the application reads them itself
                timeout_graceful_shutdown=STOP_GRACE_SECONDS,
            )
        )
        self._limits = limits
        self._proxies = cast(Container[str], _TrustedHosts(proxies))

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Begin to answer."""
        later = asyncio.get_running_loop().call_later
        connections = Connections(self._limits, self._proxies, later)
        self.lifespan.state["connections"] = connections
        await super().startup([LimitedSocket.over(one, connections) for one in sockets or ()])
        for listening in sockets or ():
            listening.listen(BACKLOG)  # so many may wait: uvicorn has set IN_A_ROW


# -- sockets ---------------------------------------------------------------------------------------

log = logging.getLogger("diablerie.web")
BACKLOG = 512  # connections that wait to be accepted
WANTED = MOST_LISTENERS + 1024  # a stream for each listener, and the rest


def raise_limit(wanted: int = WANTED) -> int:
    """Raise this process's limit of open files to `wanted`, as far as it may; return the limit.

    Logs a warning if it stays below. Returns `wanted` on systems without such a limit.
    """
    try:
        import resource
    except ImportError:  # Windows
        return wanted
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    unlimited = resource.RLIM_INFINITY
    if soft != unlimited and soft < wanted:
        soft = wanted if hard == unlimited else min(wanted, hard)
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    if soft != unlimited and soft < wanted:
        log.warning("only %d files may be open at once, %d are wanted: see ulimit -n", soft, wanted)
    return soft if soft != unlimited else wanted


def listening_socket(host: str, port: int) -> socket.socket:
    """A socket that listens at an address. Raises OSError or OverflowError if it cannot."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    # Named as TCP, for only then does asyncio send at once what it is given: without it every
    # answer of two packets waits 40 ms for an acknowledgement.
    listening = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    try:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind((host, port))
        listening.listen(BACKLOG)
    except (OSError, OverflowError):
        listening.close()
        raise
    return listening


HANDOVER_SECONDS = 5.0  # seconds for the event loop to do it


class SecondSocket:
    """Listens for a running uvicorn server at one more address of this machine.

    It binds that address and not all of them, because Linux refuses a socket for all addresses
    beside one that listens on 127.0.0.1 at the same port.
    """

    def __init__(self, server: uvicorn.Server, port: int) -> None:
        """Made in the event loop of the server, which listens on `port` already."""
        self._server = server
        self._port = port
        self._loop: AbstractEventLoop = asyncio.get_running_loop()
        self._listening: asyncio.Server | None = None
        self._connections: WeakSet[asyncio.Protocol] = WeakSet()

    def listen(self, address: str) -> None:
        """Listen at this address, too, instead of the one before. Raises OSError."""
        self._wait(self._listen(address))

    def hang_up(self) -> None:
        """Stop listening there, and close the connections that came that way."""
        self._wait(self._hang_up())

    def _wait(self, work: Coroutine[object, object, None]) -> None:
        asyncio.run_coroutine_threadsafe(work, self._loop).result(HANDOVER_SECONDS)

    async def _listen(self, address: str) -> None:
        await self._hang_up()
        limits = self._server.lifespan.state["connections"]
        with listening_socket(address, self._port) as bound:
            listening = LimitedSocket.over(bound, limits)
        self._listening = await self._loop.create_server(
            self._protocol, sock=listening, backlog=IN_A_ROW
        )
        listening.listen(BACKLOG)  # so many may wait, as for the first socket
        self._server.servers.append(self._listening)  # which closes it at the end

    def _protocol(self) -> asyncio.Protocol:
        """What answers a connection: as uvicorn makes it in `Server.startup`."""
        made = LimitedProtocol(
            config=self._server.config,
            server_state=self._server.server_state,
            app_state=self._server.lifespan.state,
        )
        self._connections.add(made)
        return made

    async def _hang_up(self) -> None:
        if self._listening is None:
            return
        self._listening.close()
        self._server.servers.remove(self._listening)
        self._listening = None
        for connection in list(self._connections):
            transport = getattr(connection, "transport", None)
            if transport is not None:
                transport.abort()
