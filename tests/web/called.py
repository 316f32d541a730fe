"""A house that calls, a telephone to be called, and two people at a table."""

import base64
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import http_ece
import pytest
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec

from diablerie.table.authority import Authority
from diablerie.table.outbound import Address, Courier, Undelivered
from diablerie.web.app import Services, create_app
from diablerie.web.notifications.messages import Keys
from diablerie.web.notifications.scheduler import WEBHOOK_DELAY_SECONDS, NotificationScheduler
from tests.stores import new_store
from tests.table.conftest import Clock
from tests.web.client import Client

HOOK = "https://hooks.example/T0/hush-hush"


class Phone:
    """A browser's side of web push: its keys, and what it can read."""

    def __init__(self, name: str = "phone") -> None:
        self.key = ec.generate_private_key(ec.SECP256R1())
        self.auth = b"sixteen bytes 16"
        self.endpoint = f"https://push.example/send/{name}"

    @property
    def fields(self) -> dict[str, str]:
        point = self.key.public_key().public_bytes(
            serialization.Encoding.X962, serialization.PublicFormat.UncompressedPoint
        )
        return {"endpoint": self.endpoint, "p256dh": coded(point), "auth": coded(self.auth)}

    def read(self, body: bytes) -> Any:
        plain = http_ece.decrypt(body, private_key=self.key, auth_secret=self.auth)
        return json.loads(plain)


def coded(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


class Wire(Courier):
    """What the server sends out."""

    def __init__(self) -> None:
        super().__init__()
        self.sent: list[tuple[Address, bytes, dict[str, str]]] = []
        self.status: int = 201

    def post(self, address: Address, body: bytes, headers: Any) -> int:
        if not self.status:
            raise Undelivered("nobody there")
        self.sent.append((address, body, dict(headers)))
        return self.status

    def taken(self) -> list[tuple[Address, bytes, dict[str, str]]]:
        sent, self.sent = self.sent, []
        return sent


class House:
    """A server whose time is set by hand and whose post goes at once."""

    def __init__(self, folder: Path) -> None:
        self.clock, self.wire, self.folder = Clock(), Wire(), folder
        self.open()

    def open(self) -> None:
        self.store = new_store(self.folder / "tables.db")
        self.authority = Authority(self.store, clock=self.clock)
        self.scheduler = NotificationScheduler(
            self.authority, Keys(self.folder / "push.pem"), self.wire
        )
        self.scheduler._send = lambda job: job() or True  # type: ignore[func-returns-value]
        self.scheduler.listen()
        self.scheduler._begin()
        self.app = create_app(self.authority, Services(scheduler=self.scheduler))

    def wait(self, seconds: float = WEBHOOK_DELAY_SECONDS) -> None:
        self.clock.now += seconds
        self.scheduler.look()


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    made = House(tmp_path)
    yield made
    made.store.close()


@pytest.fixture
def bo(house: House) -> Client:
    return Client(house.app, "10.0.0.2")


@pytest.fixture
def cy(house: House) -> Client:
    return Client(house.app, "10.0.0.3")


def together(bo: Client, cy: Client) -> str:
    """A game of COALS of Bo and Cy, who are both to stake; its address."""
    table = bo.open(open="1", here="1", names="Bo")
    cy.call(f"{table}/sit", name="Cy")
    return table


def turn(house: House, bo: Client, cy: Client) -> str:
    """A table where Bo has staked and Cy has not, told half an hour ago."""
    table = together(bo, cy)
    house.wait(1800)
    house.wire.taken()
    assert bo.act(table, "bet 10").status_code == 200
    return table


def asks(client: Client, phone: Phone) -> None:
    assert client.call("/push", **phone.fields).status_code == 200
