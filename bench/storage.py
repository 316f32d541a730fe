"""The authority without the web: decisions a second to durable storage, loading, memory."""

import os
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from bench.timing import median, note, row, seconds
from diablerie.engine.verbs import WATCHER
from diablerie.table.authority import Authority
from diablerie.table.commands import decisions, lobby
from diablerie.table.commands.logbook import Reader
from diablerie.table.state.visitors import visitor_of
from diablerie.table.storage.store import Store

ANN = visitor_of("ann")
TABLES = 200
DECISIONS = 500


def everything() -> None:
    """All figures of the storage."""
    with tempfile.TemporaryDirectory(dir=Path.cwd()) as folder:
        for durable in (False, True):
            _decisions(Path(folder) / f"{durable}.db", durable)
        _loading(Path(folder) / "False.db")
        _memory(Path(folder) / "many.db")


def _act(authority: Authority, table: str) -> str:
    """One decision: stakes 10 where it can, stops as soon as it may; the next match after."""
    live = authority.live(table)
    if not live.pending:
        return lobby.rematch(authority, table, ANN).id
    seat = live.pending[0]
    words = [move.text for move in live.position(seat).moves]
    text = next((word for word in ("bet 10", "stop") if word in words), words[0])
    decisions.decide(authority, table, ANN, live.ply, text, seat)
    return table


def _decisions(db: Path, durable: bool) -> None:
    authority = Authority(Store(db, durable=durable))
    table = lobby.open_table(authority, ANN, "coals", ["me"] * 4).id
    took = []
    for _ in range(DECISIONS):
        start = time.perf_counter()
        table = _act(authority, table)
        took.append(time.perf_counter() - start)
    took.sort()
    kind = "waiting for the disk" if durable else "not waiting for the disk"
    note(f"one client, {kind}:")
    for share in (50, 99):
        figure = took[len(took) * share // 100] * 1000
        row(f"  decision, p{share}", (figure, took[0] * 1000, took[-1] * 1000), "ms")


def _loading(db: Path) -> None:
    store = Store(db)
    table = store.tables(("running", "over"))[-1]
    plies = Authority(store).live(table).ply
    row(f"load a match of {plies} plies", _times(lambda: Authority(store).live(table)), "ms")
    live = Authority(store).live(table)
    row("its whole log in sentences", _times(lambda: Reader(live, WATCHER).log(live, 0)), "ms")


def _times(job: Callable[[], object]) -> tuple[float, float, float]:
    return median(lambda: seconds(job) * 1000)


def _memory(db: Path) -> None:
    authority = Authority(Store(db, durable=False))
    before = _resident()
    tables = [lobby.open_table(authority, ANN, "coals", ["me"] * 4).id for _ in range(TABLES)]
    for table in tables:
        for _ in range(100):
            _act(authority, table)
        live = authority.live(table)
        for viewer in (WATCHER, 0, 1, 2, 3):
            authority.log(live, viewer)
    after = _resident()
    note(f"resident memory: {before:.0f} MB idle, {after:.0f} MB with {TABLES} tables of 100 plies")


def _resident() -> float:
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 2**20
