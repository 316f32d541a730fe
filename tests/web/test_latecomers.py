"""Friends come by link: the host begins with those who are there, and others may come later."""

import pytest
from starlette.applications import Starlette

from diablerie.games import ALL
from tests.web.client import Client


@pytest.fixture
def cy(app: Starlette) -> Client:
    return Client(app, "10.0.0.3")


def invited(ann: Client, game: str = "coals") -> str:
    """A table that Ann has opened for friends."""
    return ann.send("/tables", game=game, way="friends", names="Ann").headers["location"]


def with_devil(ann: Client, bo: Client) -> str:
    """A running table of Ann, Bo and the devil Flint."""
    table = invited(ann)
    bo.send(f"{table}/sit", name="Bo")
    ann.send(f"{table}/fill", devils="1")
    return table


def test_the_hosts_name_is_asked_before_the_link_is_shown(ann: Client):
    page = ann.page("/friends/coals").text
    assert "What should the others call you?" in page
    table = ann.send("/tables", game="coals", way="friends", names="Ann, or Bo").headers["location"]
    assert ann.data(table)["seats"][0]["name"] == "Ann, or Bo"
    assert 'value="Ann, or Bo"' in ann.page("/friends/coals").text
    assert "What should the others call you?" not in ann.page(table).text


@pytest.mark.parametrize("game", ALL)
def test_a_table_for_friends_has_as_many_seats_as_the_game(ann: Client, game: str):
    assert len(ann.data(invited(ann, game))["seats"]) == ALL[game].seats[-1]


def test_who_is_declined_is_told(ann: Client, bo: Client, cy: Client):
    table = with_devil(ann, bo)
    cy.send(f"{table}/ask_seat", name="Cy")
    ann.send(f"{table}/answer_seat", seat="2")
    assert "The host would rather keep this devil for now." in cy.page(table).text
    assert cy.data(table)["viewer"] is None


def test_who_finds_no_devil_is_told_why_they_watch(ann: Client, bo: Client, cy: Client):
    table = invited(ann)
    bo.send(f"{table}/sit", name="Bo")
    ann.send(f"{table}/fill", devils="0")
    assert "All seats are people’s." in cy.page(table).text
    refused = cy.call(f"{table}/ask_seat", name="Cy")
    assert refused.status_code == 409
    assert "people" in refused.json()["title"]


def test_another_watcher_is_told_that_somebody_asks_already(ann: Client, bo: Client, cy: Client):
    table = with_devil(ann, bo)
    cy.send(f"{table}/ask_seat", name="Cy")
    di = Client(ann.app, "10.0.0.4")
    assert "Others ask for the devils’ seats already." in di.page(table).text
    cy.send(f"{table}/answer_seat", seat="2")
    assert "Take over from Devil Flint?" in di.page(table).text
