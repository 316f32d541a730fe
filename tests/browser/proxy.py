"""A proxy on this machine that may fall silent: connections stay open, and nothing comes over them."""

import contextlib
import socket
import threading


class Proxy:
    """Passes on what comes to `port`. `swallow` is a change of network, `shut` the lack of one."""

    def __init__(self, target: int) -> None:
        self._target, self.port = target, 0
        self._connections = set[Connection]()
        self.open()

    @property
    def home(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def open(self) -> None:
        """Accept connections, on the same port as before."""
        self._listening = socket.create_server(("127.0.0.1", self.port))
        self.port = self._listening.getsockname()[1]
        threading.Thread(target=self._accept, args=(self._listening,), daemon=True).start()

    def swallow(self) -> int:
        """Silence all connections there are, without a word to either end; how many there were."""
        for one in (there := list(self._connections)):
            one.silent = True
        return len(there)

    def shut(self) -> None:
        """Refuse connections, and end those there are."""
        with contextlib.suppress(OSError):
            self._listening.shutdown(socket.SHUT_RDWR)
        self._listening.close()
        for one in list(self._connections):
            one.end()

    def _accept(self, listening: socket.socket) -> None:
        with contextlib.suppress(OSError):
            while True:
                browser, _ = listening.accept()
                server = socket.create_connection(("127.0.0.1", self._target))
                one = Connection(browser, server)
                self._connections.add(one)
                for ends in ((browser, server), (server, browser)):
                    threading.Thread(target=self._relay, args=(one, *ends), daemon=True).start()

    def _relay(self, one: "Connection", source: socket.socket, target: socket.socket) -> None:
        with contextlib.suppress(OSError):
            while data := source.recv(65536):
                if not one.silent:
                    target.sendall(data)
        if not one.silent or source is one.browser:
            one.end()
            self._connections.discard(one)


class Connection:
    """A browser's connection, and the one to the server that belongs to it."""

    def __init__(self, browser: socket.socket, server: socket.socket) -> None:
        self.browser, self.server, self.silent = browser, server, False

    def end(self) -> None:
        for end in (self.browser, self.server):
            with contextlib.suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)
            end.close()
