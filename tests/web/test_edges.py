"""What stands at the edge of the server: control characters, what a proxy says, what is indexed."""

import socket
from pathlib import Path
from typing import NoReturn

import pytest
from starlette.applications import Starlette

from diablerie.table import doctor
from diablerie.table.authority import Authority
from diablerie.table.presence.rate_limits import RATES, Limits, Rate
from diablerie.table.storage import migrations
from diablerie.table.storage.lock import Lock
from diablerie.table.storage.store import Store
from diablerie.web.app import create_app
from diablerie.web.edges import settings
from diablerie.web.edges.limits import LONGEST_ADDRESS, LONGEST_HEADERS, rate_kind
from diablerie.web.html.compression import COMPRESSED_FROM_BYTES
from diablerie.web.process import server_process
from diablerie.web.process.server_process import behind
from tests.stores import new_store
from tests.test_cli import run
from tests.web.client import PAGE, SCRIPT, Client
from tests.web.test_saved import upload

CONTROLS = ["\0", "\x01", "\x1b", "\x7f", "\x80", "\x9f"]


@pytest.mark.parametrize("control", CONTROLS, ids=ascii)
def test_a_control_character_is_refused_wherever_it_is_read(ann: Client, control: str) -> None:
    table, text = ann.open(bots="1"), f"a{control}b"
    asked = [
        ann.call(f"{table}/chat", text=text),
        ann.call(f"{table}/chat", **{text: "hm"}),
        ann.send("/tables", game=text),
        ann.send("/groups", name="Us", person=text),
        ann.request("GET", table, headers=PAGE, params={"draft": text}),
        ann.request("GET", "/settings", headers=PAGE, params={"back": text}),
        ann.request("GET", "/api/v1/tables", headers=SCRIPT, params={"game": text}),
        upload(ann, b"x", bot=text),
    ]
    for answer in asked:
        assert (answer.status_code, "neither typed nor seen" in answer.text) == (400, True)
    assert ann.get(f"/t/{text.encode().hex()}").status_code == 404
    assert "neither" not in upload(ann, text.encode()).text, "a file may hold what it likes"


@pytest.mark.parametrize("text", ["two\r\nlines", "a\ttab", "Zoë 🙂"])
def test_what_a_person_types_is_none(ann: Client, text: str) -> None:
    assert ann.call(f"{ann.open(open='1')}/chat", text=text).status_code == 200


def test_too_long_headers_are_refused_before_anything_reads_them(ann: Client) -> None:
    long = {"cookie": "a=" + "x" * LONGEST_HEADERS}
    page = ann.request("GET", "/", headers=PAGE | long | {"accept-language": "de"})
    assert (page.status_code, page.headers["connection"]) == (431, "close")
    assert page.headers["content-language"] == "de"
    assert ann.request("GET", "/", headers=SCRIPT | long).json()["code"] == "headers-too-long"
    many = [(f"x-{n}", "x" * 80) for n in range(LONGEST_HEADERS // 80)]
    assert ann.request("GET", "/healthz", headers=[*SCRIPT.items(), *many]).status_code == 431
    half = {"cookie": "a=" + "x" * (LONGEST_HEADERS // 2)}
    assert ann.request("GET", "/", headers=PAGE | half).status_code == 200
    assert ann.get("/" + "x" * LONGEST_ADDRESS).status_code == 414
    assert ann.get("/healthz?" + "x" * LONGEST_ADDRESS).status_code == 414


def test_too_long_headers_count_for_the_limit(ann: Client, authority: Authority) -> None:
    rates = {**RATES, rate_kind("GET", "/"): Rate(2, 3600.0)}
    authority.limits = Limits(authority.clock, rates)
    long = {"cookie": "a=" + "x" * LONGEST_HEADERS}
    statuses = [ann.request("GET", "/", headers=SCRIPT | long).status_code for _ in range(3)]
    assert statuses == [431, 431, 429]


@pytest.mark.parametrize("value", ['"\\073\\073"', '"a\\"b"', 'a"b', "\\\\"])
def test_a_cookie_with_escapes_is_nobodys(app: Starlette, value: str) -> None:
    one = Client(app)
    for cookie in (f"theme={value}; language=de", f"language={value}; language=de"):
        answer = one.request("GET", "/", headers=PAGE | {"cookie": cookie})
        assert answer.headers["content-language"] == "de"


def test_a_cookie_in_quotes_is_read(app: Starlette) -> None:
    one = Client(app)
    told = {"cookie": 'name="A/B"; theme=""; language="fr"'}
    assert one.request("GET", "/", headers=PAGE | told).headers["content-language"] == "fr"


# -- proxies ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("scheme", ["https", "https,http", "https, https", "HTTPS , http"])
def test_the_first_scheme_that_proxies_name_is_the_browsers(
    authority: Authority, scheme: str
) -> None:
    app = create_app(authority, behind=behind(["10.0.0.1"]))
    for told in (
        [("x-forwarded-proto", scheme)],
        [("x-forwarded-proto", s) for s in scheme.split(",")],
    ):
        answer = Client(app).request(
            "POST",
            "/tables",
            headers=[*SCRIPT.items(), *told],
            data={"game": "coals", "way": "here"},
        )
        assert "; Secure" in answer.headers["set-cookie"]
        stranger = Client(app, "10.0.0.2").request("GET", "/", headers=[*PAGE.items(), *told])
        assert "strict-transport-security" not in stranger.headers, (
            "who is no proxy is not believed"
        )


@pytest.mark.parametrize("told", ["http", "http,https", "", ",https", "ftp", "x" * 900])
def test_what_is_not_https_gives_no_secure_cookie(authority: Authority, told: str) -> None:
    app = create_app(authority, behind=behind(["10.0.0.1"]))
    answer = Client(app).request("GET", "/", headers=PAGE | {"x-forwarded-proto": told})
    assert answer.status_code == 200
    assert "strict-transport-security" not in answer.headers


def test_a_form_behind_a_proxy_that_drops_the_port_is_told_both_names(authority: Authority) -> None:
    one = Client(create_app(authority, hosts=["devils.example"]))
    sent = SCRIPT | {"origin": "https://devils.example:8443"}
    refused = one.request("POST", "/groups", headers=sent | {"host": "devils.example"})
    assert refused.status_code == 403
    for word in ("sent from another site", "https://devils.example:8443", " devils.example."):
        assert word in refused.json()["title"]
    whole = sent | {"host": "devils.example:8443"}
    fields = {"name": "Us", "person": "Ann"}
    assert one.request("POST", "/groups", headers=whole, data=fields).status_code == 200


# -- settings --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("told", "hosts"),
    [
        ("", set()),
        (" , ", set()),
        ("devils.example", {"devils.example"}),
        ("Devils.Example.", {"devils.example"}),
        ("https://devils.example/", {"devils.example"}),
        ("devils.example:8443", {"devils.example"}),
        ("a.example b.example,c.example", {"a.example", "b.example", "c.example"}),
        ("böse.example", {"xn--bse-sna.example"}),
        ("xn--bse-sna.example", {"xn--bse-sna.example"}),
        ("10.0.0.7", {"10.0.0.7"}),
        ("fd00::1,[fd00::2]:80", {"[fd00::1]", "[fd00::2]"}),
    ],
)
def test_hosts_are_understood_in_every_spelling(
    monkeypatch: pytest.MonkeyPatch, told: str, hosts: set[str]
) -> None:
    monkeypatch.setenv(settings.HOSTS, told)
    assert settings.own_hosts() == hosts


@pytest.mark.parametrize(
    "told",
    [".devils.example", "*.example", "*", "https://devils.example/t", "you@devils.example", "a..b",
     "devils.example:port", "faß.example", "[fd00::1", "x" * 300, "a;b", "://", "ä" * 80],
)  # fmt: skip
def test_hosts_that_are_none_are_refused_in_a_sentence(
    monkeypatch: pytest.MonkeyPatch, told: str
) -> None:
    monkeypatch.setenv(settings.HOSTS, f"devils.example,{told}")
    with pytest.raises(ValueError, match=r"DIABLERIE_HOSTS has “.*”, which is no host: give names"):
        settings.own_hosts()


@pytest.mark.parametrize(
    "told", ["localhost", "10.0.0.1/8", "*,10.0.0.1", "proxy", "300.1.1.1", "[::1]"]
)
def test_proxies_that_are_none_are_refused_in_a_sentence(
    monkeypatch: pytest.MonkeyPatch, told: str
) -> None:
    monkeypatch.setenv(settings.PROXIES, told)
    with pytest.raises(
        ValueError, match=r"FORWARDED_ALLOW_IPS has “.*”, which is no network address"
    ):
        settings.trusted_proxies()


@pytest.mark.parametrize("told", ["127.0.0.1", "10.0.0.0/8, ::1", "", "*"])
def test_proxies_are_addresses_and_networks(monkeypatch: pytest.MonkeyPatch, told: str) -> None:
    monkeypatch.setenv(settings.PROXIES, told)
    assert bool(settings.trusted_proxies()) == bool(told)


@pytest.mark.parametrize(
    ("told", "address"),
    [
        ("", None),
        ("9100", ("127.0.0.1", 9100)),
        (" 9100 ", ("127.0.0.1", 9100)),
        ("10.0.0.1:9100", ("10.0.0.1", 9100)),
        ("[::1]:9100", ("::1", 9100)),
    ],
)
def test_metrics_have_an_address(
    monkeypatch: pytest.MonkeyPatch, told: str, address: tuple[str, int] | None
) -> None:
    monkeypatch.setenv(settings.METRICS, told)
    assert settings.metrics_address() == address


@pytest.mark.parametrize(
    ("name", "told"),
    [
        *(
            (settings.METRICS, told)
            for told in ("0", "many", "70000", "-1", "10.0.0.1", "9100:", "٩")
        ),
        (settings.HOSTS, "*"),
        (settings.PROXIES, "proxy"),
        *(("DIABLERIE_LOG", told) for told in ("loud", "INFO", "info ")),
        *(("DIABLERIE_OPEN", told) for told in ("maybe", "2")),
        *(("DIABLERIE_PORT", told) for told in ("http", "70000")),
        *(("DIABLERIE_TEMPO", told) for told in ("fast", "-1", "nan")),
        *(("DIABLERIE_WORKERS", told) for told in ("0", "two", "2")),
        *(("DIABLERIE_BOTS", told) for told in ("-1", "1")),
        ("DIABLERIE_HOST", "no such host"),
        ("DIABLERIE_PUSH_KEY", "/"),
        ("DIABLERIE_PUSH_KEY", __file__),
    ],
)
def test_a_setting_that_says_nothing_ends_the_start_before_there_is_a_database(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, name: str, told: str
) -> None:
    file = tmp_path / "tables.db"
    monkeypatch.setenv("DIABLERIE_PORT", "0")
    monkeypatch.setenv("DIABLERIE_OPEN", "0")
    monkeypatch.setenv("DIABLERIE_DB", str(file))
    monkeypatch.setenv(name, told)
    ended = run("serve")
    assert (ended.exit_code, ended.output.count("\n")) == (2, 1), ended.output
    assert ended.output.startswith("diablerie: ")
    assert not file.exists()


@pytest.mark.parametrize("told", ["mysql://me@here/tables", "sqlit://x", "/dev/null/x/t.db", "/"])
def test_a_database_that_is_none_ends_the_start(monkeypatch: pytest.MonkeyPatch, told: str) -> None:
    monkeypatch.setenv("DIABLERIE_PORT", "0")
    monkeypatch.setenv("DIABLERIE_DB", told)
    ended = run("serve", "--no-open")
    *_, last = ended.output.splitlines()
    assert (ended.exit_code, last[:11]) == (2, "diablerie: "), ended.output
    assert "Traceback" not in ended.output


def test_what_a_start_that_fails_has_opened_is_closed(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    closed = list[Store]()
    close = Store.close

    def noted(store: Store) -> None:
        closed.append(store)
        close(store)

    def broken(*_: object, **__: object) -> NoReturn:
        raise ValueError("no pages")

    monkeypatch.setattr(Store, "close", noted)
    monkeypatch.setattr(server_process, "create_app", broken)
    file = tmp_path / "tables.db"
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        with pytest.raises(ValueError, match="no pages"):
            server_process.ServerProcess(listening, "127.0.0.1", str(file))
    assert len(closed) == 1
    Lock(file).release()


def test_a_doctor_closes_what_it_cannot_judge(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    file, closed = tmp_path / "tables.db", list[Store]()
    new_store(file).close()

    def broken(_: object) -> NoReturn:
        raise RuntimeError("no version")

    monkeypatch.setattr(Store, "close", lambda store: closed.append(store))
    monkeypatch.setattr(migrations, "require_head", broken)
    with pytest.raises(RuntimeError):
        doctor.opened(str(file))
    assert len(closed) == 1
    monkeypatch.undo()
    closed[0].close()


# -- what others read ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("coding", "wanted"),
    [("", False), ("gzip", True), ("gzip;q=0", False), ("br, gzip;q=0.0", False),
     ("br;q=0, gzip; q=0.5", True), ("identity", False), ("gzip;Q = 0.000", False)],
)  # fmt: skip
def test_gzip_is_for_who_wants_it_and_vary_names_each_header_once(
    ann: Client, coding: str, wanted: bool
) -> None:
    table = ann.open(bots="1")
    for path in ("/", table, "/nothing", "/manifest.webmanifest", f"{table}.json"):
        answer = ann.request("GET", path, headers=PAGE | {"accept-encoding": coding})
        assert ("content-encoding" in answer.headers) == (
            wanted and len(answer.content) >= COMPRESSED_FROM_BYTES
        )
        named = [one.strip() for one in answer.headers.get("vary", "").lower().split(",")]
        assert len(named) == len(set(named))


def test_no_search_engine_keeps_a_table_or_a_link(ann: Client) -> None:
    table = ann.open(open="1")
    link = ann.call(f"{table}/link", seat=0).json()["link"]
    for path in (
        table,
        f"{table}.json",
        f"{table}/log",
        link,
        "/t/nothing",
        "/g/nothing",
        "/device/x",
    ):
        assert ann.request("GET", path, headers=PAGE).headers["x-robots-tag"] == "noindex"
    for path in ("/", "/rules/coals", "/daily"):
        assert "x-robots-tag" not in ann.page(path).headers


def test_what_browsers_and_robots_ask_for_is_short(ann: Client) -> None:
    robots = ann.page("/robots.txt")
    assert robots.headers["content-type"].startswith("text/plain")
    assert "User-agent: *" in robots.text
    icon = ann.page("/favicon.ico")
    assert icon.headers["content-type"] == "image/png"
    assert len(icon.content) < 10_000
