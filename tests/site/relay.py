"""A way for datagrams between two browsers of this machine that a test can cut."""

import socket
from threading import Thread


class Relay:
    """Passes on what comes to `port`, and the answers, unless it is `cut`."""

    def __init__(self, target: int) -> None:
        self.cut = False
        self._near, self._far = (socket.socket(type=socket.SOCK_DGRAM) for _ in range(2))
        self._near.bind(("127.0.0.1", 0))
        self._far.connect(("127.0.0.1", target))
        self.port = self._near.getsockname()[1]
        self._guest = ("127.0.0.1", 0)
        for pass_on in (self._there, self._back):
            Thread(target=pass_on, daemon=True).start()

    def _there(self) -> None:
        while True:
            data, self._guest = self._near.recvfrom(65536)
            if not self.cut:
                self._far.send(data)

    def _back(self) -> None:
        while True:
            try:
                data = self._far.recv(65536)
            except ConnectionRefusedError:  # nobody listens there
                continue
            if not self.cut:
                self._near.sendto(data, self._guest)


def led_over_relay(offer: str) -> tuple[str, Relay]:
    """An offer whose only address is that of a relay to the host's first one, and the relay."""
    start, _, text = offer.partition("=")
    *own, place = text.partition("&")[0].split("~")[:6]
    relay = Relay(int(place.rpartition("_")[2]))
    return f"{start}={'~'.join([*own, f'127.0.0.1_{relay.port}'])}", relay


def unreachable(answer: str) -> str:
    """An answer whose only address is one at which nobody is."""
    start, _, text = answer.rpartition("=")
    return f"{start}={'~'.join([*text.split('~')[:4], '192.0.2.99_9'])}"
