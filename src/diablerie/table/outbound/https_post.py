"""HTTPS posts to addresses that people gave: to the numeric address that was checked.

Redirects and proxies are not followed, little is read of the answer, and a post is cut off after
POST_SECONDS.
"""

import socket
import ssl
import threading
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from functools import cache

from diablerie.table.outbound.addresses import Address, Resolve, Unsafe, resolved

POST_SECONDS = 10.0  # seconds for all of it, but for the resolver, which has its own
LARGEST_BODY_BYTES = 8 * 1024  # bytes that are sent
MACHINES_TRIED = 2  # of the machines that a name stands for
ANSWER_BYTES = 1024  # bytes of the answer
Connect = Callable[[tuple[str, int], float], socket.socket]


class Undelivered(Exception):
    """The post did not reach the address, or got no answer."""


@cache
def _trusting() -> ssl.SSLContext:
    return ssl.create_default_context()


class Courier:
    """Posts over HTTPS; tests give their own functions to resolve, connect and trust."""

    def __init__(
        self,
        resolve: Resolve = socket.getaddrinfo,
        connect: Connect = socket.create_connection,
        trusted: Callable[[], ssl.SSLContext] = _trusting,
        patience: float = POST_SECONDS,
    ) -> None:
        self._resolve = resolve
        self._connect = connect
        self._trusted = trusted
        self._patience = patience

    def post(self, address: Address, body: bytes, headers: Mapping[str, str]) -> int:
        """Post, and return the HTTP status of the answer (a redirect is one). Raises Undelivered."""
        from http.client import HTTPException  # see `_exchange`

        if len(body) > LARGEST_BODY_BYTES:
            raise Undelivered("it is too large")
        try:
            numbers = resolved(address, self._resolve)
        except Unsafe as error:
            raise Undelivered(str(error)) from error
        raw = self._connected(numbers[:MACHINES_TRIED], address.port)
        timer = threading.Timer(self._patience, _cut, (raw,))
        timer.daemon = True
        timer.start()
        try:
            return self._exchange(raw, address, body, headers)
        except (OSError, HTTPException, ValueError) as error:
            raise Undelivered(f"{type(error).__name__}: {error}") from error
        finally:
            timer.cancel()
            raw.close()

    def _connected(self, numbers: Sequence[str], port: int) -> socket.socket:
        """A connection to the first of these machines that takes one."""
        why = ""
        for number in numbers:
            try:
                return self._connect((number, port), self._patience)
            except OSError as error:
                why = str(error)
        raise Undelivered(f"no connection: {why}")

    def _exchange(
        self, raw: socket.socket, address: Address, body: bytes, headers: Mapping[str, str]
    ) -> int:
        from http.client import HTTPConnection  # with all of `email`: not for a page to wait for

        with self._trusted().wrap_socket(raw, server_hostname=address.host) as secure:
            line = HTTPConnection(address.host, address.port)
            # never another connection than this one
            line.sock = secure
            line.auto_open = 0
            host = address.origin.removeprefix("https://")
            line.request("POST", address.path, body, {"Host": host, **headers})
            answer = line.getresponse()
            answer.read(ANSWER_BYTES)
            return answer.status


def _cut(raw: socket.socket) -> None:
    with suppress(OSError):
        raw.shutdown(socket.SHUT_RDWR)
