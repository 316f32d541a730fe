"""Invitations: the address at which other devices reach this server, and its QR code."""

import os
import socket
from contextlib import closing
from functools import lru_cache
from urllib.parse import urlsplit, urlunsplit

from markupsafe import Markup

EVERYWHERE = frozenset({"", "0.0.0.0", "::"})  # hosts to bind that mean all interfaces
LOOPBACK_HOSTS = frozenset({"localhost", "127.0.0.1", "[::1]"})
ELSEWHERE = ("192.0.2.1", 9)  # a documentation address (RFC 5737): nothing is ever sent there


def public_address(asked: str, everywhere: bool) -> str:
    """The server's address for other devices, without a slash at the end.

    `asked` is the address that the browser used. If it leads to the browser's own machine and the
    server listens on all interfaces (`everywhere`), it is replaced by the machine's address in the
    local network.
    """
    base = asked.rstrip("/")
    parts = urlsplit(base)
    name = network_address() if everywhere and here_only(base) else ""
    if not name:
        return base
    return urlunsplit(parts._replace(netloc=f"{name}:{parts.port}" if parts.port else name))


def here_only(address: str) -> bool:
    """Whether an address leads to the very machine that uses it (localhost)."""
    name = urlsplit(address).hostname or ""
    return name in LOOPBACK_HOSTS or f"[{name}]" in LOOPBACK_HOSTS


def command(options: str) -> str:
    """The command that starts this server with other options.

    It is a make command if the server was started by one, which sets DIABLERIE_MAKE.
    """
    if os.environ.get("DIABLERIE_MAKE"):
        return f'make play ARGS="{options}"'
    return f"diablerie serve {options}"


def network_address() -> str:
    """The machine's address in the local network, "" if it has none. Sends nothing."""
    with closing(socket.socket(socket.AF_INET, socket.SOCK_DGRAM)) as probe:
        try:
            probe.connect(ELSEWHERE)
        except OSError:
            return ""
        address = str(probe.getsockname()[0])
    return "" if address.startswith("127.") or address == "0.0.0.0" else address


@lru_cache(maxsize=256)
def qr_svg(address: str) -> Markup:
    """An address as a QR code: one `<svg>` element, black on white in dark mode, too."""
    import segno  # few pages show one, and a browser would import it before each game

    code = segno.make(address, error="m", micro=False)
    return Markup(
        code.svg_inline(border=3, dark="#000", light="#fff", omitsize=True, svgclass="qr")
    )
