"""Who walks through the house, always with the same secrets and the same time, and what is said."""

import hashlib
import re
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import date
from itertools import count
from pathlib import Path
from typing import Any
from unittest import mock

import httpx

from diablerie.runtime.clock import Clock
from diablerie.table.authority import Authority
from diablerie.table.presence.rate_limits import RATES, Limits, Rate
from diablerie.web.app import Services, create_app
from tests.daily.challenges import beginning
from tests.stores import new_store
from tests.web.client import HOME, PAGE, SCRIPT, Client
from tests.web.outline import TIME, alerts, outline, without_chance, words

NOW = 1_700_000_000.0
FIRST = date(2023, 11, 8)  # day of the first daily challenge, six before NOW
# addresses of static files and what a browser keeps them under, the version, the time
VOLATILE = re.compile(
    r"/static/[0-9a-f]+/|\"diablerie-[0-9a-f]{12}\"|\"version\":\"[^\"]*\"|expires=[^;]*"
)
# they follow from the rest, are in no order, or are told beside
UNSAID = {"content-length", "etag", "allow", "location", "set-cookie"}
SHORT = 300  # characters of JSON that are told whole


@contextmanager
def same_secrets() -> Iterator[None]:
    """Ids, links, keys and dice in their order, instead of by chance."""
    numbers = count(1)

    def drawn(size: int | None = None) -> bytes:
        return hashlib.sha256(b"%d" % next(numbers)).digest()[: size or 32]

    with (
        mock.patch.object(secrets, "token_bytes", drawn),
        mock.patch.object(secrets, "token_hex", lambda size=None: drawn(size).hex()),
        mock.patch.object(secrets, "token_urlsafe", lambda size=None: drawn(size).hex()),
    ):
        yield


class Ticking(Clock):
    """A clock that goes on by a millisecond whenever somebody asks for the time."""

    def __init__(self) -> None:
        super().__init__()
        self._asked = count()

    def __call__(self) -> float:
        return NOW + next(self._asked) / 1000


class Walk:
    """The house, who walks in it, and what was answered so far."""

    def __init__(self, folder: Path) -> None:
        self.store = new_store(folder / "tables.db")
        self.authority = Authority(self.store, clock=Ticking())
        more = {"pages": Rate(1000, 0.1)}  # the clock hardly goes on while it asks for them
        self.authority.limits = Limits(self.authority.clock, RATES | more)
        self.app = create_app(self.authority, Services(calendar=beginning(FIRST)))
        self.people = {
            name: Client(self.app, f"10.0.0.{i}") for i, name in enumerate(("ann", "bo", "cy"), 1)
        }
        self.answers: list[str] = []
        self.headers: dict[str, str] = {}
        self.pages: dict[str, str] = {}

    def told(self, who: str, answer: httpx.Response) -> httpx.Response:
        """Keep what is asked, by whom, and in short what is answered."""
        asked = answer.request
        shared = sorted((k, v) for k, v in answer.headers.multi_items() if k not in UNSAID)
        headers = VOLATILE.sub("-", "".join(f"  {name}: {value}\n" for name, value in shared))
        kind = self.headers.setdefault(headers, f"headers {len(self.headers) + 1}")
        told = f"{who} {asked.method} {str(asked.url).removeprefix(HOME)} {answer.status_code}"
        if "location" in answer.headers:
            told += f" to {answer.headers['location']}"
        cookies = [cookie.partition("=")[0] for cookie in answer.headers.get_list("set-cookie")]
        told += f" ({', '.join([kind, *(f'sets {name}' for name in cookies)])})"
        self.answers.append(" | ".join([told, *summary(answer)]) + "\n")
        return answer

    def answered(self) -> str:
        """Everything that was asked and answered, and the headers of the answers."""
        headers, first = list[str](), list[str]()
        for lines, name in self.headers.items():
            these = lines.splitlines(keepends=True)
            headers += [f"{name}\n", *(f" {line}" for line in these if line not in first)]
            headers += [f"  without {line.strip()}\n" for line in first if line not in these]
            first = first or these
        return without_chance(VOLATILE.sub("-", "".join([*self.answers, *headers])))

    def keep(self, name: str, answer: httpx.Response) -> None:
        """Keep an answer as text, as a page."""
        html = answer.headers["content-type"].startswith("text/html")
        told = outline(answer.text, name.startswith("landing")) if html else answer.text
        assert name not in self.pages, name
        self.pages[name] = without_chance(VOLATILE.sub("-", told))

    def page(self, name: str, who: str, url: str, **headers: str) -> None:
        """Look at a page, and keep it."""
        self.see(who, url, **headers)
        self.keep(name, self.last)

    def see(self, who: str, *urls: str, **headers: str) -> str:
        """Look at pages; the text of the last."""
        for url in urls:
            answer = self.people[who].request("GET", url, headers={**PAGE, **headers})
            self.told(who, answer)
        self.last = answer
        return answer.text

    def press(self, who: str, url: str, /, **fields: Any) -> httpx.Response:
        """Send a form without a script."""
        return self.told(who, self.people[who].send(url, **fields))

    def call(self, who: str, url: str, /, **fields: Any) -> httpx.Response:
        """Send a form as the script does, or ask for what it asks for if there are no fields."""
        return self.told(who, self.people[who].call(url, **fields))

    def ask(self, who: str, *urls: str) -> None:
        """Ask for what only a script asks for."""
        for url in urls:
            answer = self.people[who].request("GET", url, headers=SCRIPT)
            self.told(who, answer)

    def decide(self, who: str, table: str, do: str, seat: int, **more: Any) -> None:
        """Decide about the latest."""
        ply = self.authority.live(table.rpartition("/")[2]).ply
        self.call(who, f"{table}/decide", seat=seat, ply=ply, do=do, **more)

    def program(self, method: str, path: str, token: str = "", **body: Any) -> Any:
        """Call an operation of the API; what it says of something new."""
        headers = {"authorization": f"Bearer {token}"} if token else {}
        more = {"json": body} if method != "GET" else {"params": body}
        answer = Client(self.app, "10.0.0.9").request(
            method, f"/api/v1{path}", headers=headers, **more
        )
        said = self.told("program", answer)
        return said.json() if said.status_code == 201 else None


def summary(answer: httpx.Response) -> list[str]:
    """What an answer says: a page's title and alerts, short JSON, or the kind of anything else."""
    if not answer.text:
        return []
    kind = answer.headers.get("content-type", "").partition(";")[0]
    if kind == "text/html":
        main = answer.text.partition("<main")[2].partition("</main>")[0]
        said = alerts(answer.text)
        return [*said, words(f"<main{main}")[:SHORT]] if answer.is_error and not said[1:] else said
    if kind != "application/json":
        return [f"{kind}, {answer.text.splitlines()[0][:80]}"]
    said = answer.json()
    if len(answer.text) <= SHORT or not isinstance(said, dict):
        return [TIME.sub("NOW", answer.text)[:SHORT]]  # times are not equally long
    return [f"keys {' '.join(said)}"]
