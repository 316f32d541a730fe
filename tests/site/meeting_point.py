"""A meeting point of a test, which can be stopped, started again and lied with."""

import threading
import time

from diablerie.table.presence.rate_limits import Limits
from diablerie.web.process.meet import application
from diablerie.web.process.sockets import LimitedServer, listening_socket


class Point:
    """A meeting point at a port of this machine; `rooms` are those of the application."""

    def __init__(self) -> None:
        self.port = 0
        self.start()

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def start(self) -> None:
        listening = listening_socket("127.0.0.1", self.port)
        self.port = listening.getsockname()[1]
        app = application()
        self.rooms = app.state.meeting
        self._server = LimitedServer(app, Limits(time.monotonic), "")
        self._thread = threading.Thread(target=self._server.run, args=([listening],), daemon=True)
        self._thread.start()
        while not self._server.started:
            time.sleep(0.01)

    def stop(self) -> None:
        self.rooms.close()  # whoever waits is answered
        self._server.should_exit = True
        self._thread.join()
