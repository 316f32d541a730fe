"""`diablerie serve`: bind a port, print the link, serve, and stop cleanly.

Modules that take long to import are imported only when the port is known to be free.
"""

import os
import socket
import tempfile
import threading
import time
import webbrowser
from contextlib import suppress
from dataclasses import dataclass
from errno import EACCES, EADDRINUSE
from html import escape
from pathlib import Path

import platformdirs

from diablerie.table.state.visitors import fresh_secret
from diablerie.web.edges import logs
from diablerie.web.edges.settings import LOOPBACK, metrics_address, own_hosts, trusted_proxies
from diablerie.web.html import reach
from diablerie.web.html.reach import BY_HOST, EVERYWHERE
from diablerie.web.people.identity import OWNER_PATH
from diablerie.web.process.sockets import listening_socket, raise_limit

READ_WITHIN = 60  # seconds for the browser to read the page that leads to the owner's link
LEADS_ON = (
    '<!doctype html><meta charset="utf-8"><meta name="referrer" content="no-referrer">'
    '<meta http-equiv="refresh" content="0; url={link}"><a href="{link}">diablerie</a>\n'
)


@dataclass(frozen=True)
class ServeSettings:
    """What `diablerie serve` is asked for.

    `workers` is the number of processes that answer, `bots` of those that let bots play (None: one
    each). With no `host` the server listens on this machine until its owner opens it to the
    network. `tempo` is the seconds between two actions of bots.
    """

    host: str | None = None
    port: int = 8666
    db: str = ""
    open_browser: bool = True
    log_level: str = "info"
    tempo: float | None = None
    verbose: bool = False
    workers: int | None = None
    bots: int | None = None


def serve(asked: ServeSettings) -> None:
    """Serve until interrupted: in this process, or on PostgreSQL in several that share the tables.

    Raises ValueError, with a sentence, for a port that is taken, a log level there is not, a
    variable that says nothing, a database that cannot be used, or several processes on a file.
    """
    logs.configure(asked.log_level, asked.verbose)
    raise_limit()
    own_hosts()
    trusted_proxies()
    metrics_address()
    bound = asked.host or LOOPBACK
    listening = bind(bound, asked.port)
    secret = fresh_secret()
    where = asked.db or default_db()
    everywhere = bound in EVERYWHERE
    try:
        from diablerie.table.storage import database
        from diablerie.web.notifications.messages import key_file

        shared = database.is_shared(where)
        if database.in_memory(where):
            raise ValueError(f"{where}: a database in memory keeps no games, give a file")
        file = database.file_of(where)
        key_file(file)
        if not shared and ((asked.workers or 1) > 1 or asked.bots is not None):
            raise ValueError(
                "a SQLite file has one process, in which the bots play, too: "
                "--workers and --bots are for PostgreSQL, --db postgresql://…"
            )
        if file and not file.exists():
            print(f"a new database: {file}", flush=True)
        link = local_link(bound, listening)
        decided = bool(asked.host) or shared
        ready = lambda: greet(link, secret, everywhere, decided, asked.open_browser)  # noqa: E731
        if shared:
            from diablerie.web.process.workers import Plan, supervise

            plan = Plan(bound, where, asked.tempo, asked.log_level, asked.verbose, secret)
            players = 1 if asked.bots is None else asked.bots
            supervise(listening, plan, asked.workers or 1, players, ready)
            return
        from diablerie.web.edges.network_switch import NetworkSwitch
        from diablerie.web.process.server_process import Server, ServerProcess

        fixed = BY_HOST if asked.host else ""
        network = NetworkSwitch(everywhere=everywhere, fixed=fixed, secret=secret)
        process = ServerProcess(listening, bound, where, asked.tempo, network=network)
    except BaseException:
        listening.close()
        raise
    with suppress(KeyboardInterrupt):
        Server(process, ready).run([listening])


def bind(host: str, port: int) -> socket.socket:
    """A socket that listens. Raises ValueError, with a sentence, if it cannot."""
    try:
        return listening_socket(host, port)
    except (OSError, OverflowError, UnicodeError) as error:  # of a name no address can have
        why = getattr(error, "strerror", None) or str(error)
        other = "port" if getattr(error, "errno", 0) in (EADDRINUSE, EACCES) else "host"
        raise ValueError(f"cannot listen on {host} port {port}: {why}; try --{other}") from None


def default_db() -> str:
    """The embedded database in the user's data folder, which is made if need be."""
    folder = Path(platformdirs.user_data_dir("diablerie"))
    folder.mkdir(parents=True, exist_ok=True)
    return str(folder / "tables.db")


def local_link(host: str, listening: socket.socket) -> str:
    """The address to open in a browser on this machine."""
    name = f"[{host}]" if ":" in host else host
    if host in EVERYWHERE:
        name = "localhost"
    return f"http://{name}:{listening.getsockname()[1]}/"


def greet(address: str, secret: str, everywhere: bool, fixed: bool, open_browser: bool) -> None:
    """Print the owner's link, and how others come; open it if there is a browser.

    `everywhere`: the server listens on all interfaces; `fixed`: that cannot be changed on its page.
    """
    link = f"{address}{OWNER_PATH}/{secret}"
    print(f"diablerie is at {link}  (Ctrl-C stops it)", flush=True)
    others = reach.public_address(address, everywhere)
    if everywhere and others != address.rstrip("/"):
        print(f"others in your network: {others}/", flush=True)
    elif not fixed:
        print("for others in your network: press “Let phones in” on that page", flush=True)
    elif reach.here_only(address) and not everywhere:
        print(f"for others in your network: {reach.command('--host 0.0.0.0')}", flush=True)
    if open_browser:
        threading.Thread(target=_open, args=(link,), daemon=True).start()


def _open(link: str) -> None:
    # By a file, since everybody on this machine can read what a process is started with. It lies in
    # the home folder, not below a hidden one or /tmp, where browsers in a sandbox cannot read.
    home = os.path.expanduser("~")  # noqa: PTH111 - it always gives an answer
    where = home if os.access(home, os.W_OK) else None
    with (
        suppress(webbrowser.Error, OSError),
        tempfile.TemporaryDirectory(prefix="diablerie-", dir=where) as folder,
    ):
        page = Path(folder) / "open.html"
        page.touch(0o600)
        page.write_text(LEADS_ON.format(link=escape(link)), "utf-8")
        webbrowser.get().open(page.as_uri())
        time.sleep(READ_WITHIN)
