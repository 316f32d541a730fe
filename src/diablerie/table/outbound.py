"""Requests that this server sends, to addresses that people give for webhooks and web push.

The server never posts into its own network (SSRF). An address is checked as text when somebody
gives it, and the numeric addresses of its name just before each post; the connection then goes to a
numeric address that was checked. Redirects and proxies are not followed, little is read of the
answer, and a post is cut off after POST_SECONDS.
"""

import ipaddress
import re
import socket
import ssl
import threading
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from functools import cache
from typing import NamedTuple
from urllib.parse import urlsplit

from diablerie.engine.text import say
from diablerie.table.errors import BadInput

LONGEST_URL = 1000  # characters
OUTBOUND_PORTS = (443, 8443)
CLOSED = tuple(  # what some versions of Python take for global
    ipaddress.ip_network(text)
    for text in (
        *("100.64.0.0/10", "192.0.0.0/24", "192.88.99.0/24", "198.18.0.0/15"),
        *("2001::/23", "3fff::/20", "5f00::/16"),
    )
)
HOST_NAME = re.compile(r"[a-z0-9._-]+")  # escapes such as %31 are no part of a name
NAT64 = ipaddress.ip_network("64:ff9b::/96")
Resolve = Callable[
    ..., Sequence[tuple[object, object, object, object, Sequence[object]]]
]  # as socket.getaddrinfo
IP = ipaddress.IPv4Address | ipaddress.IPv6Address
POST_SECONDS = 10.0  # seconds for all of it, but for the resolver, which has its own
LARGEST_BODY_BYTES = 8 * 1024  # bytes that are sent
MACHINES_TRIED = 2  # of the machines that a name stands for
ANSWER_BYTES = 1024  # bytes of the answer
Connect = Callable[[tuple[str, int], float], socket.socket]


class Unsafe(Exception):
    """An address in the server's own network, or without a numeric address."""


class Address(NamedTuple):
    """An https address, taken apart. `path` has the query too."""

    host: str
    port: int
    path: str

    @property
    def origin(self) -> str:
        """Scheme, host and port."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"https://{host}" + (f":{self.port}" if self.port != OUTBOUND_PORTS[0] else "")


def parse_address(url: str) -> Address:
    """The parts of an address that somebody gave. Raises BadInput if it may not be posted to."""
    if not url.isascii() or not url.isprintable() or " " in url or len(url) > LONGEST_URL:
        raise BadInput(say("This address cannot be used."))
    try:
        parts = urlsplit(url)
        host = (parts.hostname or "").rstrip(".")
        port = OUTBOUND_PORTS[0] if parts.port is None else parts.port
    except ValueError:
        raise BadInput(say("This address cannot be used.")) from None
    if parts.scheme != "https" or not host or parts.username is not None:
        raise BadInput(
            say("An address for notifications begins with https:// and has no password.")
        )
    # What is a number is checked now; the numbers behind a name only when something is posted.
    number = _number(host)
    if number is None and not HOST_NAME.fullmatch(host):
        raise BadInput(say("This address cannot be used."))
    if port not in OUTBOUND_PORTS:
        raise BadInput(say("Only the ports {ports} are allowed.", ports="443, 8443"))
    if (number and not public(number)) or host == "localhost" or host.endswith(".localhost"):
        raise BadInput(say("This address is inside the server’s own network and is not allowed."))
    return Address(host, port, (parts.path or "/") + (f"?{parts.query}" if parts.query else ""))


def resolved(address: Address, resolve: Resolve = socket.getaddrinfo) -> list[str]:
    """The numeric addresses behind a name, all of them public. Raises Unsafe."""
    try:
        entries = resolve(address.host, address.port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError) as error:
        raise Unsafe(f"its name is not known: {error}") from error
    numbers = [str(entry[4][0]) for entry in entries]
    if not numbers:
        raise Unsafe("its name leads nowhere")
    for text in numbers:
        number = _number(text)
        if number is None or not public(number):
            raise Unsafe("it leads inside")
    return list(dict.fromkeys(numbers))


def public(number: IP) -> bool:
    """Whether an address is on the public internet, also if it is wrapped in an IPv6 address."""
    if number in NAT64:  # how networks without IPv4 reach it
        return public(ipaddress.IPv4Address(int(number) & 0xFFFFFFFF))
    return _outside(number) and all(_outside(inner) for inner in _inside(number))


def _outside(number: IP) -> bool:
    closed = (
        number.is_private
        or number.is_loopback
        or number.is_link_local
        or number.is_multicast
        or number.is_reserved
        or number.is_unspecified
        or getattr(number, "is_site_local", False)
        or any(number in network for network in CLOSED)
    )
    return number.is_global and not closed


def _inside(number: IP) -> list[IP]:
    """The IPv4 addresses that an IPv6 address stands for."""
    if isinstance(number, ipaddress.IPv4Address):
        return []
    wrapped: list[IP | None] = [number.ipv4_mapped, number.sixtofour]
    return [inner for inner in wrapped if inner is not None]


def _number(text: str) -> IP | None:
    """A numeric address, None for a name. What the system's resolver takes for one is one."""
    try:
        return ipaddress.ip_address(text.partition("%")[0])
    except ValueError:
        pass
    try:  # 127.1, 0x7f000001, 2130706433
        return ipaddress.IPv4Address(socket.inet_aton(text))
    except OSError:
        return None


# -- https post --------------------------------------------------------------------------------


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
