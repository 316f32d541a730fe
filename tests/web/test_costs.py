"""No request costs the server much: everything that is sent at its longest, in its worst shapes.

Counted in processor time, which a busy machine does not change. Each shape is sent twice and the
cheaper one counts, since the first may read something that is kept.
"""

import inspect
import itertools
import json
import os
import re
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import quote

import msgspec
import pytest
from starlette.routing import Route

from diablerie import api
from diablerie.engine import verbs
from diablerie.games import ALL as GAMES
from diablerie.table.authority import Authority
from diablerie.table.commands import tokens
from diablerie.table.commands.sequels import LONGEST_SAVED_BYTES as LONGEST_FILE
from diablerie.table.commands.tokens import SCOPES
from diablerie.web.app import create_app, routes
from diablerie.web.edges import forms
from diablerie.web.edges.limits import LONGEST_ADDRESS, LONGEST_HEADERS
from diablerie.web.process.server_process import behind
from diablerie.web.process.sockets import PIECES
from diablerie.web.routes import daily, history, lessons, replay, table
from tests.api.conftest import MAKER, Program, generous
from tests.stores import new_store
from tests.web.client import PAGE, SCRIPT, Client
from tests.web.test_abuse import ASKED, raw

COMPILED = os.environ.get("NUMBA_DISABLE_JIT", "0") == "0"
UNCOMPILED_BUDGET = 0.5  # seconds of processor time
BUDGET = 0.2 if COMPILED else UNCOMPILED_BUDGET
FORM = "application/x-www-form-urlencoded"
# What a text is made of: each has made some parser slow, or drawn as little as possible.
SHAPES = ["a", "0", " ", ";", ";=", "a=", ",", "a,", "a;q=0.5,", "\\", '\\"', '"', "\\073", "&", "%",
          "%41", "/", "//", "../", "-", "a-", ".", ":", "[", "(", "{", "[[", "; ", "bet 50; ", "<", "\n",
          "é", "\u0301", "\u0345\u0301", "\u200d", "\u0915\u200d", "😈\u200d", "🇩", "ﷺ",
          "\U000e0062"]  # fmt: skip
WORST = ["0", ";", ",", "\\", "-", ".", "[", "bet 50; ", "\u0345\u0301", "\u0915\u200d", "🇩", "ﷺ"]
ALL = pytest.param(WORST, id="all", marks=pytest.mark.ci)
FEW = pytest.param(["\\", "\u0345\u0301", "bet 50; "], id="few")
ASCII = [shape for shape in SHAPES if shape.isascii() and shape.isprintable()]
ALL_ASCII = pytest.param(ASCII, id="all", marks=pytest.mark.ci)
FEW_ASCII = pytest.param([";", "\\", '"', ",", "a;q=0.5,"], id="few")
HEADERS = ["accept", "accept-encoding", "accept-language", "authorization", "content-type", "cookie",
           "host", "last-event-id", "origin", "referer", "sec-fetch-site"]  # fmt: skip
COOKIES = ["diablerie", "diablerie-owner", "language", "known", "muted", "name", "theme"]
ROOM = 1000  # bytes of the headers besides the one that is long


class House(NamedTuple):
    """A server that counts no requests, a browser at a table of it, and a program there."""

    app: Any
    browser: Client
    program: Program
    table: str
    group: str


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    store = new_store(tmp_path_factory.mktemp("costs") / "tables.db")
    authority = Authority(store)
    authority.limits = generous(authority.clock)
    app = create_app(authority)
    browser = Client(app)
    program = Program(
        app, tokens.issue.do(authority, MAKER, tokens.NewToken("Robo", SCOPES), "10.1.0.1")
    )
    table = browser.open(here="2").rpartition("/")[2]
    group = browser.call("/groups", name="Us", person="Ann").json()["url"].rpartition("/")[2]
    yield House(app, browser, program, table, group)
    store.close()


def filled(shape: str, longest: int) -> str:
    """Text of so many bytes at most."""
    return shape * (longest // len(shape.encode()))


def dear(send: Callable[[], Any], answered: bool = True) -> float:
    """The processor time of a request, in seconds."""
    times = []
    for _ in range(2):
        began = time.process_time()
        answer = send()
        times.append(time.process_time() - began)
        assert answer.status_code < 500 or not answered
        if times[-1] < BUDGET:
            break
    return min(times)


def over(costs: dict[Any, float], budget: float = BUDGET) -> dict[Any, float]:
    """What costs more than it may."""
    assert costs, "something was sent"
    return {name: cost for name, cost in costs.items() if cost > budget}


@pytest.mark.parametrize("shapes", [FEW_ASCII, ALL_ASCII])
@pytest.mark.parametrize("name", HEADERS)
def test_no_header_costs_much(house: House, name: str, shapes: list[str]) -> None:
    costs = {}
    for shape in shapes:
        sent = PAGE | {name: filled(shape, LONGEST_HEADERS - ROOM)}
        costs[shape] = dear(lambda h=sent: house.browser.request("GET", "/", headers=h))
    assert over(costs) == {}


@pytest.mark.parametrize("shapes", [FEW_ASCII, ALL_ASCII])
@pytest.mark.parametrize("name", COOKIES)
def test_no_cookie_costs_much(house: House, name: str, shapes: list[str]) -> None:
    costs = {}
    for shape in shapes:
        for mark in ("", '"'):
            value = f"{name}={mark}{filled(shape, LONGEST_HEADERS - ROOM)}{mark}"
            sent = PAGE | {"cookie": value}
            costs[shape, mark] = dear(lambda h=sent: house.browser.request("GET", "/", headers=h))
    assert over(costs) == {}


@pytest.mark.parametrize("kind", ["form-data; boundary=x{}", "form-data; {}boundary=x", "{}"])
def test_no_kind_of_body_costs_much(house: House, kind: str) -> None:
    costs = {}
    for shape in ASCII:
        told = kind.format(filled(shape, LONGEST_HEADERS - ROOM))
        headers = SCRIPT | {"content-type": f"multipart/{told}"}
        ask = {"headers": headers, "content": b"--x"}
        costs[shape] = dear(lambda a=ask: house.browser.request("POST", "/games/saved", **a))
    assert over(costs) == {}


def uploaded(house: House, body: bytes, boundary: str = "x") -> float:
    headers = SCRIPT | {"content-type": f"multipart/form-data; boundary={boundary}"}
    ask = {"headers": headers, "content": body[: LONGEST_FILE + forms.FORM_ROOM_BYTES]}
    return dear(lambda: house.browser.request("POST", "/games/saved", **ask))


@pytest.mark.parametrize(
    "part",
    ["{}", "{}\r\n\r\n", 'Content-Disposition: form-data; name="{}', "Content-Disposition: {}",
     'Content-Disposition: form-data; name="file"{}\r\n\r\n', "X: {}; name=x\r\n\r\n",
     'Content-Disposition: form-data; name="file"\r\n\r\n{}',
     'Content-Disposition: form-data; name="bot"\r\n\r\n{}'],
)  # fmt: skip
def test_no_part_of_an_upload_costs_much(house: House, part: str) -> None:
    costs = {}
    for shape in (*SHAPES, "\r\n--", "\r\n--x", "\r\n \r", "\x00"):
        told = part.format(filled(shape, LONGEST_FILE))
        costs[shape] = uploaded(house, f"--x\r\n{told}\r\n--x--".encode())
    assert over(costs) == {}
    long = "-" * forms.LONGEST_BOUNDARY
    assert uploaded(house, b"-" * LONGEST_FILE, long) < BUDGET


GOLDEN = Path(__file__).parent.parent / "games" / "coals" / "golden" / "coals-2.jsonl"


@pytest.fixture(params=[True, False], ids=["compiled", "uncompiled"])
def budget(request: pytest.FixtureRequest) -> Iterator[float]:
    """What a request may cost while COALS is compiled, and while it is not yet."""
    if request.param:
        yield BUDGET
        return
    verbs.interpret(GAMES["coals"].state)
    yield UNCOMPILED_BUDGET
    verbs.compile_first(GAMES["coals"].state)


def test_no_match_file_costs_much(house: House, budget: float) -> None:
    head, *lines, end = GOLDEN.read_text().splitlines()
    longest = LONGEST_FILE - len(head) - len(end) - 9
    names = json.loads(head) | {"names": ["x"] * 60_000}
    nested = head.replace('"names":[', '"names":[' + "[" * longest, 1)
    files = {
        "blank": [head, filled("\n", longest), end],
        "blanks": [head, filled("{}\n", longest), end],
        "names": [json.dumps(names), *lines, end],
        "nested": [nested, *lines, end],
        "first": [head, lines[0], filled(lines[0] + "\n", longest), end],
        "whole": [head, *lines, end],
    }
    costs = {what: uploaded(house, part("\n".join(file))) for what, file in files.items()}
    assert over(costs, budget) == {}


def part(file: str) -> bytes:
    """A form with a file alone."""
    told = 'Content-Disposition: form-data; name="file"; filename="match.jsonl"'
    return f"--x\r\n{told}\r\n\r\n{file}\r\n--x--".encode()


# -- below HTTP ----------------------------------------------------------------------------------

CHUNKED = ASKED.replace(b"GET", b"POST") + b"transfer-encoding: chunked\r\n"


@pytest.mark.parametrize(
    "sent",
    [
        CHUNKED + b"\r\n" + b"1\r\nx\r\n" * 40_000,
        CHUNKED + b"\r\n0\r\n" + b"a:b\r\n" * 40_000 + b"\r\n",
        ASKED + b"a:b\r\n" * 40_000 + b"\r\n",
        ASKED + b"a:\r\n" + b" b\r\n" * 60_000 + b"\r\n",
        ASKED.replace(b"/", b"/" * 250_000) + b"\r\n",
    ],
    ids=["pieces", "trailers", "headers", "folds", "address"],
)
def test_no_bytes_cost_much(sent: bytes) -> None:
    raw(ASKED + b"connection: close\r\n\r\n")
    began = time.process_time()
    assert raw(sent).startswith(b"HTTP/1.1 400")
    assert time.process_time() - began < BUDGET


def test_a_body_in_many_pieces_is_read() -> None:
    body = b"10\r\n0123456789abcdef\r\n" * (PIECES // 2) + b"0\r\n\r\n"
    assert raw(CHUNKED + b"connection: close\r\n\r\n" + body).endswith(b"\r\n\r\nok")


@pytest.mark.parametrize("name", ["x-forwarded-for", "x-forwarded-proto"])
def test_no_header_of_a_proxy_costs_much(house: House, name: str) -> None:
    app = create_app(house.app.state.authority, behind=behind(["10.0.0.1"]))
    browser, costs = Client(app), {}
    for shape in (*ASCII, "10.0.0.1,", "[::1]:1,", "1:1,", "[,", "https,"):
        sent = PAGE | {name: filled(shape, LONGEST_HEADERS - ROOM)}
        costs[shape] = dear(lambda h=sent: browser.request("GET", "/", headers=h))
    assert over(costs) == {}


# -- forms, queries and bodies -------------------------------------------------------------------


GOOD = {"seat": "0", "as": "0", "ply": "1", "do": "bet 50", "game": "coals", "here": "1", "bots": "1",
        "name": "Ann", "person": "Ann", "text": "hm", "member": "1", "step": "1"}  # fmt: skip
RAW = ["a&", "&", "=&", "%", "%00&", "a-b=1&", "+", "%F0%9F%98%88", "who-1=1&"]


def taken(endpoint: Any, seen: tuple[Any, ...] = ()) -> type[msgspec.Struct] | None:
    """The struct that a route's form becomes, which its endpoint holds."""
    held = inspect.getclosurevars(endpoint).nonlocals
    if isinstance(kind := held.get("kind"), type):
        return kind
    inner = [one for one in held.values() if inspect.isfunction(one) and one not in seen]
    return next((kind for one in inner if (kind := taken(one, (*seen, one)))), None)


POSTS = {
    route.path: kind
    for route in routes()
    if isinstance(route, Route) and (kind := taken(route.endpoint))
}


def where(house: House, path: str) -> str:
    """An address of this path that is there."""
    parts = {"id": house.table, "link": house.group, "game": "coals", "date": "2026-01-01"}
    return re.sub(r"{(\w+)(:path)?}", lambda found: parts.get(found[1], "x"), path)


def test_the_forms_are_found() -> None:
    assert len(POSTS) > 40
    assert POSTS["/t/{id}/chat"] is api.Talking


@pytest.mark.parametrize("shapes", [FEW, ALL])
@pytest.mark.parametrize("path", POSTS)
def test_no_field_of_a_form_costs_much(house: House, path: str, shapes: list[str]) -> None:
    """In CI also names that end in a number, and odd pairs: one parser reads the forms of all paths."""
    costs = {}
    whole = shapes is WORST
    unknown = ("unknown",)  # where no field is asked for
    for field in POSTS[path].__struct_encode_fields__ or unknown:
        names = (field, f"{field}-1") if whole else (field,)
        for name, shape in itertools.product(names, shapes):
            fields = GOOD | {name: filled(quote(shape), forms.LONGEST_FORM_BYTES - ROOM)}
            body = "&".join(f"{key}={text}" for key, text in fields.items())
            costs[name, shape] = posted(house, where(house, path), body)
    for shape in RAW if whole or path == "/tables" else ():
        costs["", shape] = posted(
            house, where(house, path), filled(shape, forms.LONGEST_FORM_BYTES)
        )
    assert over(costs) == {}


def posted(house: House, url: str, body: str) -> float:
    headers = PAGE | {"content-type": FORM}
    return dear(lambda: house.browser.request("POST", url, headers=headers, content=body))


QUERIES = {
    "/": ("cookie",),
    "/t/{id}": table.TableQuery.__struct_encode_fields__,
    "/t/{id}/frame": table.TableQuery.__struct_encode_fields__,
    "/t/{id}/replay": replay.ReplayQuery.__struct_encode_fields__,
    "/games": history.Which.__struct_encode_fields__,
    "/learn/{game}": lessons.LessonQuery.__struct_encode_fields__,
    "/daily/archive": daily.ArchiveQuery.__struct_encode_fields__,
    "/daily/{date}": daily.Answering.__struct_encode_fields__,
    "/g/{link}": ("renewed",),
    "/settings": ("back",),
    "/api/v1/tables/{id}": api.Looking.__struct_encode_fields__,
    "/api/v1/tables": api.Listing.__struct_encode_fields__,
    "/api/v1/me/tables": api.Mine.__struct_encode_fields__,
}


@pytest.mark.parametrize("shapes", [FEW, ALL])
@pytest.mark.parametrize("path", QUERIES)
def test_no_query_costs_much(house: House, path: str, shapes: list[str]) -> None:
    longest = LONGEST_ADDRESS - ROOM
    asked = [f"{name}=" for name in QUERIES[path]]
    queries = [name + filled(quote(shape), longest) for name in asked for shape in shapes]
    queries += [filled(shape, longest) for shape in RAW]
    costs = {}
    for query in queries:
        url = f"{where(house, path)}?{query}"
        costs[query[:40]] = dear(lambda u=url: house.browser.request("GET", u, headers=PAGE))
    assert over(costs) == {}


PARTS = sorted({route.path for route in routes() if isinstance(route, Route) and "{" in route.path})


@pytest.mark.parametrize("shapes", [FEW, ALL])
def test_no_address_costs_much(house: House, shapes: list[str]) -> None:
    costs = {}
    for path, shape in itertools.product(PARTS, shapes):
        long = quote(filled(shape, 60), safe="")
        url = re.sub(r"{[^}]*}", filled(long, LONGEST_ADDRESS - ROOM), path, count=1)
        costs[path, shape] = dear(lambda u=url: house.browser.request("GET", where(house, u)))
    assert over(costs) == {}


WRITTEN = [one for one in api.OPERATIONS if one.writes]
FEW_BODIES = ["[", "9", "\\u0301", '{"a":1},']
BODIES = ["[", '{"a":', "9", "1.", "1e9", '"', "\\u0000", "\\u0301", '{"a":1},', " ", "-", "\\"]


@pytest.mark.parametrize("shapes", [FEW, ALL])
@pytest.mark.parametrize("operation", WRITTEN, ids=lambda one: one.name)
def test_no_body_of_json_costs_much(house: House, operation: Any, shapes: list[str]) -> None:
    costs = {}
    for shape in BODIES if shapes is WORST else FEW_BODIES:
        long = filled(shape, forms.LONGEST_FORM_BYTES - ROOM)
        bodies = {"whole": long}
        for name in operation.takes.__struct_encode_fields__:
            bodies[name] = f'{{"{name}":{long}'
            bodies[f"{name} as text"] = f'{{"{name}":"{long}"}}'
            bodies[f"{name} as list"] = f'{{"{name}":[{long}]}}'
        for what, body in bodies.items():
            costs[what, shape] = told(house, operation, body)
    for name, shape in itertools.product(operation.takes.__struct_encode_fields__, shapes):
        fields = {"game": "coals", "plan": ["me", "me"], "ply": 1, "do": "bet 50", "seat": 0}
        fields = {k: v for k, v in fields.items() if k in operation.takes.__struct_encode_fields__}
        body = json.dumps(fields | {name: filled(shape, forms.LONGEST_FORM_BYTES // 12)})
        costs[name, shape] = told(house, operation, body)
    assert over(costs) == {}


def told(house: House, operation: Any, body: str) -> float:
    path = operation.path.replace("{id}", house.table)
    headers = {"content-type": "application/json"}
    ask = {"headers": headers, "content": body.encode()[: forms.LONGEST_FORM_BYTES]}
    return dear(lambda: house.program.ask(operation.method, path, **ask))
