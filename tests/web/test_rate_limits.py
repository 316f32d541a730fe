"""Every request has a limit by network address, and who plays normally does not meet it."""

import asyncio
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import anyio
import httpx
import pytest
from starlette.responses import Response
from starlette.routing import Route
from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware

from diablerie.api import OPERATIONS, Rematching
from diablerie.table.authority import Authority
from diablerie.table.commands import lobby, seats, sequels, subscriptions
from diablerie.table.errors import TooMany
from diablerie.table.presence import hub
from diablerie.table.presence.rate_limits import ARRIVAL_RATES, RATES, Limits, Rate
from diablerie.table.state.visitors import visitor_of
from diablerie.web.app import create_app, routes
from diablerie.web.edges import limits
from diablerie.web.edges.limits import rate_kind
from diablerie.web.process import sockets
from tests.simulated_clock import SimulatedClock
from tests.stores import new_store
from tests.web.called import House, Phone
from tests.web.client import PAGE, SCRIPT, Client

SECURITY = (Path(__file__).parent.parent.parent / "SECURITY.md").read_text("utf-8")
ONE = {kind: Rate(1, 3600.0) for kind in RATES}
ASKED = [(method, route.path) for route in routes() for method in sorted(route.methods or ())]


@pytest.fixture
def clock() -> SimulatedClock:
    return SimulatedClock(1_800_000_000.0)


@pytest.fixture
def authority(tmp_path: Path, clock: SimulatedClock) -> Iterator[Authority]:
    store = new_store(tmp_path / "tables.db")
    yield Authority(store, clock=clock)
    store.close()


def address_of(path: str) -> str:
    """An address that a route matches."""
    return re.sub(r"\{[^}]*\}", "x", path)


def test_every_route_has_a_limit(authority: Authority) -> None:
    app = create_app(authority)  # one for all: to make it takes longer than to ask
    for method, path in ASKED:
        authority.limits = Limits(authority.clock, ONE)
        client, address, asked = Client(app), address_of(path), f"{method} {path}"
        assert rate_kind(method, address) in ARRIVAL_RATES, asked
        if "stream" not in path:
            assert client.request(method, address, headers=SCRIPT).status_code != 429, asked
            client.request(method, address, headers=SCRIPT)
        client.request("HEAD", address, headers=SCRIPT)
        last = client.request(method, address, headers=SCRIPT)
        assert last.status_code == 429, asked
        assert int(last.headers["retry-after"]) > 0, asked
        assert last.headers["connection"] == "close", asked
        assert "content-security-policy" in last.headers, asked
        other = Client(app, "10.0.0.2")
        assert other.request("HEAD", address, headers=SCRIPT).status_code != 429, asked


@pytest.mark.parametrize(
    ("method", "path", "kind"),
    [
        ("POST", "/tables", "forms"),
        ("DELETE", "/", "forms"),
        ("GET", "/", "pages"),
        ("HEAD", "/t/x", "pages"),
        ("GET", "/t/x/stream", "streams"),
        ("GET", "/static/x.css", "files"),
    ],
)
def test_what_changes_something_counts_as_a_form_and_what_reads_as_what_it_reads(
    method: str, path: str, kind: str
) -> None:
    assert rate_kind(method, path) == kind


def test_a_call_that_writes_never_counts_as_one_that_reads() -> None:
    assert {one.limit for one in OPERATIONS if one.writes} & {"reads"} == set()
    assert {one.limit for one in OPERATIONS if not one.writes} & {"writes"} == set()


def test_nothing_but_the_servers_health_counts_as_such() -> None:
    found = {path for _, path in ASKED if rate_kind("GET", address_of(path)) == "health"}
    assert found == {"/healthz"}


def test_the_routes_that_are_asked_are_all_that_the_server_has(authority: Authority) -> None:
    served = {getattr(route, "path", "") for route in create_app(authority).router.routes}
    assert served == {path for _, path in ASKED}
    assert served >= {"/daily/{date}/preview.png", "/g/{link}/preview.png", "/t/{id}/film.svg"}


def test_a_route_that_is_added_has_a_limit_and_so_has_no_route(authority: Authority) -> None:
    authority.limits = Limits(authority.clock, ONE)
    app = create_app(authority)
    app.router.routes.append(Route("/added/{name}", lambda _: Response("there")))
    for address in ("/added/x", "/nothing/here", "/added/x/"):
        client = Client(app, address)
        client.request("HEAD", "/", headers=SCRIPT)
        assert client.request("GET", address, headers=PAGE).status_code == 429
        client.request("DELETE", address, headers=SCRIPT)
        assert client.request("PUT", address, headers=SCRIPT).status_code == 429


def test_the_limits_are_those_of_the_table_in_security_md() -> None:
    lines = re.findall(r"^\| `(\w+)` \| (\d+) \| ([\d.]+) s \|", SECURITY, re.MULTILINE)
    assert {kind: Rate(int(burst), float(s)) for kind, burst, s in lines} == dict(RATES)
    assert len(lines) == len(RATES)
    told = (
        f"{sockets.MOST_CONNECTIONS_OF_CLIENT} connections and "
        f"{hub.MOST_STREAMS_OF_CLIENT} streams open, and have "
        f"{limits.TURNS_OF_CLIENT} page and {limits.TURNS_OF_CLIENT} write made"
    )
    assert told in SECURITY
    assert (
        f"keeps {hub.MOST_LISTENERS:,} streams and {subscriptions.MOST_SUBSCRIPTIONS:,} browsers"
        in SECURITY
    )


def test_a_refusal_says_so_in_the_language_of_the_visitor(authority: Authority) -> None:
    authority.limits = Limits(authority.clock, ONE)
    client = Client(create_app(authority))
    client.page("/")
    german = client.request("GET", "/", headers=PAGE | {"accept-language": "de"})
    assert german.status_code == 429
    assert "warte" in german.text.lower()
    assert "<" not in german.text, "a page would cost what the limit saves"
    script = client.request("GET", "/", headers=SCRIPT)
    assert script.json()["code"] == "too-many"


def test_a_page_that_says_why_a_form_is_refused_counts_as_a_page(authority: Authority) -> None:
    authority.limits = Limits(authority.clock, {**RATES, "pages": Rate(1, 3600.0)})
    client = Client(create_app(authority))
    table = client.open(open="1")
    first, second = (client.send(f"{table}/rematch") for _ in range(2))
    assert (first.status_code, second.status_code) == (409, 409)
    assert "<main" in first.text
    assert "<" not in second.text
    assert "connection" not in first.headers
    assert second.headers["connection"] == "close"
    assert client.call(f"{table}/rematch").json()["title"] == second.text


def test_behind_a_declared_proxy_the_forwarded_address_counts(authority: Authority) -> None:
    authority.limits = Limits(authority.clock, ONE)
    app: Any = ProxyHeadersMiddleware(create_app(authority), "10.0.0.1")  # type: ignore[arg-type]
    proxy, stranger = Client(app, "10.0.0.1"), Client(app, "10.0.0.2")

    def asked(by: Client, address: str) -> int:
        return by.request("GET", "/", headers=SCRIPT | {"x-forwarded-for": address}).status_code

    assert [asked(proxy, f"192.0.2.{n}") for n in range(4)] == [200] * 4
    assert asked(proxy, "192.0.2.1") == 429
    assert asked(proxy, "2001:db8:1:2::1") == 200
    assert asked(proxy, "2001:db8:1:2:3::1") == 429
    assert [asked(stranger, f"192.0.3.{n}") for n in range(2)] == [200, 429]


def test_a_refusal_is_answered_late_and_many_are_not_held(
    authority: Authority, clock: SimulatedClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    authority.limits = Limits(clock, ONE)
    client, began = Client(create_app(authority)), clock()
    client.get("/healthz")
    assert clock() == began
    client.get("/healthz")
    assert clock() == began + limits.REFUSAL_SECONDS
    monkeypatch.setattr(limits, "MOST_REFUSALS_HELD", 0)
    assert client.get("/healthz").status_code == 429
    assert clock() == began + limits.REFUSAL_SECONDS


def test_refusals_are_logged_once_a_minute_with_their_number(
    authority: Authority, clock: SimulatedClock, caplog: pytest.LogCaptureFixture
) -> None:
    authority.limits = Limits(clock, ONE)
    client = Client(create_app(authority))

    def told(refusals: int) -> list[int]:
        for _ in range(refusals):
            assert client.get("/healthz").status_code == 429
        return [one.refused for one in caplog.records if "too many" in one.message]  # type: ignore[attr-defined]

    client.get("/healthz")
    assert told(1) == [1]
    assert told(3) == [1]
    clock.sleep(limits.REFUSAL_LOG_SECONDS)
    assert told(1) == [1, 4]
    clock.sleep(limits.REFUSAL_LOG_SECONDS)
    assert told(1) == [1, 4, 1]


# -- thirty browsers ---------------------------------------------------------------------------


@pytest.mark.parametrize("turns", [8, pytest.param(60, marks=pytest.mark.ci)])
def test_thirty_browsers_behind_one_address_at_ten_tables_are_never_refused(
    authority: Authority, clock: SimulatedClock, turns: int
) -> None:
    """They all arrive within ten seconds; then each table decides every two seconds."""
    app = create_app(authority)
    people = [Client(app, "10.0.0.1") for _ in range(30)]
    statuses: list[int] = []

    def asked(one: Client, method: str, url: str, **more: Any) -> httpx.Response:
        answer = one.request(method, url, headers=SCRIPT, **more)
        statuses.append(answer.status_code)
        return answer

    def loads(one: Client, url: str) -> None:
        asked(one, "GET", url)
        for _ in range(12):  # styles, script, icons, manifest, worker: the first time
            asked(one, "GET", "/static/x/base.css")
        assert authority.limits.count_here("connections", "10.0.0.1") is None
        for _ in range(5):
            authority.limits.count_here("connections", "10.0.0.1")

    tables: list[str] = []
    for n, one in enumerate(people):
        clock.sleep(1 / 3)
        loads(one, "/")
        if n % 3 == 0:
            form = {"game": "coals", "here": "1", "open": "2"}
            tables.append(asked(one, "POST", "/tables", data=form).json()["url"])
        else:
            asked(one, "POST", f"{tables[-1]}/sit", data={"name": f"P{n}"})
        loads(one, tables[-1])
        asked(one, "HEAD", f"{tables[-1]}/stream")
    for turn in range(turns):
        clock.sleep(2.0)
        for at, table in enumerate(tables):
            three = people[3 * at : 3 * at + 3]
            live = authority.live(table.rpartition("/")[2])
            if live.status == "over":
                tables[at] = asked(three[0], "POST", f"{table}/rematch").json()["url"]
                for one in three:
                    loads(one, tables[at])
                continue
            seat = live.pending[0]
            do = asked(three[seat], "GET", f"{table}.json").json()["legal"][0]["do"]
            form = {"seat": seat, "ply": live.ply, "do": do}
            asked(three[seat], "POST", f"{table}/decide", data=form)
            authority.limits.count_here("connections", "10.0.0.1")
            if turn % 6 == at % 6:  # somebody talks, loads the page again, writes a draft
                asked(three[1], "POST", f"{table}/chat", data={"text": "well"})
                loads(three[2], table)
                asked(three[0], "GET", f"{table}/frame")
    assert set(statuses) == {200}
    assert len(statuses) > 33 * turns
    assert hub.MOST_STREAMS_OF_CLIENT >= 2 * len(people)
    assert sockets.MOST_CONNECTIONS_OF_CLIENT >= 6 * len(people)


# -- single kinds ------------------------------------------------------------------------------


def finished(authority: Authority) -> tuple[str, Any]:
    ann = visitor_of("ann")
    live = lobby.open_table(authority, ann, "coals", ["me", "me"])
    while live.status != "over":
        live = seats.resign(authority, live.id, ann, live.seats_of(ann)[0])
    return live.id, ann


def test_only_rematches_that_are_made_count_as_tables(authority: Authority) -> None:
    authority.limits = Limits(authority.clock, {**ONE, "tables": Rate(1, 30.0)})
    table, ann = finished(authority)
    first = sequels.rematch.do(authority, table, ann, Rematching(), "10.0.0.1")
    assert sequels.rematch.do(authority, table, ann, Rematching(), "10.0.0.1").id == first.id
    with pytest.raises(TooMany):
        sequels.rematch.do(authority, finished(authority)[0], ann, Rematching(), "10.0.0.1")


def test_browsers_that_were_never_called_make_space(
    authority: Authority, clock: SimulatedClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(subscriptions, "MOST_SUBSCRIPTIONS", 3)
    key, auth = "A" * 87, "A" * 22
    pushes = authority.subscriptions

    def asks(name: str) -> None:
        clock.sleep(1.0)
        where = f"https://push.example/{name}"
        asked = subscriptions.PushRequest(where, key, auth, "en", "https://x.example")
        pushes.subscribe(visitor_of(name), asked)

    lobby.open_table(authority, visitor_of("player"), "coals", ["me", "open"])
    for name in ("player", "called", "idle"):
        asks(name)
    pushes.mark(visitor_of("called"), True)
    asks("fresh")
    assert pushes.owners() == {visitor_of(name) for name in ("player", "called", "fresh")}
    pushes.mark(visitor_of("fresh"), True)
    with pytest.raises(TooMany):
        asks("late")


def test_an_address_may_not_have_many_browsers_called(tmp_path: Path) -> None:
    house = House(tmp_path)
    fields = Phone().fields
    answers = [
        Client(house.app, "10.0.0.1")
        .call("/push", **{**fields, "endpoint": f"https://push.example/{n}"})
        .status_code
        for n in range(RATES["push"].burst + 1)
    ]
    house.store.close()
    assert answers == [200] * RATES["push"].burst + [429]


def test_requests_of_one_client_take_turns() -> None:
    async def run() -> None:
        begun: list[str] = []
        goes_on = anyio.Event()

        async def ask(client: str) -> None:
            async with limits.client_turn(client):
                begun.append(client)
                await goes_on.wait()

        async with anyio.create_task_group() as group:
            for client in ("a", "a", "a", "b", "", "", ""):
                group.start_soon(ask, client)
            with anyio.fail_after(60):
                while len(begun) < 5:
                    await anyio.sleep(0)
            assert sorted(begun) == ["", "", "", "a", "b"]
            goes_on.set()
        assert begun.count("a") == 3

    asyncio.run(run())


def test_who_receives_slowly_keeps_no_turn(authority: Authority) -> None:
    async def run() -> None:
        app, held, begun = create_app(authority), anyio.Event(), 0

        async def receive() -> dict[str, Any]:
            await held.wait()
            return {"type": "http.disconnect"}

        async def slow(message: Any) -> None:
            nonlocal begun
            if message["type"] == "http.response.body":
                begun += 1
                await held.wait()

        scope = {
            "type": "http",
            "method": "GET",
            "path": "/",
            "raw_path": b"/",
            "query_string": b"",
            "headers": [(b"host", b"localhost"), (b"accept", b"text/html")],
            "scheme": "http",
            "client": ("10.0.0.1", 1),
            "server": ("localhost", 80),
            "root_path": "",
        }
        async with anyio.create_task_group() as group:
            with anyio.fail_after(60):
                for _ in range(limits.TURNS_OF_CLIENT + 2):
                    group.start_soon(app, dict(scope), receive, slow)
                while begun < limits.TURNS_OF_CLIENT + 2:
                    await anyio.sleep(0.01)
            held.set()

    asyncio.run(run())
