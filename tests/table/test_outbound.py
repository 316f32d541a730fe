"""Addresses that people give are never fetched inside, whatever they are dressed as."""

import datetime
import ipaddress
import re
import socket
import ssl
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from diablerie.table import outbound
from diablerie.table.errors import BadInput
from diablerie.table.outbound import (
    Address,
    Courier,
    Undelivered,
    Unsafe,
    parse_address,
    resolved,
)

HOST, OUTSIDE, OTHER = "hooks.example", "93.184.216.34", "2606:2800:220:1::1"
INSIDE = [
    "127.0.0.1", "127.8.9.10", "0.0.0.0", "10.1.2.3", "172.16.0.1", "192.168.1.1",
    "169.254.169.254", "100.64.0.1", "192.0.0.8", "192.0.2.1", "198.18.0.1", "224.0.0.1",
    "239.255.255.250", "240.0.0.1", "255.255.255.255", "::", "::1", "::127.0.0.1",
    "::ffff:127.0.0.1", "::ffff:10.0.0.1", "::ffff:169.254.169.254", "fe80::1", "fe80::1%eth0",
    "fc00::1", "fd12:3456::1", "fec0::1", "ff02::1", "ff0e::1", "2001:db8::1", "64:ff9b::7f00:1",
    "64:ff9b::a9fe:a9fe", "64:ff9b:1::1", "2002:7f00:1::", "2002:c0a8:101::1",
    "2001:0:4136:e378:8000:63bf:3fff:fdd2", "100::1", "3fff::1", "3fff:fff::1", "5f00::1",
]  # fmt: skip


def names(*numbers: str) -> Any:
    """A resolver that knows these addresses of every name."""
    return lambda _, port, **__: [(0, 0, 0, "", (number, port)) for number in numbers]


@pytest.mark.parametrize("number", INSIDE)
def test_what_leads_inside_is_refused_after_resolution(number: str):
    with pytest.raises(Unsafe):
        resolved(Address(HOST, 443, "/"), names(number))


@pytest.mark.parametrize("number", INSIDE)
def test_one_address_inside_is_enough(number: str):
    with pytest.raises(Unsafe):
        resolved(Address(HOST, 443, "/"), names(OUTSIDE, number))


@pytest.mark.parametrize("number", [OUTSIDE, OTHER, "8.8.8.8", "64:ff9b::808:808"])
def test_what_leads_outside_is_not(number: str):
    assert resolved(Address(HOST, 443, "/"), names(number)) == [number]


@pytest.mark.parametrize(
    "host",
    [*(n if ":" not in n else f"[{n}]" for n in INSIDE if "%" not in n), "localhost",
     "LOCALHOST.", "table.localhost", "2130706433", "0x7f000001", "127.1", "017700000001"],
)  # fmt: skip
def test_what_is_inside_by_its_text_is_refused_when_it_is_given(host: str):
    with pytest.raises(BadInput, match="inside"):
        parse_address(f"https://{host}/hook")


@pytest.mark.parametrize(
    ("url", "why"),
    [
        ("http://hooks.example/", "https"),
        ("file:///etc/passwd", "https"),
        ("gopher://hooks.example/", "https"),
        ("//hooks.example/", "https"),
        ("hooks.example", "https"),
        ("https://", "https"),
        ("https://me:secret@hooks.example/", "password"),
        ("https://hooks.example:22/", "ports"),
        ("https://hooks.example:80/", "ports"),
        ("https://hooks.example:0/", "address|ports"),
        ("https://hooks.example:99999/", "address"),
        ("https://hooks.example/a b", "address"),
        ("https://hooks.example/\r\nX: y", "address"),
        ("https://ḧooks.example/", "address"),
        ("https://[::1/", "address"),
        ("https://hooks.example/" + "x" * 1000, "address"),
        ("https://%31%32%37.0.0.1/", "address"),
        ("https://hooks%2eexample/", "address"),
        ("", "https"),
    ],
)
def test_what_is_no_such_address_is_refused_in_a_sentence(url: str, why: str):
    with pytest.raises(BadInput, match=why):
        parse_address(url)


def test_an_address_is_taken_apart():
    assert parse_address("https://Hooks.Example:8443/a?b=c#d") == Address(HOST, 8443, "/a?b=c")
    assert parse_address("https://hooks.example").path == "/"
    assert parse_address("https://hooks.example/").origin == "https://hooks.example"
    assert parse_address(f"https://[{OTHER}]:8443/").origin == f"https://[{OTHER}]:8443"


def test_a_name_that_nobody_knows_is_undelivered():
    def unknown(*_: object, **__: object) -> Any:
        raise socket.gaierror("no such name")

    with pytest.raises(Undelivered, match="not known"):
        Courier(unknown).post(Address(HOST, 443, "/"), b"{}", {})
    with pytest.raises(Undelivered, match="nowhere"):
        Courier(names()).post(Address(HOST, 443, "/"), b"{}", {})


# -- over a real connection --------------------------------------------------------------------


class Machine:
    """A machine that speaks TLS as hooks.example, answers as it is told and keeps what it hears."""

    def __init__(self, folder: Path) -> None:
        key = ec.generate_private_key(ec.SECP256R1())
        name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, HOST)])
        now = datetime.datetime.now(datetime.UTC)
        made = (
            x509.CertificateBuilder()
            .subject_name(name)
            .issuer_name(name)
            .public_key(key.public_key())
            .serial_number(1)
            .not_valid_before(now - datetime.timedelta(days=1))
            .not_valid_after(now + datetime.timedelta(days=1))
            .add_extension(x509.SubjectAlternativeName([x509.DNSName(HOST)]), critical=False)
            .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
            .sign(key, hashes.SHA256())
        )
        pem = folder / "machine.pem"
        pem.write_bytes(
            key.private_bytes(
                serialization.Encoding.PEM,
                serialization.PrivateFormat.PKCS8,
                serialization.NoEncryption(),
            )
            + made.public_bytes(serialization.Encoding.PEM)
        )
        self.context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        self.context.load_cert_chain(pem)
        self.pem = pem
        self.asked: list[bytes] = []
        self.answer = b"HTTP/1.1 204 No Content\r\n\r\n"
        self.holds = False
        self.silent = threading.Event()

    def trusted(self) -> ssl.SSLContext:
        return ssl.create_default_context(cafile=str(self.pem))

    @contextmanager
    def listening(self) -> Iterator[int]:
        with socket.create_server(("127.0.0.1", 0)) as server:
            thread = threading.Thread(target=self._serve, args=(server,), daemon=True)
            thread.start()
            yield server.getsockname()[1]
            self.silent.set()
            thread.join(60)

    def _serve(self, server: socket.socket) -> None:
        server.settimeout(60)
        raw, _ = server.accept()
        raw.settimeout(60)
        try:
            with self.context.wrap_socket(raw, server_side=True) as line:
                self.asked.append(_whole(line))
                if self.answer:
                    line.sendall(self.answer)
                if self.holds:
                    self.silent.wait(60)
        except OSError:
            pass


def _whole(line: socket.socket) -> bytes:
    """A request with its body, which comes in a piece of its own."""
    heard = line.recv(65536)
    while not (length := re.search(rb"(?i)content-length: (\d+)\r\n.*?\r\n\r\n", heard, re.S)):
        heard += line.recv(65536)
    while len(heard) < length.end() + int(length[1]):
        heard += line.recv(65536)
    return heard


@pytest.fixture(scope="module")
def pem(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("machine")


class Dialled:
    """Connects to a machine of ours instead, and notes what it was asked for."""

    def __init__(self, port: int) -> None:
        self.port = port
        self.asked: list[tuple[str, int]] = []

    def __call__(self, where: tuple[str, int], timeout: float) -> socket.socket:
        self.asked.append(where)
        return socket.create_connection(("127.0.0.1", self.port), timeout)


def test_the_connection_goes_to_the_address_that_was_checked(pem: Path):
    """A name that leads elsewhere when it is asked again is not asked again."""
    machine, answers = Machine(pem), [names(OUTSIDE), names("127.0.0.1")]
    with machine.listening() as port:
        dial = Dialled(port)
        courier = Courier(lambda *a, **k: answers.pop(0)(*a, **k), dial, machine.trusted)
        status = courier.post(Address(HOST, 443, "/a?b"), b'{"x":1}', {"Content-Type": "a/b"})
    assert status == 204
    assert dial.asked == [(OUTSIDE, 443)]
    assert len(answers) == 1
    (request,) = machine.asked
    assert request.startswith(b"POST /a?b HTTP/1.1\r\n")
    assert b"Host: hooks.example\r\n" in request
    assert request.count(b"Host:") == 1


def test_redirects_are_not_followed(pem: Path):
    machine = Machine(pem)
    machine.answer = (
        b"HTTP/1.1 307 Temporary Redirect\r\nLocation: https://127.0.0.1/\r\n"
        b"Content-Length: 0\r\n\r\n"
    )
    with machine.listening() as port:
        dial = Dialled(port)
        courier = Courier(names(OUTSIDE), dial, machine.trusted)
        assert courier.post(Address(HOST, 443, "/"), b"{}", {}) == 307
    assert len(dial.asked) == 1


def test_a_machine_that_cannot_show_who_it_is_is_told_nothing(pem: Path):
    machine = Machine(pem)
    with machine.listening() as port:
        courier = Courier(names(OUTSIDE), Dialled(port), machine.trusted)
        with pytest.raises(Undelivered, match="SSL"):
            courier.post(Address("other.example", 443, "/"), b"secret", {})
    assert machine.asked == []


@pytest.mark.parametrize("answer", [b"", b"HTTP/1.1 200 OK\r\nX: " + b"x" * 100])
def test_all_of_it_ends_in_time(pem: Path, answer: bytes):
    machine = Machine(pem)
    machine.answer, machine.holds = answer, True
    with machine.listening() as port:
        courier = Courier(names(OUTSIDE), Dialled(port), machine.trusted, patience=0.5)
        with pytest.raises(Undelivered):
            courier.post(Address(HOST, 443, "/"), b"{}", {})


def test_a_flood_is_not_read(pem: Path):
    machine = Machine(pem)
    machine.answer = b"HTTP/1.1 200 OK\r\nContent-Length: 9000000\r\n\r\n" + b"x" * 50_000
    with machine.listening() as port:
        courier = Courier(names(OUTSIDE), Dialled(port), machine.trusted)
        assert courier.post(Address(HOST, 443, "/"), b"{}", {}) == 200


def test_too_much_is_not_sent():
    def never(*_: object, **__: object) -> Any:
        raise AssertionError("it was looked up")

    with pytest.raises(Undelivered, match="large"):
        Courier(never).post(Address(HOST, 443, "/"), b"x" * 10_000, {})


def test_every_range_that_is_not_global_is_inside():
    assert not outbound.public(ipaddress.ip_address("198.51.100.7"))
    assert outbound.public(ipaddress.ip_address("1.1.1.1"))
