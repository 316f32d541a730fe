"""The switch that opens the server to the local network while it runs, and closes it again."""

import ipaddress
import socket
import threading
from typing import Protocol
from urllib.parse import urlsplit

from starlette.requests import Request

from diablerie.engine.text import say
from diablerie.table.errors import WrongTime
from diablerie.web.html import reach
from diablerie.web.html.reach import BY_HOST, NO_NETWORK, Reach
from diablerie.web.people.identity import is_owner

FIXED = say("Access to this server cannot be changed while it runs.")


class Listener(Protocol):
    """What listens in the network besides the server's first socket; called from any thread."""

    def listen(self, address: str) -> None:
        """Listen at this address of the machine, too, instead of the one before. Raises OSError."""

    def hang_up(self) -> None:
        """Stop listening there, and close the connections that came that way."""


class NetworkSwitch:
    """Knows whether devices in the network reach this server, and changes it for the owner."""

    def __init__(
        self,
        *,
        everywhere: bool = False,
        fixed: str = BY_HOST,
        secret: str = "",
        alone: bool = False,
    ) -> None:
        """Begin with the server open if it listens on all interfaces (`everywhere`).

        `fixed` is a word for why that cannot be changed (see `reach`), "" if it can. `secret` is
        the owner's, "" if there is no owner. `alone`: one browser has these pages; others
        reach them through it, as its guests.
        """
        self.fixed = fixed
        self.secret = secret
        self.alone = alone
        self.changes = 0  # how often it was opened or closed
        self._everywhere = everywhere
        self._address = ""
        self._listener: Listener | None = None
        self._lock = threading.Lock()

    def attach(self, listener: Listener) -> None:
        """Give it what listens, when the server runs."""
        self._listener = listener

    @property
    def is_open(self) -> bool:
        """Whether it listens in the network."""
        return self._everywhere or bool(self._address)

    @property
    def reachable(self) -> bool:
        """Whether it listens at the address that this machine has in the network now."""
        return self._everywhere or self._address == reach.network_address() != ""

    def open(self) -> None:
        """Listen in the network. Raises WrongTime, with a sentence, if that cannot be."""
        with self._lock:
            listener = self._usable()
            address = reach.network_address()
            if not address:
                raise WrongTime(NO_NETWORK)
            try:
                listener.listen(address)
            except OSError as error:
                why = error.strerror or str(error)
                raise WrongTime(
                    say(
                        "The network could not be opened at {address}: {why}.",
                        address=address,
                        why=why,
                    )
                ) from error
            self._address = address
            self.changes += 1

    def close(self) -> None:
        """Listen on this machine only. Raises WrongTime if that cannot be changed."""
        with self._lock:
            self._usable().hang_up()
            self._address = ""
            self.changes += 1

    def _usable(self) -> Listener:
        if self.fixed or self._listener is None:
            raise WrongTime(FIXED)
        return self._listener

    def home(self, request: Request) -> str:
        """The server's address for other devices as far as it has one, without a slash at the end."""
        return reach.public_address(str(request.base_url), self.reachable)

    def reach(self, request: Request) -> Reach:
        """Who reaches this server, as the sender of a request is told it."""
        return Reach(
            home=self.home(request),
            everywhere=self.reachable,
            near=_near(str(request.base_url)),
            networked=bool(reach.network_address()),
            owner=is_owner(request, self.secret),
            fixed=self.fixed,
            alone=self.alone,
            guest=self.has_guest(request),
        )

    def has_guest(self, request: Request) -> bool:
        """Whether a request comes from another browser than the one that has these pages alone."""
        return self.alone and request.client is not None


def _near(address: str) -> bool:
    """Whether an address names this machine, or is numeric: no name of the open internet."""
    host = urlsplit(address).hostname or ""
    try:
        ipaddress.ip_address(host)
    except ValueError:
        return host in {"localhost", *own_names()}
    return True


def own_names() -> set[str]:
    """The names under which a local network knows this machine."""
    name = socket.gethostname().lower()
    return {name, f"{name}.local"}
