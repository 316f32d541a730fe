"""The link that people send each other: for whom it works, and as a picture."""

import queue
import webbrowser
import xml.etree.ElementTree as ET
from pathlib import Path
from types import SimpleNamespace
from urllib.parse import unquote, urlsplit

import pytest
import segno

from diablerie.table.authority import Authority
from diablerie.web.app import create_app
from diablerie.web.edges.network_switch import NetworkSwitch
from diablerie.web.html import reach
from diablerie.web.process import serve
from tests.web.client import Client

NEAR = "192.168.1.5"


@pytest.fixture
def network(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reach, "network_address", lambda: NEAR)


@pytest.mark.parametrize(
    ("variables", "command"),
    [
        ({}, "diablerie serve --host 0.0.0.0"),  # from a wheel there is no Makefile
        ({"DIABLERIE_MAKE": "1"}, 'make play ARGS="--host 0.0.0.0"'),
    ],
)
def test_a_start_that_fixes_this_machine_says_how_to_start_for_others(
    variables: dict[str, str], command: str, monkeypatch, capsys
):
    monkeypatch.delenv("DIABLERIE_MAKE", raising=False)
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    serve.greet("http://127.0.0.1:8666/", "hush", False, True, False)
    assert f"for others in your network: {command}\n" in capsys.readouterr().out


def test_the_start_prints_the_owners_link(capsys):
    serve.greet("http://127.0.0.1:8666/", "hush", False, False, False)
    said = capsys.readouterr().out
    assert "diablerie is at http://127.0.0.1:8666/owner/hush " in said
    assert "press “Let phones in” on that page" in said


@pytest.mark.parametrize("own", ["http://localhost:8666/", "http://127.0.0.1:8666/"])
def test_the_start_names_the_address_in_the_network(own: str, network: None, capsys):
    serve.greet(own, "hush", True, True, False)
    said = capsys.readouterr().out
    assert f"others in your network: http://{NEAR}:8666/\n" in said
    assert said.count("network") == 1


def test_where_there_is_no_network_the_start_names_no_address_in_it(monkeypatch, capsys):
    monkeypatch.setattr(reach, "network_address", lambda: "")
    serve.greet("http://localhost:8666/", "hush", True, True, False)
    assert "network" not in capsys.readouterr().out


def test_a_browser_is_opened_only_if_asked_and_no_process_is_told_the_owners_link(
    monkeypatch, capsys, tmp_path
):
    opened: queue.Queue[str] = queue.Queue()
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setattr(webbrowser, "get", lambda: SimpleNamespace(open=opened.put))
    serve.greet("http://127.0.0.1:8666/", "hush", False, False, False)
    serve.greet("http://127.0.0.1:8667/", "hush", False, False, True)
    address = opened.get(timeout=60)
    assert "hush" not in address
    assert opened.empty()
    page = Path(unquote(urlsplit(address).path))
    assert 'url=http://127.0.0.1:8667/owner/hush"' in page.read_text("utf-8")
    assert [at.stat().st_mode & 0o777 for at in (page, page.parent)] == [0o600, 0o700]
    assert page.parent.parent == tmp_path


def test_the_page_that_leads_to_the_owners_link_does_not_stay(monkeypatch, tmp_path):
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setattr(serve, "READ_WITHIN", 0)
    monkeypatch.setattr(webbrowser, "get", lambda: SimpleNamespace(open=lambda _: None))
    serve._open("http://127.0.0.1:8667/owner/hush")
    assert list(tmp_path.iterdir()) == []


def test_who_listens_in_the_network_invites_by_its_address(authority: Authority, network: None):
    ann = Client(create_app(authority, network=NetworkSwitch(everywhere=True)))
    table = ann.open(open="1")
    page = ann.page(table).text
    assert f'value="http://{NEAR}:8666{table}"' in page
    assert "here-only" not in page
    assert reach.qr_svg(f"http://{NEAR}:8666{table}") in page
    joined = ann.request("GET", f"http://{NEAR}:8666{table}")
    assert joined.status_code == 200


def test_a_groups_page_has_a_qr_code_for_the_fridge(authority: Authority, network: None):
    ann = Client(create_app(authority, network=NetworkSwitch(everywhere=True)))
    link = ann.send("/groups", name="The Hoofs", person="Oma").headers["location"]
    page = ann.page(link).text
    assert f'value="http://{NEAR}:8666{link}"' in page
    assert reach.qr_svg(f"http://{NEAR}:8666{link}") in page
    assert "Only this computer" not in page


def test_a_name_of_ones_own_is_kept(authority: Authority, network: None):
    app = create_app(authority, hosts={"games.example"}, network=NetworkSwitch(everywhere=True))
    table = Client(app).open(open="2")
    bo, there = Client(app, "10.0.0.2"), f"https://games.example{table}"
    assert bo.send(f"{there}/sit", name="Bo").status_code == 303
    assert f'value="{there}"' in bo.page(there).text


@pytest.mark.parametrize(
    ("address", "only"),
    [
        ("http://localhost:8666/t/x", True),
        ("http://127.0.0.1:8666", True),
        ("http://[::1]:8666", True),
        (f"http://{NEAR}:8666", False),
        ("https://games.example", False),
    ],
)
def test_what_leads_to_this_machine_only(address, only):
    assert reach.here_only(address) == only


def test_without_a_network_the_address_stays(monkeypatch):
    monkeypatch.setattr(reach, "network_address", lambda: "")
    assert reach.public_address("http://localhost:8666/", True) == "http://localhost:8666"


def test_the_picture_is_the_code_of_the_address():
    address = f"http://{NEAR}:8666/t/abc"
    root = ET.fromstring(reach.qr_svg(address))
    code = segno.make(address, error="m", micro=False)
    assert (
        root.get("viewBox")
        == f"0 0 {code.symbol_size(border=3)[0]} {code.symbol_size(border=3)[1]}"
    )
    assert reach.qr_svg(address) != reach.qr_svg(address + "d")
