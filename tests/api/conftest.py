"""The API without a network, and a program with a token for it."""

import asyncio
from collections.abc import Callable, Collection, Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from starlette.applications import Starlette

from diablerie import api
from diablerie.table.authority import Authority
from diablerie.table.commands import tokens
from diablerie.table.commands.tokens import SCOPES
from diablerie.table.presence.rate_limits import RATES, Limits, Rate
from diablerie.table.state.visitors import Visitor, program_of, visitor_of
from diablerie.web.app import create_app
from tests.stores import new_store
from tests.table.conftest import Clock

HOME = "http://localhost:8666"
MAKER = visitor_of("maker")


def generous(clock: Callable[[], float]) -> Limits:
    """Bounds that no test meets by the way."""
    return Limits(clock, dict.fromkeys(RATES, Rate(10**6, 1e-6)))


class Program:
    """A program with a token (or none), at an address."""

    def __init__(self, app: Starlette, token: str = "", address: str = "10.1.0.1") -> None:
        self.app, self.token, self.address = app, token, address

    @property
    def visitor(self) -> Visitor:
        return program_of(self.token)

    def ask(self, method: str, path: str, **more: Any) -> httpx.Response:
        return asyncio.run(self._ask(method, path, **more))

    async def _ask(self, method: str, path: str, **more: Any) -> httpx.Response:
        headers = {"authorization": f"Bearer {self.token}"} if self.token else {}
        inside = httpx.ASGITransport(self.app, client=(self.address, 1))
        async with httpx.AsyncClient(transport=inside, base_url=HOME) as client:
            headers |= more.pop("headers", {})
            return await client.request(method, api.PREFIX + path, headers=headers, **more)

    def get(self, path: str, **query: Any) -> Any:
        answer = self.ask("GET", path, params=query)
        assert answer.status_code == 200, answer.text
        return answer.json()

    def post(self, path: str, **body: Any) -> Any:
        answer = self.ask("POST", path, json=body)
        assert answer.status_code < 300, answer.text
        return answer.json() if answer.content else None

    def refused(self, path: str, **body: Any) -> tuple[int, str]:
        """Status and code of a refusal, which is a problem document."""
        answer = self.ask("POST", path, json=body)
        assert answer.headers["content-type"] == "application/problem+json"
        problem = answer.json()
        assert problem["status"] == answer.status_code >= 400
        assert problem["title"]
        return answer.status_code, problem["code"]


@pytest.fixture
def authority(tmp_path: Path) -> Iterator[Authority]:
    store = new_store(tmp_path / "tables.db")
    yield Authority(store, clock=Clock())
    store.close()


@pytest.fixture
def app(authority: Authority) -> Starlette:
    return create_app(authority)


@pytest.fixture
def program(app: Starlette, authority: Authority) -> Callable[..., Program]:
    """A program with a fresh token: its scopes, and the address the token was made from."""

    def made(scopes: Collection[str] = tuple(SCOPES), client: str = "10.1.0.1") -> Program:
        return Program(
            app, tokens.issue.do(authority, MAKER, tokens.NewToken("Robo", scopes), client)
        )

    return made


@pytest.fixture
def robo(program: Callable[..., Program]) -> Program:
    return program()
