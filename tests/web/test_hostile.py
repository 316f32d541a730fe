"""Hostile requests get a clear 4xx and change nothing."""

from collections.abc import Callable, Iterator
from typing import Any

import httpx
import pytest

from diablerie.engine import verbs
from diablerie.table.authority import Authority
from diablerie.web.app import create_app
from diablerie.web.edges.network_switch import NetworkSwitch
from tests.web.client import PAGE, SCRIPT, Client

FORM = "application/x-www-form-urlencoded"


@pytest.fixture
def table(ann: Client, bo: Client) -> str:
    """Ann and Bo play; it is for both of them to bet."""
    url = ann.open(open="1")
    assert bo.call(f"{url}/sit").status_code == 200
    return url


@pytest.fixture(autouse=True)
def unchanged(request: pytest.FixtureRequest, authority: Authority) -> Iterator[None]:
    """The table of the test is as it was, to the byte."""
    if "table" not in request.fixturenames:
        yield
        return
    name = request.getfixturevalue("table").rpartition("/")[2]
    before = authority.live(name)
    yield
    after = authority.live(name)
    assert (after.seats, after.plies, after.chat) == (before.seats, before.plies, before.chat)
    assert after.match.state.tobytes() == before.match.state.tobytes()
    assert verbs.pending(after.match.state) == 3


def refused(answer: httpx.Response, *statuses: int) -> None:
    """A problem document or a page that says why, and none of our inside."""
    assert answer.status_code in statuses, answer.text[:300]
    assert "Traceback" not in answer.text
    if "html" not in answer.headers["content-type"]:
        assert answer.headers["content-type"] == "application/problem+json"
        assert answer.json()["status"] == answer.status_code
        assert len(answer.json()["title"]) > 10
    assert "content-security-policy" in answer.headers


def test_another_persons_seat(bo: Client, table: str):
    refused(bo.act(table, "bet 50", seat=0), 403)
    refused(bo.get(f"{table}?as=0"), 403)
    refused(bo.get(f"{table}.json?as=0"), 403)
    refused(bo.get(f"{table}/stream?as=0"), 403)


def test_a_stranger(browser: Callable[[], Client], table: str):
    stranger = browser()
    for path in ("hint", "link", "rematch"):
        refused(stranger.call(f"{table}/{path}", seat=0), 403)


def test_a_full_table(browser: Callable[[], Client], table: str):
    refused(browser().call(f"{table}/sit"), 409)
    refused(browser().call(f"{table}/sit", seat=0), 409)


def test_a_seat_of_another_table(ann: Client, bo: Client, table: str):
    other = bo.open(bots="1")
    refused(ann.act(other, "bet 50", seat=0), 403)


@pytest.mark.parametrize("seat", ["", "7", "-1", "1e0", "٠", "00", "0.0", "x" * 100])
def test_a_seat_that_is_none(ann: Client, table: str, seat: str):
    refused(ann.call(f"{table}/decide", seat=seat, ply=1, do="bet 50"), 400)


@pytest.mark.parametrize("ply", ["-5", "1.5", "0x1", "", "99999999999"])
def test_a_sequence_number_that_is_none(ann: Client, table: str, ply: str):
    refused(ann.call(f"{table}/decide", seat=0, ply=ply, do="bet 50"), 400, 409, 422)


@pytest.mark.parametrize("ply", [0, 2, 7, 10**5])
def test_out_of_order(ann: Client, table: str, ply: int):
    refused(ann.call(f"{table}/decide", seat=0, ply=ply, do="bet 50"), 409)


@pytest.mark.parametrize(
    "do", ["", ";", "bet", "bet 5", "bet 990", "pull", "coal 50", "bet 50;" * 40, "\x00", "😈" * 30]
)
def test_decisions_that_are_none(ann: Client, table: str, do: str):
    refused(ann.act(table, do), 400, 422)


def test_tables_that_are_not_there(ann: Client):
    for name in ("nothing", "../../etc/passwd", "%2e%2e", "x" * 3000, "t/t", "' OR 1=1 --", "%00"):
        refused(ann.get(f"/t/{name}"), 404)
    refused(ann.call("/t/nothing/decide", seat=0, ply=0, do="x"), 403)


@pytest.mark.parametrize(
    "body",
    [b"\xff\xfe=1", b"seat=%ff&ply=1&do=bet+50", b"do=%C3%28", b"do=1&do=2", b"a=1&" * 500],
    ids=["raw", "escaped", "overlong", "twice", "many"],
)
def test_forms_that_cannot_be_read(ann: Client, table: str, body: bytes):
    headers = SCRIPT | {"content-type": FORM}
    status = 413 if len(body) > 1000 else 400
    refused(ann.request("POST", f"{table}/decide", content=body, headers=headers), status)


@pytest.mark.parametrize(
    "kind", ["application/json", "text/plain", "multipart/form-data; boundary=x", ""]
)
def test_what_is_not_a_form(ann: Client, table: str, kind: str):
    headers = SCRIPT | {"content-type": kind}
    body = b'{"seat":0,"ply":1,"do":"bet 50"}'
    refused(ann.request("POST", f"{table}/decide", content=body, headers=headers), 415)


def test_oversized(ann: Client, table: str):
    refused(ann.call(f"{table}/chat", text="x" * 100_000), 413)
    endless = ann.request(
        "POST",
        f"{table}/chat",
        content=b"text=" + b"x" * 70_000,
        headers=SCRIPT | {"content-type": FORM, "transfer-encoding": "chunked"},
    )
    refused(endless, 413)


@pytest.mark.parametrize(
    "headers",
    [
        {"sec-fetch-site": "cross-site"},
        {"sec-fetch-site": "same-site"},
        {"origin": "https://evil.example"},
        {"origin": "null"},
        {"origin": "http://localhost:8667"},
        {"origin": "http://localhost.evil.example:8666"},
    ],
    ids=str,
)
def test_posts_from_other_sites(ann: Client, table: str, headers: dict[str, str]):
    data = {"seat": "0", "ply": "1", "do": "bet 50"}
    for accept in ("text/html", "application/json"):
        sent = {"accept": accept} | headers
        refused(ann.request("POST", f"{table}/decide", data=data, headers=sent), 403)


@pytest.mark.parametrize(
    "host",
    [
        "evil.example",
        "localhost.evil.example",
        "127.0.0.1.evil.example:8666",
        "",
        "[::2]",
        "10.9.9.9",
    ],
)
def test_a_forged_host(ann: Client, table: str, host: str):
    refused(ann.request("GET", table, headers=PAGE | {"host": host}), 421)
    data = {"seat": "0", "ply": "1", "do": "bet 50"}
    refused(ann.request("POST", f"{table}/decide", data=data, headers=SCRIPT | {"host": host}), 421)


@pytest.mark.parametrize("cookie", ["", "x", "ä" * 20, "a" * 5000, "A" * 43])
def test_cookies_that_are_nobodys(browser: Callable[[], Client], table: str, cookie: str):
    thief = browser()
    data = {"seat": "0", "ply": "1", "do": "bet 50"}
    headers = SCRIPT | {"cookie": f"diablerie={cookie}".encode()}
    refused(thief.request("POST", f"{table}/decide", data=data, headers=headers), 403)


@pytest.mark.parametrize(
    "query", ["%ff", "as=%ff", "draft=%c3%28", "as=9", "as=a", "draft=" + "a;" * 30]
)
def test_addresses_that_mean_nothing(ann: Client, table: str, query: str):
    refused(ann.get(f"{table}?{query}"), 400, 403)


def test_methods_that_are_not_there(ann: Client, table: str):
    refused(ann.get(f"{table}/decide"), 405)
    refused(ann.request("PUT", table, headers=SCRIPT), 405)
    refused(ann.request("DELETE", table, headers=PAGE), 405)


@pytest.mark.parametrize(
    "fields",
    [
        {"game": "chess"},
        {"game": "coals", "here": "9", "bots": "9"},
        {"game": "coals", "here": "1"},
        {"game": "coals"},
        {"game": "coals", "here": "many"},
        {"game": "coals", "here": "1", "bots": "1", "bot": "genius"},
        {"game": "coals", "here": "1", "bots": "1", "bot": "os.system"},
        {"game": "coals", "here": "1", "bots": "1", "option-mouth": "99"},
        {"game": "coals", "here": "1", "bots": "1", "option-magic": "yes"},
    ],
    ids=str,
)
def test_tables_that_cannot_be_opened(ann: Client, authority: Authority, fields: dict[str, Any]):
    refused(ann.call("/tables", **fields), 400, 422)
    refused(ann.send("/tables", **fields), 400, 422)
    assert authority.listing() == []


def test_every_answer_carries_the_policy_and_the_cookie_is_out_of_reach(ann: Client):
    answer = ann.send("/tables", game="coals", way="bots")
    cookie = answer.headers["set-cookie"].lower()
    assert "httponly" in cookie
    assert "samesite=lax" in cookie
    for page in (answer, ann.page("/"), ann.get("/nothing"), ann.get("/healthz")):
        policy = page.headers["content-security-policy"]
        assert "default-src 'none'" in policy
        assert "unsafe" not in policy
        assert page.headers["x-content-type-options"] == "nosniff"


@pytest.mark.parametrize(
    ("host", "status"),
    [("coals.example", 200), ("10.1.2.3:8666", 200), ("[fd00::1]", 200), ("evil.example", 421)],
)
def test_a_server_for_others_answers_under_its_names(authority: Authority, host: str, status: int):
    network = NetworkSwitch(everywhere=True)
    open_house = Client(create_app(authority, hosts=["Coals.example"], network=network))
    answer = open_house.request("GET", "/healthz", headers=SCRIPT | {"host": host})
    assert answer.status_code == status


def test_going_on_from_a_match_that_runs(ann: Client, browser: Callable[[], Client], table: str):
    for client in (ann, browser()):
        refused(client.call(f"{table}/explore", step="1"), 409)
        refused(client.call(f"{table}/explore", step="1", seat="9"), 400)
        refused(client.call(f"{table}/explore", step="-1"), 422)


def test_advice_is_not_for_the_asking_everywhere(ann: Client, table: str):
    refused(ann.call(f"{table}/hint", seat="0"), 403)
    refused(ann.call(f"{table}/hint"), 400)
    refused(ann.call(f"{table}/hint", seat="0", draft="x;" * 40), 400)
