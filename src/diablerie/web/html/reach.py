"""Who reaches this server: the link for others with its QR code, and what may keep them out."""

import os
import platform
import socket
import sys
from contextlib import closing
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urlsplit, urlunsplit

from markupsafe import Markup

from diablerie.engine.text import Line, say

# -- the address for others ------------------------------------------------------------------------

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


# -- what pages say of it --------------------------------------------------------------------------

UFW = Path("/etc/ufw/ufw.conf")  # anybody may read it
FIREWALLD = Path("/run/firewalld")  # this folder is there while firewalld runs
# why nobody opens or closes a server while it runs
BY_HOST = "host"
BY_PROCESSES = "processes"
NO_NETWORK = say("This computer is not in a network: connect it to your Wi-Fi.")


class Reach(NamedTuple):
    """Who reaches this server, and whether the visitor of a page may change that."""

    home: str = ""  # the server's address for other devices, without a slash at the end
    everywhere: bool = False  # whether devices in the network reach it
    near: bool = True  # whether the visitor came by this machine's name or a numeric address
    networked: bool = True  # whether this machine is in a network
    owner: bool = False  # whether the visitor may open and close it
    fixed: str = BY_HOST  # why nobody can do that while the server runs; "" if it can be done
    alone: bool = False  # whether one browser has these pages, and makes them for itself and guests
    guest: bool = False  # whether the visitor is such a guest

    @property
    def hint(self) -> Line:
        """What to do if no phone gets through."""
        return network_hint(urlsplit(self.home).port or 80)


def network_hint(port: int) -> Line:
    """What to do if no phone gets through: about the firewall that runs here, if one is noticed.

    Only files that anybody may read are looked at, and no command is run.
    """
    # What can be seen from here comes first; the last sentence is a guess.
    if command := firewall_command(port):
        return say(
            "A firewall runs on this computer and probably blocks phones. This command lets "
            "them in: {command}",
            command=command,
        )
    if sys.platform == "darwin":
        return say("If macOS asks whether Python may accept connections, allow it.")
    if "microsoft" in platform.release().lower():
        return say(
            "The server runs inside Windows (WSL). Phones can connect only if its network "
            "mode is “mirrored” and the Windows firewall lets port {port} in.",
            port=port,
        )
    return say(
        "If a phone cannot connect, it is probably in another network (a guest Wi-Fi or "
        "mobile data), or a firewall blocks port {port}.",
        port=port,
    )


def firewall_command(port: int) -> str:
    """The command that opens a port in the firewall that runs here; "" if none is noticed."""
    if "ENABLED=yes" in _read(UFW):
        return f"sudo ufw allow {port}/tcp"
    if FIREWALLD.is_dir():
        return f"sudo firewall-cmd --add-port={port}/tcp"
    return ""


def _read(path: Path) -> str:
    try:
        return path.read_text("utf-8", "replace")
    except OSError:
        return ""
