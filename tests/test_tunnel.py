"""The way for friends far away in docs/hosting.md, whole: OpenSSH's tunnel, and Caddy before it.

The rented machine is this one: sshd and Caddy at ports of their own, certificates of Caddy's own.
Where one of the two is not installed (`apt-get install openssh-server caddy`) it is skipped.
"""

import getpass
import re
import shlex
import shutil
import socket
import ssl
import subprocess
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest

from diablerie.table.presence.rate_limits import Limits
from tests.test_hosting import PAGE
from tests.web.test_network_switch import serving

SSHD = shutil.which("sshd", path="/usr/sbin:/usr/local/sbin:/usr/bin")
CADDY, SSH = shutil.which("caddy"), shutil.which("ssh")
FRIEND = "127.0.0.9"  # the address of a visitor
SERVER_PORT = "8666"  # in the page
PATIENCE = 60.0  # seconds
SSHD_CONFIG = """
ListenAddress 127.0.0.1:{port}
HostKey {folder}/host
AuthorizedKeysFile {folder}/key.pub
PidFile none
StrictModes no
UsePAM no
"""
CADDY_OPTIONS = """
{{
    admin off
    local_certs
    skip_install_trust
    http_port {http}
    https_port {https}
    storage file_system {folder}/caddy
}}
"""

pytestmark = [
    pytest.mark.ci,
    pytest.mark.skipif(not (SSHD and SSH and CADDY), reason="needs OpenSSH's sshd and Caddy"),
]


def free_ports(count: int) -> list[int]:
    """Ports at which nobody listens."""
    with ExitStack() as stack:
        found = [stack.enter_context(socket.socket()) for _ in range(count)]
        for one in found:
            one.bind(("127.0.0.1", 0))
        return [int(one.getsockname()[1]) for one in found]


def wait_for_port(port: int) -> None:
    """Wait until somebody listens at a port."""
    until = time.monotonic() + PATIENCE
    while True:
        try:
            return socket.create_connection(("127.0.0.1", port), 1).close()
        except OSError:
            assert time.monotonic() < until, f"nobody listens at {port}"
            time.sleep(0.05)


@contextmanager
def running(*command: str) -> Iterator[subprocess.Popen[bytes]]:
    """A program that runs until it is ended."""
    with subprocess.Popen(command, stdin=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
        try:
            yield process
        finally:
            process.terminate()


class RentedMachine:
    """sshd and Caddy, with the page's Caddyfile; what the page calls 8666 is a free port there."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.ssh, self.http, self.https, self.tunnel = free_ports(4)
        (block,) = re.findall(r"^ +```caddyfile[^\n]*\n(.*?)^ +```", PAGE, re.M | re.S)
        self.name = block.split()[0]
        options = CADDY_OPTIONS.format(http=self.http, https=self.https, folder=folder)
        (folder / "Caddyfile").write_text(options + block.replace(SERVER_PORT, str(self.tunnel)))
        for key in ("host", "key"):
            command = ["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", str(folder / key)]
            subprocess.run(command, check=True)
        (folder / "sshd").write_text(SSHD_CONFIG.format(port=self.ssh, folder=folder))

    @contextmanager
    def serving(self) -> Iterator[None]:
        """Run both."""
        assert SSHD
        assert CADDY
        Path("/run/sshd").mkdir(exist_ok=True) if getpass.getuser() == "root" else None
        config = str(self.folder / "Caddyfile")
        with (
            running(SSHD, "-D", "-f", str(self.folder / "sshd")),
            running(CADDY, "run", "--config", config, "--adapter", "caddyfile"),
        ):
            wait_for_port(self.ssh)
            wait_for_port(self.https)
            yield

    def tunnel_command(self, port: int) -> list[str]:
        """The page's ssh, from the server at `port` on this machine."""
        (told,) = re.findall(r"^ +(ssh -N.*)$", PAGE, re.MULTILINE)
        *words, where = shlex.split(told)
        ends = f"127.0.0.1:{SERVER_PORT}:127.0.0.1:{SERVER_PORT}"
        assert ends in words
        words[words.index(ends)] = f"127.0.0.1:{self.tunnel}:127.0.0.1:{port}"
        here = ["-p", str(self.ssh), "-i", str(self.folder / "key"), "-F", "none"]
        known = ["-o", "StrictHostKeyChecking=no", "-o", "UserKnownHostsFile=/dev/null"]
        assert where.endswith(f"@{self.name}")
        return [*words, *here, *known, f"{getpass.getuser()}@127.0.0.1"]

    def visitor(self) -> httpx.Client:
        """A browser far away: it knows the name, and trusts the certificate."""
        root = self.folder / "caddy" / "pki" / "authorities" / "local" / "root.crt"
        transport = httpx.HTTPTransport(
            verify=ssl.create_default_context(cafile=str(root)), local_address=FRIEND
        )
        client = httpx.Client(
            base_url=f"https://127.0.0.1:{self.https}",
            headers={"host": self.name, "origin": f"https://{self.name}", "accept": "text/html"},
            transport=transport,
            timeout=PATIENCE,
        )
        client.event_hooks["request"].append(self._name_the_host)
        return client

    def _name_the_host(self, request: httpx.Request) -> None:
        request.extensions["sni_hostname"] = self.name


@pytest.fixture
def rented(tmp_path: Path) -> RentedMachine:
    """The machine of a test."""
    return RentedMachine(tmp_path)


def test_friends_far_away_play_through_the_tunnel(
    rented: RentedMachine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (line,) = re.findall(r"^ +(DIABLERIE_HOSTS=.*) make play$", PAGE, re.MULTILINE)
    for variable in line.split():
        monkeypatch.setenv(*variable.split("=", 1))
    addresses = []
    count = Limits.count
    monkeypatch.setattr(Limits, "count", lambda *a: (addresses.append(a[-1]), count(*a))[1])
    with (
        rented.serving(),
        serving(tmp_path) as port,
        rented.visitor() as ann,
        rented.visitor() as bo,
    ):
        assert ann.get("/").status_code == 502, "no tunnel yet"
        with running(*rented.tunnel_command(port)):
            wait_for_port(rented.tunnel)
            table = play_together(rented, ann, bo, addresses)
        assert ann.get(table).status_code == 502, "the tunnel is closed"
        with running(*rented.tunnel_command(port)):
            wait_for_port(rented.tunnel)
            assert ann.get(f"{table}.json").json()["own"] == [0], "the game goes on"


def play_together(
    rented: RentedMachine, ann: httpx.Client, bo: httpx.Client, addresses: list[Any]
) -> str:
    """Open a table, sit down from elsewhere, and see the other's decision at once; its address."""
    spoofed = {"x-forwarded-for": "203.0.113.7"}
    opened = ann.post("/tables", data={"game": "coals", "way": "friends"}, headers=spoofed)
    table = opened.headers["location"].partition("?")[0]
    assert set(addresses) == {FRIEND}, "nobody chooses an address"
    assert opened.headers["strict-transport-security"]
    cookie = opened.headers["set-cookie"]
    assert cookie.startswith("__Host-")
    assert "Secure" in cookie
    page = ann.get(table).text
    assert f'value="https://{rented.name}{table}"' in page, "the link for friends"
    assert ann.post("/network", data={"open": "1"}).status_code == 403, "nobody here is the owner"
    with ann.stream("GET", f"{table}/stream") as stream:
        assert stream.headers["content-type"].startswith("text/event-stream")
        pieces = stream.iter_text()
        next(pieces)
        assert bo.post(f"{table}/sit", data={"name": "Bo"}).status_code == 303
        heard = ""
        while "Bo" not in heard:
            heard += next(pieces)
    with httpx.Client(headers={"host": rented.name}) as plain:
        redirected = plain.get(f"http://127.0.0.1:{rented.http}{table}")
        assert redirected.headers["location"].startswith(f"https://{rented.name}")
    return str(table)
