"""The first start: seconds until the link, and until games can be played, with nothing compiled.

Each start has an empty compile cache, no bytecode and a new database; the packages are installed.
Somebody clicks a game as soon as there is a link.
"""

import tempfile
import time
from collections import defaultdict
from collections.abc import Callable
from pathlib import Path
from statistics import median

from bench.server import serving
from bench.timing import REPETITIONS, row
from diablerie.compiling.units import BOTS_UNIT
from diablerie.games import ALL

LOOK = 0.1  # seconds between two looks
LINK, EVERY = "until the first page", "from there until all games can be played"


def everything() -> None:
    """Start five times for each game, and print the seconds."""
    found: defaultdict[str, list[float]] = defaultdict(list)
    for _ in range(REPETITIONS):
        for game in ALL:
            clicked = f"from there until {game}, clicked first, asks its player"
            for what, seconds in zip((LINK, clicked, EVERY), first_start(game), strict=True):
                found[what].append(seconds)
    for what in sorted(found, key=[LINK, *found].index):
        row(what, (median(found[what]), min(found[what]), max(found[what])), "s")


def first_start(game: str) -> tuple[float, float, float]:
    """The seconds of one start until the first page is there, and what follows from then on.

    Which is: until a game that is clicked at once asks its player for a decision, and until devils
    can play all games.
    """
    with (
        tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder,
        serving(folder, cache=folder) as server,
        server.client(0) as person,
    ):
        began = time.perf_counter()
        table = person.post("/tables", data={"game": game, "way": "bots"}).json()["url"]
        asked = wait_for(lambda: bool(person.get(f"{table}.json").json().get("legal"))) - began
        whole = (
            wait_for(lambda: {p.stem for p in Path(folder).rglob(f"*.{BOTS_UNIT}")} >= set(ALL))
            - began
        )
        return server.took, asked, whole


def wait_for(done: Callable[[], bool]) -> float:
    """Wait until something is so; the time then."""
    while not done():
        time.sleep(LOOK)
    return time.perf_counter()
