"""Invitations: an address under which others reach this server, and its picture for telephones."""

import os
import socket
from contextlib import closing
from functools import lru_cache
from urllib.parse import urlsplit, urlunsplit

import segno
from markupsafe import Markup

EVERYWHERE = frozenset({"", "0.0.0.0", "::"})  # hosts that stand for all addresses
LOOPBACK = frozenset({"localhost", "127.0.0.1", "[::1]"})
ELSEWHERE = ("192.0.2.1", 9)  # of a network for examples (RFC 5737): nothing is ever sent there


def public_address(asked: str, everywhere: bool) -> str:
    """The server's address for others, without a slash at the end, from the one asked for.

    Who is on the same machine calls it localhost; others reach it by its address in the local
    network, if it listens there (`everywhere`). Other names are left as they are.
    """
    base = asked.rstrip("/")
    parts = urlsplit(base)
    name = network_address() if everywhere and here_only(base) else ""
    if not name:
        return base
    return urlunsplit(parts._replace(netloc=f"{name}:{parts.port}" if parts.port else name))


def here_only(address: str) -> bool:
    """Whether an address leads to no other machine than the one that asks."""
    name = urlsplit(address).hostname or ""
    return name in LOOPBACK or f"[{name}]" in LOOPBACK


def command(options: str) -> str:
    """The command that starts this server with other options, as it was started: by make or not.

    `make play` sets DIABLERIE_MAKE; whoever has installed a wheel has no Makefile.
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
        found = str(probe.getsockname()[0])
    return "" if found.startswith("127.") or found == "0.0.0.0" else found


@lru_cache(maxsize=256)
def qr_svg(address: str) -> Markup:
    """An address as a QR code: one `<svg>` element, black on white by day and by night."""
    code = segno.make(address, error="m", micro=False)
    return Markup(
        code.svg_inline(border=3, dark="#000", light="#fff", omitsize=True, svgclass="qr")
    )
