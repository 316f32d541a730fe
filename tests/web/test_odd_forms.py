"""Every form, sent with other fields than the page sends: refused or done, never a crash."""

import asyncio
import logging
from collections.abc import Callable

import pytest
from starlette.applications import Starlette
from starlette.routing import Route
from starlette.types import Message, Receive, Scope, Send

from diablerie.api import PREFIX
from diablerie.table.authority import Authority
from diablerie.table.commands import tokens
from diablerie.web.app import routes
from diablerie.web.edges.logs import AccessLog
from tests.api.conftest import generous
from tests.web.client import PAGE, SCRIPT, Client

ODD: list[dict[str, str]] = [
    {},
    {"text": "3", "name": "x", "game": "coals"},
    {"seat": "0"},
    {"as": "0", "ply": "1"},
    {"scope-": "", "-": "3", "option-": "x"},
    {"get": "1", "items": "2", "keys": "3"},
]
FORMS = sorted(
    route.path
    for route in routes()
    if isinstance(route, Route) and "POST" in (route.methods or ()) and PREFIX not in route.path
)


def test_the_forms_are_found():
    assert {"/tables", "/programs", "/t/{id}/decide", "/learn/{game}"} <= set(FORMS)


@pytest.mark.parametrize("path", FORMS)
def test_fields_that_nobody_expects_crash_nothing(
    path: str, browser: Callable[[], Client], authority: Authority
):
    authority.limits = generous(authority.clock)
    ann = browser()
    table = link = "none"
    if "{id}" in path:
        table = ann.open(here="2").rpartition("/")[2]
    if "{link}" in path:
        group = ann.send("/groups", name="Us", person="Oma").headers["location"]
        link = group.rpartition("/")[2]
    for number, fields in enumerate(ODD, len(path)):
        url = path.format(
            id=table, game="coals", secret="x" * 22, link=link, date="2030-01-01", room="x"
        )
        answer = ann.request("POST", url, headers=(PAGE, SCRIPT)[number % 2], data=fields)
        assert answer.status_code < 500, (fields, answer.text[:300])


@pytest.mark.parametrize(("begun", "status"), [(False, 500), (True, 200)])
def test_a_crash_is_logged_with_the_status_that_is_sent(
    begun: bool, status: int, caplog: pytest.LogCaptureFixture
):
    async def crashing(scope: Scope, receive: Receive, send: Send) -> None:
        if begun:
            await send({"type": "http.response.start", "status": 200, "headers": []})
        raise RuntimeError("boom")

    async def receive() -> Message:
        raise AssertionError

    async def send(_: Message) -> None:
        pass

    with caplog.at_level(logging.INFO, "diablerie.http"), pytest.raises(RuntimeError):
        asyncio.run(AccessLog(crashing)({"type": "http", "method": "POST"}, receive, send))
    assert [vars(record)["status"] for record in caplog.records] == [status]


def test_a_crash_of_a_page_is_logged_as_what_it_answers(
    app: Starlette, authority: Authority, monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
):  # fmt: skip
    monkeypatch.setattr(tokens, "issue", None)
    with caplog.at_level(logging.INFO, "diablerie.http"), pytest.raises(AttributeError):
        Client(app).send("/programs", name="Robo")
    noted = [r for r in caplog.records if r.name == "diablerie.http"]
    assert [(vars(r)["route"], vars(r)["status"]) for r in noted] == [("/programs", 500)]
