"""Faults that last for a while, or hit a whole node: drawn from the seed, each with its own dice."""

import sqlite3
from contextlib import suppress
from random import Random
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tests.storm.simulation import Simulation

KINDS = (
    *("disk full", "file locked", "clock jumps", "node killed", "connections cut", "power cut"),
    *("clock jumps", "flood"),
)


def plan(world: "Simulation") -> None:
    """Have some troubles come while things fail."""
    for number in range(3 + Random(f"{world.seed} troubles").randrange(6)):
        if f"trouble {number}" not in world.size.without:
            draw = Random(f"{world.seed} trouble {number}")
            at = draw.uniform(2.0, world.size.faults)
            world.timeline.later(at, lambda draw=draw: happen(world, draw))  # type: ignore[misc]


def happen(world: "Simulation", draw: Random) -> None:
    """One trouble."""
    trouble, seconds, house = draw.choice(KINDS), draw.uniform(0.5, 8.0), draw.choice(world.houses)
    world.timeline.note("fault:", trouble)
    world.trouble_now()
    world.counts[trouble] += 1
    if trouble == "disk full":
        world.disk.full = True
        world.timeline.later(seconds, lambda: setattr(world.disk, "full", False))
    elif trouble == "file locked":
        lock = sqlite3.connect(world.file, timeout=0.0, isolation_level=None)
        world.open_until_the_end.callback(lock.close)
        with suppress(sqlite3.OperationalError):  # it is locked already
            lock.execute("BEGIN IMMEDIATE")
        world.timeline.later(seconds, lock.close)
    elif trouble == "clock jumps":
        house.clock.offset += draw.choice([-3600.0, -5.0, 5.0, 3600.0])
    elif trouble == "node killed" and house.up:
        house.crash("killed")
    elif trouble == "connections cut":
        world.server.terminate("pg_locks")
        world.server.terminate("listening")
    elif trouble == "flood":
        draw.choice(world.browsers).shout()
    elif trouble == "power cut":
        power_cut(world, draw)


def power_cut(world: "Simulation", draw: Random) -> None:
    """Both machines stop, and the end of the file's journal is a half-written page."""
    journal = world.file.with_name(world.file.name + "-wal")
    kept = {path: path.read_bytes() for path in (world.file, journal) if path.exists()}
    for house in world.houses:
        if house.up:
            house.crash("the power is cut")
    world.checker.engine.dispose()
    world.ledger.close()
    for path, content in kept.items():
        torn = draw.randbytes(700) if path == journal else b""
        path.write_bytes(content + torn)
