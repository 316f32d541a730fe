"""Tables at different positions, and their pages, for processes with NumPy and without."""

import asyncio
import json
import shutil
import sqlite3
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from diablerie.games import OURS
from diablerie.site.pages import Answer, Pages
from tests.simulated_clock import SimulatedClock

NOW = 1_800_000_000.0  # Unix time in all processes
STEP = 4  # decisions from one position to the next
SCRIPT = {"accept": "application/json"}


class Host:
    """The pages over a database file, as one browser asks for them."""

    def __init__(
        self, database: str, cookies: dict[str, str] | None = None, now: float = NOW
    ) -> None:
        self.clock = SimulatedClock(now)
        self.pages = Pages(database, self.clock)
        self.pages.cookies.update(cookies or {})

    def close(self) -> None:
        """Close the database."""
        self.pages.close()

    @property
    def cookies(self) -> dict[str, str]:
        """Those that this browser has."""
        return self.pages.cookies

    def ask(self, url: str, fields: dict[str, Any] | None = None, accept: str = "") -> Answer:
        """GET a page or POST a form."""
        headers = {"accept": accept} if accept else dict(SCRIPT)
        body = urlencode(fields or {}).encode()
        if fields:
            headers["content-type"] = "application/x-www-form-urlencoded"
        method = "GET" if fields is None else "POST"
        answer = asyncio.run(self.pages.answer(method, url, headers, body))
        assert answer.status < 400, (url, answer)
        return answer


def addresses(host: Host, positions: int) -> list[str]:
    """Open so many tables of each game and play them to different depths; their addresses."""
    found = []
    for game in OURS:
        for depth in range(0, STEP * positions, STEP):
            host.clock.sleep(60.0)  # there is a limit on tables opened at once
            url = json.loads(host.ask("/tables", {"game": game.name, "here": 2}).body)["url"]
            for k in range(depth):
                data = json.loads(host.ask(f"{url}.json").body)
                if not data["legal"]:
                    break
                action = data["legal"][(k * k) % len(data["legal"])]["do"]
                decided = {"seat": data["viewer"], "ply": data["ply"], "do": action, "send": 1}
                host.ask(f"{url}/decide", decided)
            found.append(url)
    return found


def pages_of(database: str, cookies: dict[str, str], asked: Sequence[str]) -> dict[str, str]:
    """The HTML of these addresses."""
    with closing(Host(database, cookies, NOW + 24 * 3600)) as host:
        return {url: host.ask(url, accept="text/html").body.decode() for url in asked}


EARLIER = Path(__file__).parent / "earlier"  # by version, a table of TAILS in mid-game


def earlier_site(folder: Path, version: str = "0.3.0") -> tuple[Path, Path]:
    """What a browser had stored of the site of a version: database and cookies.

    Those of 0.3.0, whose schema was 0011, and of 0.4.0.dev0 (commit 5859efca), with 0012.
    """
    database, cookies = folder / "tables.db", folder / "cookies.json"
    with closing(sqlite3.connect(database)) as raw:
        raw.executescript((EARLIER / version / "tables.sql").read_text("utf-8"))
    shutil.copy(EARLIER / version / cookies.name, cookies)
    return database, cookies
