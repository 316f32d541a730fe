"""Who walks through the house, always with the same secrets and the same time, and what is said."""

import hashlib
import re
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from typing import Any
from unittest import mock

import httpx

from diablerie.runtime.clock import Clock
from diablerie.table.authority import Authority
from diablerie.table.storage.store import Store
from diablerie.web.app import create_app
from tests.web.client import HOME, PAGE, SCRIPT, Client

NOW = 1_700_000_000.0
# addresses of static files and what a browser keeps them under, the version, the time
VOLATILE = re.compile(
    r"/static/[0-9a-f]+/|\"diablerie-[0-9a-f]{12}\"|\"version\":\"[^\"]*\"|expires=[^;]*"
)
UNSAID = {"content-length", "etag", "allow"}  # they follow from the rest, or are in no order


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
        self.store = Store(folder / "tables.db", durable=False)
        self.authority = Authority(self.store, clock=Ticking())
        self.app = create_app(self.authority)
        self.people = {
            name: Client(self.app, f"10.0.0.{i}") for i, name in enumerate(("ann", "bo", "cy"), 1)
        }
        self.lines: list[str] = []
        self.texts: list[str] = []

    def told(self, who: str, answer: httpx.Response) -> httpx.Response:
        """Keep the digest of an answer."""
        asked = answer.request
        headers = sorted((k, v) for k, v in answer.headers.multi_items() if k not in UNSAID)
        text = VOLATILE.sub("-", f"{answer.status_code} {headers}\n{answer.text}")
        where = str(asked.url).removeprefix(HOME)
        what = f"{asked.method} {where}"
        digest = hashlib.sha256(text.encode()).hexdigest()[:12]
        self.lines.append(f"{len(self.lines)} {who} {what} {answer.status_code} {digest}")
        self.texts.append(f"# {self.lines[-1]}\n{text}\n")
        return answer

    def see(self, who: str, *urls: str, **headers: str) -> str:
        """Look at pages; the text of the last."""
        for url in urls:
            answer = self.people[who].request("GET", url, headers={**PAGE, **headers})
            self.told(who, answer)
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
        self.call(who, f"{table}/act", seat=seat, ply=ply, do=do, **more)

    def program(self, method: str, path: str, token: str = "", **body: Any) -> Any:
        """Call an operation of the API; what it says of something new."""
        headers = {"authorization": f"Bearer {token}"} if token else {}
        more = {"json": body} if method != "GET" else {"params": body}
        answer = Client(self.app, "10.0.0.9").request(
            method, f"/api/v1{path}", headers=headers, **more
        )
        said = self.told("program", answer)
        return said.json() if said.status_code == 201 else None
