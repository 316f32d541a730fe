"""The screen in the middle of a table: it shows what a watcher may know, and whoever touches it is nobody."""

import re
from collections.abc import Callable

import pytest
from starlette.applications import Starlette

from diablerie.games import ALL
from diablerie.table.authority import Authority
from diablerie.web.app import BESIDE
from tests.web.client import Client

SHARED = ("board", "seats", "log", "moments", "faces")  # regions that a watcher's page has, too
POSTED = (
    *(one.__name__ for one in BESIDE),
    *("share", "link", "return_seat", "decide", "hint", "hook", "rematch", "screen"),
)


@pytest.fixture
def tv(app: Starlette) -> Client:
    """A browser that has opened the address of a screen, and nothing else."""
    return Client(app, "10.0.0.7")


def in_the_middle(ann: Client, game: str = "coals") -> str:
    """The table of a host whose device is the screen."""
    screen = ann.send("/tables", game=game, way="screen").headers["location"]
    assert screen.endswith("/screen")
    return screen.removesuffix("/screen")


def playing(ann: Client, bo: Client, cy: Client, game: str = "coals") -> str:
    """The same, with a game of two that Bo has begun."""
    table = in_the_middle(ann, game)
    bo.send(f"{table}/sit", name="Bo")
    cy.send(f"{table}/sit", name="Cy")
    bo.send(f"{table}/fill", devils="0")
    assert bo.data(table)["status"] == "running"
    return table


@pytest.fixture
def cy(browser: Callable[[], Client]) -> Client:
    return browser()


@pytest.mark.parametrize("game", ALL)
def test_the_hosts_device_has_no_seat(ann: Client, game: str):
    table = in_the_middle(ann, game)
    seats = ann.data(table)["seats"]
    assert {seat["kind"] for seat in seats} == {"open"}
    assert len(seats) == ALL[game].seats[-1]


def test_while_seats_are_open_it_shows_the_code_and_who_has_come(
    ann: Client, bo: Client, cy: Client
):
    table = in_the_middle(ann)
    page = ann.page(f"{table}/screen").text
    assert 'id="here-only"' in page  # this server can only be reached from here; else the code
    assert "6 seats are still open." in page
    assert "one of you begins" not in page
    assert "begins when somebody at the table says so" in bo.page(table).text
    bo.send(f"{table}/sit", name="Bo")
    page = ann.page(f"{table}/screen").text
    assert "When all have come, one of you begins on the phone." in page
    assert " Bo " in page
    cy.send(f"{table}/sit", name="Cy")
    bo.send(f"{table}/fill", devils="0")
    page = ann.page(f"{table}/screen").text
    assert "calling" not in page
    assert 'id="coals-heap"' in page


def test_it_asks_nobody_to_begin_while_the_dice_are_made(
    ann: Client, bo: Client, tv: Client, authority: Authority
):
    table = ann.open(here="1", open="1", share="1")
    bo.call(f"{table}/sit")
    # Whoever has not opened the table is named: before a rematch, who still looks at the podium.
    assert "Waiting for Player 1." in tv.page(f"{table}/screen").text
    live = authority.live(table.rpartition("/")[2])
    authority.attendance.enter(live.id, live.seats[0].owner)
    page = tv.page(f"{table}/screen").text
    assert "the browsers are adding their part" in page
    assert "one of you begins" not in page


def test_whoever_sits_round_it_may_begin_free_seats_and_give_those_of_devils(
    ann: Client, bo: Client, cy: Client, tv: Client
):
    table = in_the_middle(ann)
    bo.send(f"{table}/sit", name="Bo")
    cy.send(f"{table}/sit", name="Cy")
    assert "Begin with 2 people" in bo.page(table).text
    assert "Begin with 2 people" in cy.page(table).text
    cy.send(f"{table}/free", seat="0")
    assert ann.data(table)["seats"][0]["kind"] == "open"
    assert bo.send(f"{table}/fill", devils="1").status_code == 403
    bo.send(f"{table}/sit", name="Bo")
    cy.send(f"{table}/fill", devils="1")
    tv.send(f"{table}/ask_seat", name="Di", seat="2")
    assert "Di would like to take over from" in cy.page(table).text
    cy.send(f"{table}/answer_seat", seat="2", agree="1")
    assert tv.data(table)["viewer"] == 2


def test_without_a_screen_only_the_host_may(ann: Client, bo: Client):
    table = ann.send("/tables", game="coals", way="friends", names="Ann").headers["location"]
    bo.send(f"{table}/sit", name="Bo")
    assert bo.send(f"{table}/screen", on="1").status_code == 403
    assert bo.send(f"{table}/fill", devils="0").status_code == 403
    assert bo.send(f"{table}/free", seat="0").status_code == 403


def test_the_device_that_invites_leaves_its_seat_when_it_becomes_the_screen(
    ann: Client, bo: Client
):
    table = ann.send("/tables", game="coals", way="friends", names="Ann").headers["location"]
    assert "Show the board here" in ann.page(table).text
    bo.send(f"{table}/sit", name="Bo")
    went = ann.send(f"{table}/screen", on="1", here="1").headers["location"]
    assert went == f"{table}/screen"
    told = ann.data(table)
    assert [seat["name"] for seat in told["seats"][:2]] == ["Open seat", "Bo"]
    assert bo.send(f"{table}/fill", devils="1").status_code == 303
    assert bo.data(table)["status"] == "running"


def test_who_leaves_for_the_screen_when_hashes_are_fixed_aborts_that_start(
    ann: Client, authority: Authority
):
    fields = {"game": "coals", "here": "2", "open": "1", "share": "1"}
    table = ann.call("/tables", **fields).json()["url"]
    before = authority.live(table.removeprefix("/t/"))
    bo = Client(ann.app, "10.0.0.8")
    bo.call(f"{table}/sit", name="Bo", share="1")
    hashes = {f"hash-{seat}": f"{seat + 1}" * 64 for seat in range(2)}
    ann.call(f"{table}/share", **hashes)
    bo.call(f"{table}/share", **{"hash-2": "7" * 64})
    ann.send(f"{table}/screen", on="1", here="1")
    after = authority.live(table.removeprefix("/t/"))
    assert after.aborted == 1
    assert after.commitment != before.commitment
    assert after.free == 2
    assert authority.store.stamps([after.id])


@pytest.mark.parametrize("game", ALL)
def test_it_shows_what_a_watcher_may_know_whoever_looks(
    ann: Client, bo: Client, cy: Client, tv: Client, game: str
):
    table = playing(ann, bo, cy, game)
    watcher = Client(ann.app, "10.0.0.9")
    decided = 0
    while decided < 24 and (data := bo.data(table))["status"] == "running":
        for who in (bo, cy):
            if (mine := who.data(table))["legal"] or mine["viewer"] in mine["pending"]:
                do = mine["legal"][0]["do"] if mine["legal"] else "bet 0"
                told = who.act(table, do, mine["viewer"], send="1")
                assert told.status_code == 200, told.text
                decided += 1
        seen = watcher.get(f"{table}/frame").json()["regions"]
        for who in (tv, ann, bo, cy):
            shown = who.get(f"{table}/frame?screen=1").json()["regions"]
            assert {name: shown[name] for name in SHARED} == {name: seen[name] for name in SHARED}
            assert shown == tv.get(f"{table}/frame?screen=1").json()["regions"]
    assert decided >= 8, data


def test_nothing_on_it_can_be_sent(ann: Client, bo: Client, cy: Client, tv: Client):
    table = playing(ann, bo, cy)
    for who in (ann, bo, tv):
        page = who.page(f"{table}/screen").text
        assert "<form" not in page
        assert not re.search(r'id="(?:now|hand)"', page)


@pytest.mark.parametrize("what", POSTED)
def test_every_form_that_it_might_send_is_refused(
    ann: Client, bo: Client, cy: Client, tv: Client, what: str
):
    table = playing(ann, bo, cy)
    before = bo.data(table)
    tv.page(f"{table}/screen")
    ply = str(before["ply"])
    fields = {"seat": "0", "ply": ply, "do": "bet 0", "url": "https://x.example", "on": "1"}
    refused = tv.call(f"{table}/{what}", **fields)
    assert refused.status_code == 403, refused.text
    assert bo.data(table) == before


def test_to_look_at_it_is_not_to_be_there(
    ann: Client, bo: Client, cy: Client, authority: Authority
):
    """The host's seat counts as away while the same browser only shows the board."""
    table = playing(ann, bo, cy)
    touched: list[object] = []
    authority.attendance.touch = lambda *given: touched.append(given)  # type: ignore[method-assign]
    bo.page(f"{table}/screen")
    bo.get(f"{table}/frame?screen=1")
    assert not touched
    bo.get(f"{table}/frame")
    assert touched


def test_the_phones_of_its_table_are_hands_until_there_is_none(ann: Client, bo: Client, cy: Client):
    table = playing(ann, bo, cy)
    assert 'id="hand"' in bo.page(table).text
    assert 'id="hand"' not in ann.page(table).text
    assert "There is no screen any more" in bo.page(table).text
    bo.send(f"{table}/screen")
    assert 'id="hand"' not in bo.page(table).text
    assert ann.send(f"{table}/screen", on="1").status_code == 303
    assert 'id="hand"' in cy.page(table).text


def test_a_match_that_has_begun_keeps_its_players(ann: Client):
    table = ann.open(bots="1")
    ann.send(f"{table}/screen", on="1", here="1")
    assert ann.data(table)["own"] == [0]


def test_the_next_game_has_the_screen_and_it_goes_there(ann: Client, bo: Client, cy: Client):
    table = playing(ann, bo, cy)
    bo.send(f"{table}/resign", seat="0")
    assert "ending" in ann.page(f"{table}/screen").text
    again = bo.send(f"{table}/rematch").headers["location"]
    page = ann.page(f"{table}/screen").text
    assert f'data-follow href="{again}/screen"' in page
    assert 'id="hand"' in bo.page(again).text


def test_any_table_can_be_watched_on_a_screen(ann: Client, tv: Client):
    table = ann.open(bots="1", public="1")
    assert f'href="{table}/screen"' in tv.page(table).text
    assert "Your turn" not in tv.page(f"{table}/screen").text
