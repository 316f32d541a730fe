"""A request fuzzer that knows the way: `python -m tests.web.fuzzer [REQUESTS] [--seed N]`.

Most requests are what a page offers: a link, or a form with its fields. Others name any route of
the server, with tables and groups that are there, or ask for a program. A third of all are spoilt:
a field is left out, doubled or odd, a part of the address is another's or nonsense, the method or
what is accepted is another. So many requests get through to the commands, and what is spoilt is
spoilt where it matters.
"""

import re
from collections import Counter
from collections.abc import Callable
from html.parser import HTMLParser
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

import click
from starlette.routing import Route

from diablerie import api
from diablerie.table.authority import Authority
from diablerie.table.commands import tokens
from diablerie.table.commands.tokens import SCOPES
from diablerie.web.app import create_app, routes
from tests.api.conftest import MAKER, Program, generous
from tests.stores import new_store
from tests.web.client import PAGE, SCRIPT, Client

GAMES = ("coals", "tails", "kitchen", "underworld")
ODD = ("", "0", "-1", "1", "7", "99999999999999999999", "x", "é\u202e", "\x00", "' or 1=1 --",
       "../../etc/passwd", "<b>", "a" * 5000, "true", "?", "f" * 64, "1e9", "bet 50", "coals")  # fmt: skip
WORDS = ("Ann", "Bo", "Us", "hm", "bet 50", "pull", "3", "")
TYPED = ("text", "search", "url")  # inputs of these types take any words
BROWSERS = 4
KEPT = 12  # tables that the fuzzer goes on with
SPOILT = 1 / 3
ENDLESS = ("stream", "hint")  # of these routes: a stream has no end, and a hint takes a second


class Offer(NamedTuple):
    """What a page offers: a link or a form, and what each of its fields may be."""

    method: str
    url: str
    fields: dict[str, list[str]]


class Offers(HTMLParser):
    """Reads the links and forms of a page."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.found: list[Offer] = []
        self._form: Offer | None = None
        self._select = ""
        self.feed(html)

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attributes}
        if tag == "a" and given.get("href", "").startswith("/"):
            self.found.append(Offer("GET", given["href"], {}))
        elif tag == "form":
            method = given.get("method", "get").upper()
            self._form = Offer(method, given.get("action", "/"), {})
            self.found.append(self._form)
        elif self._form is not None and tag in ("input", "button", "textarea", "select"):
            self._field(tag, given)
        elif self._form is not None and tag == "option" and self._select:
            self._form.fields[self._select].append(given.get("value", ""))

    def handle_endtag(self, tag: str) -> None:
        if tag == "form":
            self._form = None
        elif tag == "select":
            self._select = ""

    def _field(self, tag: str, given: dict[str, str]) -> None:
        name, value = given.get("name", ""), given.get("value", "")
        if not name or self._form is None:
            return
        may = self._form.fields.setdefault(name, [])
        if tag == "select":
            self._select = name
        elif tag == "textarea" or (tag == "input" and given.get("type", "text") in TYPED):
            may.extend((value, *WORDS))
        else:
            may.append(value)


class Fuzzer:
    """Sends requests, and counts what they were answered by status."""

    def __init__(self, folder: Path, seed: int = 0) -> None:
        self.rng, self.statuses = Random(seed), Counter[int]()
        self.broken: list[str] = []  # requests that were answered with 5xx, or that raised
        self.store = new_store(folder / "tables.db")
        authority = Authority(self.store)
        authority.limits = generous(authority.clock)
        app = create_app(authority)
        self.browsers = [Client(app, f"10.0.0.{n + 1}") for n in range(BROWSERS)]
        self.program = Program(
            app, tokens.issue.do(authority, MAKER, tokens.NewToken("Robo", SCOPES), "10.1.0.1")
        )
        self.offers: list[Offer] = [Offer("GET", "/", {})]
        self.tables, self.groups = ["x"], ["x"]
        self.routes = [one for one in routes() if isinstance(one, Route)]
        self.routes = [one for one in self.routes if not one.path.endswith(ENDLESS)]

    def run(self, requests: int) -> None:
        """Send so many requests."""
        kinds: list[Callable[[], None]] = [self._offered, self._any, self._played, self._api]
        for _ in range(requests):
            self.rng.choices(kinds, (5, 2, 2, 1))[0]()

    @property
    def through(self) -> float:
        """The share of requests that got a 200."""
        return self.statuses[200] / self.statuses.total()

    def _offered(self) -> None:
        """What the last page offers, filled in."""
        offer = self.rng.choice(self.offers)
        self._send(offer.method, offer.url, self._filled(offer))

    def _filled(self, offer: Offer) -> dict[str, str]:
        return {name: self.rng.choice(may) for name, may in offer.fields.items() if may}

    def _any(self) -> None:
        """Any route of the server, with what is there."""
        route = self.rng.choice([one for one in self.routes if api.PREFIX not in one.path])
        path = re.sub(r"{(\w+)(:path)?}", lambda part: self._part(part[1]), route.path)
        method = self.rng.choice(sorted(route.methods or {"GET"}))
        fields = {"seat": "0", "game": self.rng.choice(GAMES), "text": "hm", "name": "Ann"}
        self._send(method, path, fields if method == "POST" else {})

    def _played(self) -> None:
        """A decision at a table, or a new table."""
        browser = self.rng.choice(self.browsers)
        table = self.rng.choice(self.tables)
        for seat in (0, 1):
            seen = browser.get(f"/t/{table}.json?as={seat}")
            if seen.status_code == 200 and seen.json()["legal"]:
                do = self.rng.choice(seen.json()["legal"])["do"]
                fields = {"seat": str(seat), "ply": str(seen.json()["ply"]), "do": do}
                return self._send("POST", f"/t/{table}/decide", fields, browser)
        fields = {"game": self.rng.choice(GAMES), "here": "2"}
        return self._send("POST", "/tables", fields, browser)

    def _api(self) -> None:
        """A call of a program."""
        mine = [one for one in self.routes if api.PREFIX in one.path]
        route = self.rng.choice(mine)
        path = route.path.removeprefix(api.PREFIX).replace("{id}", self._part("id"))
        body = {"game": self.rng.choice(GAMES), "plan": ["me", "me"], "text": "hm", "ply": 1,
                "do": "bet 50", "seat": 0}  # fmt: skip
        if self.rng.random() < SPOILT:
            body[self.rng.choice(sorted(body))] = self.rng.choice((*ODD, [], None, {}, 3))  # type: ignore[assignment]
        method = self.rng.choice(sorted(route.methods or {"GET"}))
        if path == "/tables" and method == "POST":
            body = {name: body[name] for name in ("game", "plan")}
        more: dict[str, Any] = {"json": body} if method == "POST" else {}
        self._note(f"{method} {path} {body}", lambda: self.program.ask(method, path, **more))

    def _part(self, name: str) -> str:
        """A part of an address: mostly one that leads somewhere."""
        there = {"id": self.tables, "link": self.groups, "game": list(GAMES)}.get(name, ["x"])
        return str(self.rng.choice(there))

    def _send(
        self, method: str, url: str, fields: dict[str, str], browser: Client | None = None
    ) -> None:
        """A request, perhaps spoilt; what its answer offers is what may come next."""
        browser = browser or self.rng.choice(self.browsers)
        headers = dict(self.rng.choice((PAGE, SCRIPT, SCRIPT)))
        if method in ("GET", "HEAD"):
            headers = dict(PAGE)
        more: list[tuple[str, str]] = list(fields.items())
        if self.rng.random() < SPOILT:
            method, url, more = self._spoilt(method, url, more)
        if url.split("?")[0].endswith(ENDLESS):
            return
        sent: dict[str, Any] = {"headers": headers}
        if method == "POST":
            text = "&".join(f"{quoted(name)}={quoted(value)}" for name, value in more)
            headers["content-type"] = "application/x-www-form-urlencoded"
            sent["content"] = text
        elif more:
            sent["params"] = more
        what = f"{method} {url} {more}"[:300]
        self._note(what, lambda: browser.request(method, url, **sent))

    def _spoilt(
        self, method: str, url: str, fields: list[tuple[str, str]]
    ) -> tuple[str, str, list[tuple[str, str]]]:
        odd, how = self.rng.choice(ODD), self.rng.randrange(5)
        if how == 0 or not fields:
            parts = url.split("/")
            parts[self.rng.randrange(1, len(parts))] = quoted(odd)
            return method, "/".join(parts), fields
        place = self.rng.randrange(len(fields))
        name, value = fields[place]
        if how == 1:
            return method, url, fields[:place] + fields[place + 1 :]
        if how == 2:
            return method, url, [*fields, (name, odd)]
        if how == 3:
            return method, url, [*fields[:place], (name, odd), *fields[place + 1 :]]
        return self.rng.choice(("GET", "POST", "HEAD", "PUT", "DELETE")), url, [(odd, value)]

    def _note(self, what: str, ask: Callable[[], Any]) -> None:
        try:
            answer = ask()
        except Exception as error:
            self.broken.append(f"{what}: {type(error).__name__}: {error}")
            self.statuses[500] += 1
            return
        self.statuses[answer.status_code] += 1
        if answer.status_code >= 500:
            self.broken.append(f"{what}: {answer.status_code}")
        self._learn(answer)

    def _learn(self, answer: Any) -> None:
        """Note the tables and groups that an answer names, and what its page offers."""
        text = f"{answer.url} {answer.headers.get('location', '')} {answer.text[:100_000]}"
        for known, pattern in (
            (self.tables, r"/t/([\w-]{12})\b"),
            (self.groups, r"/g/([\w-]{22})"),
        ):
            known += [one for one in re.findall(pattern, text) if one not in known][:2]
            del known[:-KEPT]
        if answer.status_code == 200 and "html" in answer.headers.get("content-type", ""):
            self.offers = Offers(answer.text).found or self.offers
            self.offers.append(Offer("GET", f"/t/{self.rng.choice(self.tables)}", {}))


def quoted(text: str) -> str:
    """Text as it stands in an address."""
    return "".join(f"%{byte:02X}" for byte in text.encode())


@click.command()
@click.argument("requests", default=20_000)
@click.option("--seed", default=0)
def main(requests: int, seed: int) -> None:
    """Send requests and tell what they were answered."""
    with TemporaryDirectory() as folder:
        fuzzer = Fuzzer(Path(folder), seed)
        with click.progressbar(range(0, requests, 100)) as hundreds:
            for _ in hundreds:
                fuzzer.run(100)
        fuzzer.store.close()
    told = ", ".join(f"{status}: {n}" for status, n in sorted(fuzzer.statuses.items()))
    click.echo(f"{requests} requests, {fuzzer.through:.0%} of them answered with 200 ({told})")
    for line in dict.fromkeys(fuzzer.broken):
        click.echo(line)


if __name__ == "__main__":
    main()
