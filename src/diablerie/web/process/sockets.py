"""Sockets that listen, the open files that their connections need, and a second socket."""

import asyncio
import logging
import socket
from asyncio import AbstractEventLoop
from collections.abc import Coroutine
from weakref import WeakSet

import uvicorn

from diablerie.table.presence.hub import MOST_LISTENERS
from diablerie.web.process.connections import IN_A_ROW, LimitedProtocol, LimitedSocket

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
