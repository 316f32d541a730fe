"""The first start: seconds until the link, and until games ask their player, with nothing compiled.

Each start has an empty compile cache, no bytecode and a new database; the packages are installed.
Somebody clicks a game as soon as there is a link, and looks at it until its rules are taken over.
"""

import os
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from statistics import median

from bench.server import Running, serving
from bench.timing import REPETITIONS, row
from diablerie.games import ALL

LOOK = 0.05  # seconds between two looks whether it asks
PAUSE = 0.1  # seconds between two answers: a server refuses whoever asks more often
ANSWERS_A_LOOK = 10  # for the same reason
LINK, EVERY = "until the first page", "from there until all games run compiled"
EXAMPLE = """
from diablerie import start
match = start("coals", seats=3, seed=7)
match.play("bet 50")
"""


def everything() -> None:
    """Start five times for each game, and print the seconds."""
    found: defaultdict[str, list[float]] = defaultdict(list)
    for _ in range(REPETITIONS):
        for game in ALL:
            for what, seconds in first_start(game).items():
                found[what].append(seconds)
        with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
            found["README's example in Python, nothing compiled"].append(example(folder))
        found["the same, all compiled"].append(example(""))
    for what in sorted(found, key=[LINK, *found].index):
        row(what, (median(found[what]), min(found[what]), max(found[what])), "s")


def first_start(game: str) -> dict[str, float]:
    """The seconds of one start until the first page is there, and what follows from then on."""
    with (
        tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder,
        serving(folder, cache=folder) as server,
        server.client(0) as person,
    ):
        began = time.perf_counter()
        table = person.post("/tables", data={"game": game, "way": "bots"}).json()["url"]
        while not person.get(f"{table}.json").json().get("legal"):
            time.sleep(LOOK)
        asked = time.perf_counter() - began
        longest = longest_answer(server, table)
        return {
            LINK: server.took,
            f"from there until {game}, clicked first, asks its player": asked,
            f"the longest answer at {game} until all is taken over": longest,
            EVERY: time.perf_counter() - began,
        }


def longest_answer(server: Running, table: str) -> float:
    """The seconds of the slowest answer until all games run compiled."""
    longest = 0.0
    with server.client(0) as person:
        while set(person.get("/healthz").json()["rules"].values()) != {"compiled"}:
            for _ in range(ANSWERS_A_LOOK):
                began = time.perf_counter()
                person.get(f"{table}.json").raise_for_status()
                longest = max(longest, time.perf_counter() - began)
                time.sleep(PAUSE)
    return longest


def example(cache: str) -> float:
    """The seconds of a new process for a match in Python. cache: a folder; "": the usual one."""
    here = {"DIABLERIE_CACHE": cache} if cache else {}
    began = time.perf_counter()
    subprocess.run([sys.executable, "-c", EXAMPLE], env={**os.environ, **here}, check=True)
    return time.perf_counter() - began
