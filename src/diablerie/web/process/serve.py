"""`diablerie serve`: bind a port, print the link, serve, and stop cleanly.

Modules that take long to import are imported only when the port is known to be free.
"""

import socket
import threading
import webbrowser
from contextlib import suppress
from pathlib import Path

import platformdirs

from diablerie.web.edges import logs
from diablerie.web.html import invitations
from diablerie.web.html.invitations import EVERYWHERE
from diablerie.web.process import open_files


def serve(
    host: str = "127.0.0.1",
    port: int = 8666,
    db: str = "",
    open_browser: bool = True,
    log_level: str = "info",
    tempo: float | None = None,
    verbose: bool = False,
    workers: int | None = None,
    bots: int | None = None,
) -> None:
    """Serve until interrupted: in this process, or on PostgreSQL in several that share the tables.

    `workers` is the number of processes that answer, `bots` of those that let bots play (None: one
    each). `tempo` is the seconds between two actions of bots. Raises ValueError,
    with a sentence, for a port that is taken, a log level there is not, a database that cannot be
    used, or several processes on a file.
    """
    logs.configure(log_level, verbose)
    open_files.raise_limit()
    listening = bind(host, port)
    ready = lambda: greet(local_link(host, listening), host in EVERYWHERE, open_browser)  # noqa: E731
    where = db or default_db()
    try:
        from diablerie.table.storage import database

        if database.is_shared(where):
            from diablerie.web.process.workers import Plan, run_workers

            plan = Plan(host, where, tempo, log_level, verbose)
            run_workers(listening, plan, workers or 1, 1 if bots is None else bots, ready)
            return
        if (workers or 1) > 1 or bots is not None:
            raise ValueError(
                "a SQLite file has one process, in which the bots play, too: "
                "--workers and --bots are for PostgreSQL, --db postgresql://…"
            )
        from diablerie.web.process.server_process import Server, ServerProcess

        process = ServerProcess(listening, host, where, tempo)
    except ValueError:
        listening.close()
        raise
    with suppress(KeyboardInterrupt):
        Server(process, ready).run([listening])


def bind(host: str, port: int) -> socket.socket:
    """A socket that listens. Raises ValueError, with a sentence, if it cannot."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    # Named as TCP, for only then does asyncio send at once what it is given: without it every
    # answer of two packets waits 40 ms for an acknowledgement.
    listening = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((host, port))
        listening.listen(open_files.BACKLOG)
    except (OSError, OverflowError) as error:
        listening.close()
        why = getattr(error, "strerror", None) or str(error)
        raise ValueError(f"cannot listen on {host} port {port}: {why}; try --port") from None
    return listening


def default_db() -> str:
    """The embedded database in the user's data folder, which is made if need be."""
    folder = Path(platformdirs.user_data_dir("diablerie"))
    folder.mkdir(parents=True, exist_ok=True)
    return str(folder / "tables.db")


def local_link(host: str, listening: socket.socket) -> str:
    """The address to open in a browser on this machine."""
    name = "localhost" if host in EVERYWHERE else f"[{host}]" if ":" in host else host
    return f"http://{name}:{listening.getsockname()[1]}/"


def greet(address: str, everywhere: bool, open_browser: bool) -> None:
    """Print the link, and the one for others; open it if there is a browser."""
    print(f"diablerie is at {address}  (Ctrl-C stops it)", flush=True)
    others = invitations.public_address(address, everywhere)
    if everywhere and others != address.rstrip("/"):
        print(f"others in your network: {others}/", flush=True)
    elif invitations.here_only(address) and not everywhere:
        print(f"for others in your network: {invitations.command('--host 0.0.0.0')}", flush=True)
    if open_browser:
        threading.Thread(target=_open, args=(address,), daemon=True).start()


def _open(address: str) -> None:
    with suppress(webbrowser.Error):
        webbrowser.get().open(address)
