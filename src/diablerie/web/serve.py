"""`diablerie serve`: bind, answer, tell the link, and stop cleanly.

What takes long to import is imported here only when the port is known to be free.
"""

import logging
import os
import socket
import sys
import threading
import webbrowser
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

import platformdirs
import uvicorn
from rich import progress
from rich.console import Console

from diablerie.web import inviting, logs

if TYPE_CHECKING:
    from diablerie.table.authority import Authority
    from diablerie.table.health import Health
    from diablerie.table.warm import Progress, Warm
    from diablerie.web.metrics import Metrics

log = logging.getLogger("diablerie.web")
EVERYWHERE = frozenset({"", "0.0.0.0", "::"})
GRACE = 3  # seconds that open requests have when the server stops
BACKLOG = 512
DAY = 24 * 3600
ABANDONED = 60 * DAY  # seconds without news after which a table that is not over is removed


def serve(
    host: str = "127.0.0.1",
    port: int = 8666,
    db: str = "",
    open_browser: bool = True,
    log_level: str = "info",
    tempo: float | None = None,
    verbose: bool = False,
) -> None:
    """Serve until interrupted.

    Raises ValueError, with a sentence, for a port that is taken, a log level there is not, or a
    database that cannot be used.
    """
    logs.configure(log_level, verbose)
    listening = bind(host, port)
    try:
        house = House(listening, host, db or default_db(), tempo)
    except ValueError:
        listening.close()
        raise
    server = Server(house, lambda: greet(link(host, listening), host in EVERYWHERE, open_browser))
    with suppress(KeyboardInterrupt):
        server.run([listening])


def bind(host: str, port: int) -> socket.socket:
    """A socket that listens. Raises ValueError, with a sentence, if it cannot."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    # Named as TCP, for only then does asyncio send at once what it is given: without it every
    # answer of two packets waits 40 ms for an acknowledgement.
    made = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        made.bind((host, port))
        made.listen(BACKLOG)
    except (OSError, OverflowError) as error:
        made.close()
        why = getattr(error, "strerror", None) or str(error)
        raise ValueError(f"cannot listen on {host} port {port}: {why}; try --port") from None
    return made


def default_db() -> str:
    """The embedded database in the user's data folder, which is made if need be."""
    folder = Path(platformdirs.user_data_dir("diablerie"))
    folder.mkdir(parents=True, exist_ok=True)
    return str(folder / "tables.db")


def link(host: str, listening: socket.socket) -> str:
    """The address to open in a browser on this machine."""
    name = "localhost" if host in EVERYWHERE else f"[{host}]" if ":" in host else host
    return f"http://{name}:{listening.getsockname()[1]}/"


def greet(address: str, everywhere: bool, open_browser: bool) -> None:
    """Print the link, and the one for others; open it if there is a browser."""
    print(f"diablerie is at {address}  (Ctrl-C stops it)", flush=True)
    others = inviting.home(address, everywhere)
    if everywhere and others != address.rstrip("/"):
        print(f"others in your network: {others}/", flush=True)
    elif inviting.here_only(address) and not everywhere:
        print('for others in your network: make play ARGS="--host 0.0.0.0"', flush=True)
    if open_browser:
        threading.Thread(target=_open, args=(address,), daemon=True).start()


def _open(address: str) -> None:
    with suppress(webbrowser.Error):
        webbrowser.get().open(address)


class House:
    """Everything a server consists of: the store, the authority, its bots, the compiler."""

    def __init__(
        self, listening: socket.socket, host: str, db: str, tempo: float | None = None
    ) -> None:
        from diablerie.table.analysis import Analyst
        from diablerie.table.authority import Authority
        from diablerie.table.database import file_of
        from diablerie.table.deadlines import Deadlines
        from diablerie.table.driver import TEMPO, Driver
        from diablerie.table.health import Health
        from diablerie.table.lock import Lock
        from diablerie.table.store import Store
        from diablerie.table.warm import Warm
        from diablerie.web.app import create_app
        from diablerie.web.calling.bell import Bell
        from diablerie.web.calling.keys import Keys, place

        self.closing = threading.Event()
        path = file_of(db)
        self.lock = None if path is None else Lock(path)
        self.store = Store(db)
        self.health = Health(self.store)
        self.warm = Warm()
        self.authority = Authority(self.store, ready=self.warm.ready)
        self.analyst = Analyst(self.authority)
        self.metrics = metrics_of(self.authority, self.health)
        self.deadlines = Deadlines(self.authority.tables)
        self.driver = Driver(self.authority, tempo=TEMPO if tempo is None else tempo)
        self.bell = Bell(self.authority, Keys(place(path)))
        self.app = create_app(
            self.authority,
            hosts={host, socket.gethostname(), *named_hosts()},
            any_address=host in EVERYWHERE,
            warm=self.warm,
            analyst=self.analyst,
            health=self.health,
            metrics=self.metrics,
            bell=self.bell,
        )

    def open(self) -> None:
        """Let the bots play, and compile what is not compiled yet."""
        self.health.start()
        self.driver.start()
        self.deadlines.start()
        self.bell.start()
        self.analyst.start()
        self.warm.start(self.authority.lobby.start_waiting, Bars(self.warm).tell)
        threading.Thread(target=self._sweep, daemon=True).start()

    def _sweep(self) -> None:
        """Remove what was given up long ago, now and every day."""
        while True:
            try:
                self.authority.sweep(ABANDONED)
            except Exception:
                log.exception("tables that were given up could not be removed")
            if self.closing.wait(DAY):
                return

    def close(self) -> None:
        """Stop what open started."""
        self.closing.set()
        self.health.stop()
        if self.metrics:
            self.metrics.close()
        self.warm.stop()
        self.driver.stop()
        self.deadlines.stop()
        self.bell.stop()
        self.analyst.stop()
        self.store.close()
        if self.lock:
            self.lock.release()


def metrics_of(authority: "Authority", health: "Health") -> "Metrics | None":
    """Figures for Prometheus at the port DIABLERIE_METRICS, for this machine alone.

    None without it. Raises ValueError, with a sentence, for a port that cannot be had.
    """
    from diablerie.web.metrics import Metrics

    told = os.environ.get("DIABLERIE_METRICS", "")
    if not told:
        return None
    host, _, port = told.rpartition(":")
    metrics = Metrics(authority, health)
    try:
        metrics.serve(int(port), host or "127.0.0.1")
    except (ValueError, OverflowError, OSError) as error:
        raise ValueError(f"DIABLERIE_METRICS={told}: no port to listen on ({error})") from None
    return metrics


def named_hosts() -> set[str]:
    """Further names this server answers under: DIABLERIE_HOSTS, with commas between."""
    return {name.strip() for name in os.environ.get("DIABLERIE_HOSTS", "").split(",")} - {""}


class Server(uvicorn.Server):
    """uvicorn, with streams that end when it stops."""

    def __init__(self, house: House, ready: Callable[[], None]) -> None:
        from diablerie.web.patient import Patient

        behind_proxy = "FORWARDED_ALLOW_IPS" in os.environ
        super().__init__(
            uvicorn.Config(
                house.app,
                http=Patient,
                log_config=None,
                access_log=False,
                lifespan="off",
                server_header=False,
                proxy_headers=behind_proxy,
                timeout_graceful_shutdown=GRACE,
            )
        )
        self.house = house
        self.ready = ready

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Answer, and only then begin what takes time."""
        await super().startup(sockets)
        self.ready()
        self.house.open()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Tell the streams first: uvicorn waits for what is open."""
        self.house.authority.hub.close()
        await super().shutdown(sockets)
        self.house.close()


class Bars:
    """Progress in the terminal while rules are compiled, which happens after an update only."""

    def __init__(self, warm: "Warm") -> None:
        console = Console(file=sys.stdout)
        text = progress.TextColumn("compiling the rules of {task.description}")
        bar = progress.BarColumn()
        self.shown = progress.Progress(
            text, bar, console=console, transient=not console.is_terminal
        )
        missing = {name: p for name, p in warm.progress().items() if not p.ready}
        self.tasks = {name: self.shown.add_task(name, total=p.of) for name, p in missing.items()}
        if self.tasks:
            self.shown.start()

    def tell(self, game: str, step: "Progress") -> None:
        """A game has come further."""
        self.shown.update(self.tasks[game], completed=step.done)
        if self.shown.finished:
            self.shown.stop()
