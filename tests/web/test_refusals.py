"""What the server refuses, a line a request: each gets a clear 4xx, and changes nothing.

A line has a status, who asks, and for what; then a form's body, a header, and words of the answer, as far as
there are any. `{a|b}` stands for two lines, one with `a` and one with `b`. Ann and Bo play at `<table>`,
where both are to bet, and Cy is a stranger; `<open>` waits for somebody, `<other>` is Bo's alone, `<over>`
has ended, `<group>` is the page of Ann's group.
"""

import re
from collections.abc import Iterator
from itertools import product
from typing import NamedTuple

import httpx
import pytest

from diablerie.engine import verbs
from diablerie.table.authority import Authority
from diablerie.web.app import create_app
from diablerie.web.edges.network_switch import NetworkSwitch
from tests.api.conftest import generous
from tests.stores import new_store
from tests.web.client import PAGE, SCRIPT, Client

FORM = "application/x-www-form-urlencoded"
BET = "seat=0&ply=1&do=bet+50"
LONG = {
    "<x100>": "x" * 100,
    "<x3000>": "x" * 3000,
    "<x70000>": "x" * 70_000,
    "<A43>": "A" * 43,  # as long as a secret
    "<many>": "a=1&" * 500,
    "<steps>": "bet+50;" * 40,
}

SEATS_AND_DECISIONS = """
403  bo   POST <table>/decide  <bet>
403  bo   GET <table>{|.json|/stream}?as=0
403  cy   POST <table>/{hint|link|rematch}  seat=0
409  cy   POST <table>/sit  {|seat=0}
403  ann  POST <other>/decide  <bet>
400  ann  POST <table>/decide  seat={|7|-1|1e0|%D9%A0|00|0.0|<x100>}&ply=1&do=bet+50
400  ann  POST <table>/decide  seat=0&ply=&do=bet+50
422  ann  POST <table>/decide  seat=0&ply={-5|1.5|0x1|99999999999}&do=bet+50
409  ann  POST <table>/decide  seat=0&ply={0|2|7|100000}&do=bet+50
400  ann  POST <table>/decide  seat=0&ply=1&do={|;|bet|bet+5|coal+50|%00|%F0%9F%98%88%F0%9F%98%88|<steps>}
422  ann  POST <table>/decide  seat=0&ply=1&do={bet+990|pull}
409  ann  POST <table>/explore  step=1
409  cy   POST <table>/explore  step=1
400  ann  POST <table>/explore  step=1&seat=9
422  ann  POST <table>/explore  step=-1
403  ann  POST <table>/hint  seat=0
400  ann  POST <table>/hint
400  ann  POST <table>/hint  seat=0&draft=<steps>
404  ann  POST <table>/mute  seat={2|5}
400  ann  POST <table>/share  {hash-99=a|hash-x=a|nonce--1=a}
"""

ADDRESSES = """
404  ann  GET /t/{nothing|../../etc/passwd|%2e%2e|<x3000>|t/t|'%20OR%201=1%20--|%00}
404  ann  POST /t/nothing/decide  <bet>
403  cy   POST /t/nothing/decide  <bet>
404  ann  GET /{t|g}/nothing/preview.png
404  ann  GET /{friends|setup|learn}/chess
404  ann  GET /learn/coals?step={99|x}
404  ann  GET /embed/{nothing|replay/nothing}
409  ann  GET /embed/replay/<id>
400  ann  GET <table>?{%ff|as=%ff|draft=%c3%28}
400  ann  GET <table>?as={9|a}
400  ann  GET <table>?draft=<steps>
409  ann  GET <table>/{replay|picture.png|picture.svg|film.svg}
400  ann  GET <over>/replay?{step=x|step=-1|step=1e3|eyes=7|eyes=5}
405  ann  GET <table>/decide
405  ann  {PUT|DELETE} <table>
404  bo   GET /g/{x|AAAAAAAAAAAAAAAAAAAAAA|%C3%A9%C3%A9%C3%A9}  “ask somebody in it for the new link
404  bo   GET <group>x  “ask somebody in it for the new link
404  bo   POST <group>x/join  name=Eve
"""

FORMS = """
400  ann  POST <table>/decide  {ÿþ=1|seat=%ff&ply=1&do=bet+50|do=%C3%28|do=1&do=2}
413  ann  POST <table>/decide  <many>
415  ann  POST <table>/decide  {"seat":0}  content-type: {application/json|text/plain|}
415  ann  POST <table>/decide  {"seat":0}  content-type: multipart/form-data; boundary=x
413  ann  POST <table>/chat  text=<x70000>
413  ann  POST <table>/chat  text=<x70000>  transfer-encoding: chunked
400  ann  POST {<table>/decide|<table>/hint|/tables}  {-=1|as-=1&seat-x=2|seat-=0|%00=%00|=|&&&}
400  ann  POST {<table>/decide|<table>/hint|/tables}  {option-a-b=1|as=%ED%A0%80|game-=x&way-x=1}
400  ann  POST /tables  game={|chess}
400  ann  POST /tables  game=coals&here=1
400  ann  POST /tables  game=coals&here=9&bots=9
422  ann  POST /tables  game=coals&here=many
400  ann  POST /tables  game=coals&here=1&bots=1&option-{mouth=99|magic=yes}
400  ann  POST /tables  game=coals&here=1&bots=1&bot={genius|os.system|search|search:n=9|imp:epsilon=1}
400  ann  POST /tables  game=coals&way=bots&bot={search|search:n=9|examples.my_bot:MyBot|sensible:|+random}
400  ann  POST /tables  game=coals&here=1&bots=2&devil-1=search:n=9
400  ann  POST <open>/fill  bot={search:n=9|examples.my_bot:MyBot}
400  ann  POST <table>/explore  step=1&bot=search:n=9
400  ann  POST /settings  {theme=pink|theme=%22%3E%3Cb%3E|speed=9|volume=11}
400  ann  POST /sound  sound=loud
400  ann  POST /known  game=chess
400  ann  POST /language  language=../../etc
"""

OTHER_SITES = """
403  ann  POST <table>/decide  <bet>  sec-fetch-site: {cross-site|same-site}
403  ann  POST <table>/decide  <bet>  origin: {https://evil.example|null|http://localhost:8667|http://localhost.evil.example:8666}
403  ann  POST <table>/decide  <bet>  origin: {http://[|http://[::1|//|http://localhost:8666:1}
403  ann  POST <table>/decide  <bet>  origin: {http://]|http://user@localhost:8666|\x7f}
421  ann  {GET|POST} <table>/decide  <bet>  host: {evil.example|localhost.evil.example|10.9.9.9}
421  ann  {GET|POST} <table>/decide  <bet>  host: {127.0.0.1.evil.example:8666||[::2]}
400  ann  GET /{|healthz|nothing}  host: {localhost:]|localhost:99999999|localhost:x|[::1|[::1]x}
400  ann  GET /{|healthz|nothing}  host: {localhost/evil|user@localhost|local host}
403  cy   POST <table>/decide  <bet>  cookie: diablerie={|x|ääääääääääää|<x3000>|<A43>}
"""


class Refusal(NamedTuple):
    """A line: what is asked, by whom, and the answer to it."""

    status: int
    who: str
    method: str
    address: str
    body: str
    header: str
    words: str


def refusal(line: str) -> Refusal:
    status, who, asked, *rest = re.split(r" {2,}", line)
    method, address = asked.split(" ")
    header = next((one for one in rest if re.match(r"[a-z-]+: ?", one)), "")
    words = next((one for one in rest if one.startswith("“")), "")
    body = next((one for one in rest if one not in (header, words)), "")
    return Refusal(int(status), who, method, address, body, header, words.removeprefix("“"))


def lines(table: str) -> Iterator[str]:
    """The lines of a table, one for each of `{a|b}`."""
    for line in table.strip().splitlines():
        parts = re.split(r"\{([^{}]*\|[^{}]*)\}", line)
        yield from map("".join, product(*(part.split("|") for part in parts)))


class House(NamedTuple):
    """A server, its three browsers, and the addresses that lines name."""

    authority: Authority
    browsers: dict[str, Client]
    addresses: dict[str, str]


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    store = new_store(tmp_path_factory.mktemp("refusals") / "tables.db")
    authority = Authority(store)
    authority.limits = generous(authority.clock)
    app = create_app(authority)
    browsers = {who: Client(app, f"10.0.0.{n}") for n, who in enumerate(("ann", "bo", "cy"))}
    ann, bo, _ = browsers.values()
    names = {"<table>": ann.open(open="1"), "<open>": ann.open(open="1")}
    names |= {
        "<id>": names["<table>"][3:],
        "<other>": bo.open(bots="1"),
        "<over>": ann.open(bots="1"),
        "<bet>": BET,
    }
    names["<group>"] = str(ann.call("/groups", name="Us", person="Oma").json()["url"])
    assert bo.call(f"{names['<table>']}/sit").status_code == 200
    assert ann.call(f"{names['<over>']}/resign", seat=0).status_code == 200
    yield House(authority, browsers, names | LONG)
    store.close()


def refused(answer: httpx.Response, *statuses: int) -> None:
    """A problem document or a page that says why, and none of our inside."""
    assert answer.status_code in statuses, answer.text[:300]
    assert "Traceback" not in answer.text
    if "html" not in answer.headers["content-type"]:
        assert answer.headers["content-type"] == "application/problem+json"
        assert answer.json()["status"] == answer.status_code
        assert len(answer.json()["title"]) > 10
    assert "content-security-policy" in answer.headers


@pytest.mark.parametrize("accept", [PAGE, SCRIPT], ids=["page", "script"])
@pytest.mark.parametrize(
    "line",
    [
        line
        for table in (SEATS_AND_DECISIONS, ADDRESSES, FORMS, OTHER_SITES)
        for line in lines(table)
    ],
)
def test_it_is_refused_and_changes_nothing(house: House, line: str, accept: dict[str, str]):
    before = house.authority.live(house.addresses["<table>"][3:])
    counted = house.authority.store.counted()
    for name, text in house.addresses.items():
        line = line.replace(name, text)
    asked = refusal(line)
    name, _, value = asked.header.partition(":")
    headers = accept | {"content-type": FORM} if asked.method == "POST" else accept
    if name:
        headers = headers | {name: value.strip().encode()}
    answer = house.browsers[asked.who].request(
        asked.method, asked.address, content=asked.body.encode("latin-1"), headers=headers
    )
    refused(answer, asked.status)
    assert asked.words in answer.text
    after = house.authority.live(before.id)
    assert (after.seats, after.plies, after.chat) == (before.seats, before.plies, before.chat)
    assert after.match.state.tobytes() == before.match.state.tobytes()
    assert verbs.pending(after.match.state) == 3
    assert house.authority.store.counted() == counted


def test_each_kind_of_refusal_has_a_code_of_its_own(ann: Client):
    asked = [
        ann.request("GET", "/", headers=SCRIPT | {"host": "a b"}),
        ann.request("POST", "/tables", headers=SCRIPT | {"origin": "https://elsewhere.example"}),
        ann.get("/nowhere"),
        ann.request("DELETE", "/", headers=SCRIPT),
        ann.request("POST", "/tables", headers=SCRIPT, content=70_000 * b"x"),
        ann.request("POST", "/tables", headers=SCRIPT, json={}),
        ann.request("GET", "/", headers=SCRIPT | {"host": "elsewhere.example"}),
        ann.call("/tables", here="x"),
    ]
    statuses = [answer.status_code for answer in asked]
    assert statuses == [400, 403, 404, 405, 413, 415, 421, 422]
    assert len({answer.json()["code"] for answer in asked}) == len(asked)


@pytest.mark.parametrize(
    ("host", "status"),
    [("coals.example", 200), ("10.1.2.3:8666", 200), ("[fd00::1]", 200), ("evil.example", 421)],
)
def test_a_server_for_others_answers_under_its_names(authority: Authority, host: str, status: int):
    network = NetworkSwitch(everywhere=True)
    open_house = Client(create_app(authority, hosts=["Coals.example"], network=network))
    answer = open_house.request("GET", "/healthz", headers=SCRIPT | {"host": host})
    assert answer.status_code == status
