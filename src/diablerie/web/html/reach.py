"""Who reaches this server, as pages tell it: the link for others, and what may keep them out."""

import platform
import sys
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urlsplit

from diablerie.engine.text import Line, say

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
