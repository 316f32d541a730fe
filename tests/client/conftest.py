"""A real server in a thread, and a token for it."""

import threading
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
import uvicorn

from diablerie.table.authority import Authority
from diablerie.table.bots.driver import Driver
from diablerie.table.commands import tokens
from diablerie.table.commands.tokens import SCOPES
from diablerie.table.storage.store import Store
from diablerie.web.app import create_app
from diablerie.web.process.serve import bind
from tests.api.conftest import MAKER, generous


@dataclass
class House:
    """A server: its address, its authority, and a token for programs."""

    home: str
    authority: Authority
    token: str


class Quiet(uvicorn.Server):
    """uvicorn, which says when it answers."""

    def __init__(self, config: uvicorn.Config) -> None:
        super().__init__(config)
        self.answers = threading.Event()

    async def startup(self, sockets=None) -> None:  # type: ignore[no-untyped-def]
        await super().startup(sockets)
        self.answers.set()


@pytest.fixture(scope="session")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    listening = bind("127.0.0.1", 0)
    store = Store(Path(tmp_path_factory.mktemp("house")) / "tables.db", durable=False)
    authority = Authority(store)
    authority.limits = generous(authority.clock)
    driver = Driver(authority, tempo=0.0, seed=1)
    driver.start()
    config = uvicorn.Config(create_app(authority), log_config=None, lifespan="off")
    server = Quiet(config)
    thread = threading.Thread(target=server.run, args=([listening],))
    thread.start()
    assert server.answers.wait(60)
    token = tokens.issue.do(authority, MAKER, tokens.NewToken("Robo", SCOPES), "10.1.0.1")
    yield House(f"http://127.0.0.1:{listening.getsockname()[1]}", authority, token)
    server.should_exit = True
    authority.hub.close()
    thread.join(60)
    driver.stop()
    store.close()
