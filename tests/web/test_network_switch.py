"""The switch that opens a server to the local network: for its owner, at once, and closed again.

127.0.0.2 plays the machine's address in the network: it is an address of its own, so that a server
on 127.0.0.1 does not listen there.
"""

import re
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest
from starlette.applications import Starlette

from diablerie.table.authority import Authority
from diablerie.web.app import create_app
from diablerie.web.edges.network_switch import NetworkSwitch
from diablerie.web.html import reach
from diablerie.web.html.reach import BY_PROCESSES
from diablerie.web.people.identity import OWNER_COOKIE
from diablerie.web.process import serve
from diablerie.web.process.server_process import Server, ServerProcess
from tests.web.client import PAGE, Client

NEAR, SECRET = "127.0.0.2", "the owner's secret"
OWNER = {"cookie": f"{OWNER_COOKIE}={SECRET}"}
FLAG = re.compile("<code class=.whole.>--host</code>")


@pytest.fixture(autouse=True)
def network(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reach, "network_address", lambda: NEAR)


class Listener:
    """What listens in the network, without a network."""

    def __init__(self) -> None:
        self.address, self.error = "", OSError(0, "")

    def listen(self, address: str) -> None:
        if self.error.errno:
            raise self.error
        self.address = address

    def hang_up(self) -> None:
        self.address = ""


@pytest.fixture
def listener() -> Listener:
    return Listener()


@pytest.fixture
def app(authority: Authority, listener: Listener) -> Starlette:
    switch = NetworkSwitch(fixed="", secret=SECRET)
    switch.attach(listener)
    return create_app(authority, network=switch)


@pytest.fixture
def owner(app: Starlette) -> Client:
    client = Client(app, "10.0.0.1")
    assert client.request("GET", f"/owner/{SECRET}", headers=PAGE).headers["location"] == "/"
    return client


# -- in the network ------------------------------------------------------------------------------


@contextmanager
def serving(folder: Path) -> Iterator[int]:
    """A server in a thread, whose owner may open it; its port."""
    listening = serve.bind("127.0.0.1", 0)
    switch = NetworkSwitch(fixed="", secret=SECRET)
    house = ServerProcess(listening, "127.0.0.1", str(folder / "tables.db"), network=switch)
    ready = threading.Event()
    server = Server(house, ready.set)
    thread = threading.Thread(target=server.run, args=([listening],))
    thread.start()
    assert ready.wait(60)
    try:
        yield int(listening.getsockname()[1])
    finally:
        server.should_exit = True
        thread.join(30)
    assert not thread.is_alive()


@pytest.fixture
def port(tmp_path: Path) -> Iterator[int]:
    with serving(tmp_path) as port:
        yield port


def test_one_click_opens_the_running_server_and_another_closes_it(port: int):
    here, near = f"http://127.0.0.1:{port}", f"http://{NEAR}:{port}"
    with pytest.raises(httpx.ConnectError):
        httpx.get(near)
    assert httpx.post(f"{here}/network", data={"open": "1"}, headers=OWNER).status_code == 200
    headers = {"origin": near, "accept": "application/json"}
    table = httpx.post(f"{near}/tables", data={"game": "coals", "way": "friends"}, headers=headers)
    assert table.status_code == 200
    address = f"{near}{table.json()['url']}"
    assert f'value="{near}/"' in httpx.get(here).text
    with httpx.stream("GET", f"{address}/stream") as phone:
        events = phone.iter_lines()
        assert next(events)
        assert httpx.post(f"{here}/network", headers=OWNER).status_code == 200
        # What is open already is cut off, too. (To hear nothing for long would be a ReadTimeout.)
        with pytest.raises((httpx.ReadError, httpx.RemoteProtocolError)):
            list(events)
    with pytest.raises(httpx.ConnectError):
        httpx.get(near)
    assert httpx.get(here).status_code == 200


def test_it_can_be_opened_again_and_stops_while_it_is_open(port: int):
    home = f"http://127.0.0.1:{port}/network"
    for opened in ("1", "1", "", "1"):
        assert httpx.post(home, data={"open": opened}, headers=OWNER).status_code == 200
    assert httpx.get(f"http://{NEAR}:{port}/healthz").status_code == 200


# -- who may -------------------------------------------------------------------------------------


@pytest.mark.parametrize("address", ["127.0.0.1", "10.0.0.1"])
def test_nobody_is_the_owner_by_an_address(app: Starlette, listener: Listener, address: str):
    for cookie in ({}, {"cookie": f"{OWNER_COOKIE}="}, {"cookie": f"{OWNER_COOKIE}=guessed"}):
        answer = Client(app, address).request(
            "POST", "/network", data={"open": "1"}, headers=cookie
        )
        assert answer.status_code == 403
    assert listener.address == ""


def test_a_server_without_an_owner_has_none(authority: Authority):
    bo = Client(create_app(authority))
    assert bo.request("GET", "/owner/x").status_code == 403
    for cookie in ({}, {"cookie": f"{OWNER_COOKIE}="}):
        assert bo.request("POST", "/network", headers=cookie).status_code == 403


def test_the_owners_link_makes_the_owner_and_an_old_one_does_not(
    app: Starlette, owner: Client, bo: Client, listener: Listener
):
    assert bo.request("GET", "/owner/another", headers=PAGE).status_code == 403
    assert bo.call("/network", open="1").status_code == 403
    assert owner.call("/network", open="1").status_code == 200
    assert listener.address == NEAR
    answer = Client(app).request("GET", f"/owner/{SECRET}", headers=PAGE)
    assert (answer.status_code, answer.headers["location"]) == (303, "/")
    assert {"HttpOnly", "SameSite=lax"} <= set(answer.headers["set-cookie"].split("; "))


def test_another_site_cannot_open_it(owner: Client, listener: Listener):
    sent = {"origin": "https://evil.example"}
    answer = owner.request("POST", "/network", data={"open": "1"}, headers=sent)
    assert answer.status_code == 403
    assert listener.address == ""


# -- what pages say ------------------------------------------------------------------------------


def test_the_owner_is_asked_on_the_landing_page_and_at_the_table(owner: Client, bo: Client):
    table = owner.open(open="1")
    for page in ("/", table):
        assert "Let phones in" in owner.page(page).text
        assert "Let phones in" not in bo.page(page).text
    assert "Whoever started the server can let phones in" in bo.page("/").text


def test_an_open_server_shows_link_and_code_to_all_and_the_owner_closes_it(
    owner: Client, bo: Client, listener: Listener
):
    table = owner.open(open="1")
    back = owner.send("/network", open="1", back=table)
    assert (back.status_code, back.headers["location"]) == (303, table)
    for client in (owner, bo):
        assert f'value="http://{NEAR}:8666/"' in client.page("/").text
        assert reach.qr_svg(f"http://{NEAR}:8666/") in client.page("/").text
        assert f'value="http://{NEAR}:8666{table}"' in client.page(table).text or client is bo
    assert reach.qr_svg(f"http://{NEAR}:8666{table}") in owner.page(table).text
    assert bo.request("GET", f"http://{NEAR}:8666/").status_code == 200
    assert "Close it again" not in bo.page("/").text
    assert "Close it again" in owner.page("/").text
    owner.send("/network")
    assert listener.address == ""
    assert bo.request("GET", f"http://{NEAR}:8666/").status_code == 421
    assert NEAR not in bo.page("/").text


def test_a_running_table_has_its_code_too(owner: Client):
    table = owner.open(bots="1")
    assert 'id="watch-qr"' not in owner.page(table).text
    owner.send("/network", open="1")
    assert reach.qr_svg(f"http://{NEAR}:8666{table}") in owner.page(table).text


def test_without_a_network_it_says_so(owner: Client, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(reach, "network_address", lambda: "")
    assert "this computer is not in a network" in owner.page("/").text
    refused = owner.send("/network", open="1")
    assert refused.status_code == 409
    assert "connect it to your Wi-Fi" in refused.text


def test_an_address_that_cannot_be_listened_at_is_a_sentence(owner: Client, listener: Listener):
    listener.error = OSError(98, "Address already in use")
    refused = owner.send("/network", open="1")
    assert refused.status_code == 409
    assert f"could not be opened at {NEAR}: Address already in use" in refused.text


def test_in_another_network_it_is_to_be_opened_anew(
    owner: Client, listener: Listener, monkeypatch: pytest.MonkeyPatch
):
    owner.send("/network", open="1")
    monkeypatch.setattr(reach, "network_address", lambda: "127.0.0.3")
    assert "Let phones in" in owner.page("/").text
    owner.send("/network", open="1")
    assert listener.address == "127.0.0.3"


@pytest.mark.parametrize(
    ("everywhere", "fixed", "why"),
    [
        (False, "host", "because the server was started with --host"),
        (True, "host", "The server was started with --host, so the network cannot be closed here"),
        (False, BY_PROCESSES, "Several processes run the server, so that cannot be changed"),
    ],
)
def test_where_the_start_decides_the_page_says_why(
    authority: Authority, everywhere: bool, fixed: str, why: str
):
    switch = NetworkSwitch(everywhere=everywhere, fixed=fixed, secret=SECRET)
    switch.attach(Listener())
    owner, bo = Client(create_app(authority, network=switch)), Client(create_app(authority))
    owner.page(f"/owner/{SECRET}")
    assert why in FLAG.sub("--host", owner.page("/").text)
    assert why not in FLAG.sub("--host", bo.page("/").text)
    assert owner.send("/network", open="1").status_code == 409


def test_a_public_name_shows_nobody_a_panel(authority: Authority):
    app = create_app(authority, hosts={"d.example"}, network=NetworkSwitch(everywhere=True))
    assert 'id="network"' not in Client(app).page("https://d.example/").text
    assert 'id="network"' in Client(app).page(f"http://{NEAR}:8666/").text


def test_a_firewall_that_is_noticed_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(reach, "UFW", tmp_path / "ufw.conf")
    monkeypatch.setattr(reach, "FIREWALLD", tmp_path / "firewalld")
    monkeypatch.setattr(reach.sys, "platform", "linux")
    monkeypatch.setattr(reach.platform, "release", lambda: "6.1")
    assert "or a firewall blocks port 8666" in str(reach.network_hint(8666))
    (tmp_path / "ufw.conf").write_text("ENABLED=no\n")
    assert reach.firewall_command(8666) == ""
    (tmp_path / "firewalld").mkdir()
    assert "sudo firewall-cmd --add-port=8666/tcp" in str(reach.network_hint(8666))
    (tmp_path / "ufw.conf").write_text("ENABLED=yes\n")
    assert "sudo ufw allow 8666/tcp" in str(reach.network_hint(8666))
    (tmp_path / "ufw.conf").unlink()
    (tmp_path / "firewalld").rmdir()
    monkeypatch.setattr(reach.platform, "release", lambda: "5.15-microsoft-standard-WSL2")
    assert "Windows firewall" in str(reach.network_hint(8666))
    monkeypatch.setattr(reach.sys, "platform", "darwin")
    assert "macOS" in str(reach.network_hint(8666))
