"""A group's page: an evening of four browsers, with and without script, and what is refused there."""

import re
from collections.abc import Callable

import pytest

from diablerie.games import ALL
from diablerie.table.authority import Authority
from diablerie.table.commands import groups
from diablerie.table.commands.history import Series, SeriesRecord, Standing
from diablerie.web.frames import frames
from tests.web.client import PAGE, Client, fields, words
from tests.web.test_evening import section


def test_an_evening_from_the_link_to_the_score_next_week(
    ann: Client, bo: Client, browser: Callable[[], Client], link: str
):
    asked = bo.page(link).text
    assert "Who are you?" in asked
    assert "I am Oma" in asked
    bo.send(f"{link}/join", name="Opa")
    page = bo.page(link).text
    for game in ALL.values():
        assert f'name="game" value="{game.name}"' in section(page, "tonight")
    table = ann.send(f"{link}/play", game="coals", **{"who-1": "1"}).headers["location"]
    assert "Join" in section(bo.page(link).text, "tonight")
    joined = bo.send(f"{link}/play", table=table.removeprefix("/t/"), **{"who-2": "1"})
    assert joined.headers["location"] == table
    assert [seat["name"] for seat in ann.data(table)["seats"]] == ["Oma", "Opa"]
    watching = browser()
    assert "Watch" not in section(bo.page(link).text, "tonight")
    ann.send(f"{table}/resign", seat="0")
    for client in (ann, bo):
        page = client.page(table).text
        assert "Opa leads 1:0." in page
        assert f'href="{table}/group"' in page
    assert "Opa leads" not in watching.page(table).text, "the score is for those who played"
    assert watching.page(f"{table}/group").status_code == 403
    assert "Opa leads 1:0." in section(ann.page(f"{table}/group").text, "series")
    assert link in section(ann.page("/").text, "your-groups")
    assert "your-groups" in watching.page("/").text
    assert link not in watching.page("/").text


def test_a_deleted_game_still_counts_and_the_page_says_so(ann: Client, link: str):
    ann.send(f"{link}/join", name="Opa")
    table = ann.send(f"{link}/play", game="coals", **{"who-1": "1", "who-2": "1"})
    url = table.headers["location"]
    ann.send(f"{url}/resign", seat="0")
    ann.send(f"{url}/delete_table")
    page = section(ann.page(link).text, "series")
    assert "Opa leads 1:0." in page
    assert "One of these games was deleted." in page


def test_a_shared_screen_says_who_plays(ann: Client, link: str):
    ann.send(f"{link}/join", name="Opa")
    page = section(ann.page(link).text, "tonight")
    assert page.count('type="checkbox"') == 2
    nobody = ann.send(f"{link}/play", game="coals")
    assert nobody.status_code == 400
    assert "First say who is playing on this device." in nobody.text
    table = ann.send(f"{link}/play", game="tails", **{"who-1": "1", "who-2": "1"})
    assert ann.data(table.headers["location"])["status"] == "running"


def test_names_with_markup_are_text_and_the_page_says_what_is_wrong_with_a_name(
    ann: Client, link: str
):
    ann.send(f"{link}/member", member="1", name="<b onclick=1>&", colour="2")
    page = ann.page(link).text
    assert "&lt;b onclick=1&gt;&amp;" in page
    assert "<b onclick" not in page
    for name, why in (("", "lacks"), ("\u2800", "invisible"), ("Oberteufel", "devil")):
        answer = ann.send(f"{link}/join", name=name)
        assert 400 <= answer.status_code < 500, name
        assert "<h1>The Hoofs</h1>" in answer.text
        if name:
            assert why in answer.text
    again = ann.send(f"{link}/join", name="<B ONCLICK=1>&")
    assert "already has this name" in again.text


@pytest.mark.parametrize(
    ("field", "asked"), [("name", "Who are you?"), ("person", "What is the group called?")]
)
def test_a_group_without_a_name_is_refused_and_what_was_typed_is_kept(
    ann: Client, field: str, asked: str
):
    answer = ann.request("POST", "/groups", headers=PAGE, data={field: "Hoofy"})
    assert answer.status_code == 400
    assert f'role="alert">{asked}' in answer.text
    assert 'value="Hoofy"' in answer.text


def test_removing_offers_a_new_link_and_the_page_says_so(ann: Client, bo: Client, link: str):
    bo.send(f"{link}/join", name="Opa")
    people = section(ann.page(link).text, "people")
    offered = re.findall(r'name="renewing" value="1" checked', people)
    assert len(offered) == 3, "for two people and Opa’s device"
    lost = fields(people, f"{link}/forget")
    home = ann.send(f"{link}/forget", **lost, renewing="1").headers["location"]
    page = ann.page(home).text
    renewed = home.partition("?")[0]
    assert renewed != link
    assert "The link is new." in page
    assert f'{renewed}"' in section(page, "link")
    assert bo.page(link).status_code == 404
    assert ann.page(renewed).text.count("The link is new.") == 0
    kept = ann.send(f"{renewed}/remove", member="2").headers["location"]
    assert kept == renewed, "no was said"


def test_the_end_of_a_game_names_the_records_in_that_game_alone(
    ann: Client, link: str, monkeypatch: pytest.MonkeyPatch
):
    found = Series(
        (Standing("Oma", 0, 2, 1), Standing("Opa", 1, 2, 1)),
        (
            SeriesRecord("coals", False, 912, "Oma"),
            SeriesRecord("tails", False, 877_655_877, "Opa"),
        ),
        matches=2,
        erased=0,
    )
    monkeypatch.setattr(frames, "series_of", lambda *_: found)
    ann.send(f"{link}/join", name="Opa")
    url = ann.send(f"{link}/play", game="coals", **{"who-1": "1", "who-2": "2"}).headers["location"]
    ann.send(f"{url}/resign", seat="0")
    page = ann.page(url).text
    assert "most points: 912 (Oma)" in page
    assert "877655877" not in page


def test_the_page_has_the_link_as_a_qr_code_where_others_can_reach_it(ann: Client, link: str):
    page = ann.page(link).text
    assert "Only this computer can open this page" in page
    assert re.search(rf'id="group-link" readonly value="http://[^"]+{link}"', page)


def test_hidden_words_of_a_table_are_not_on_the_page(
    ann: Client, bo: Client, link: str, authority: Authority
):
    bo.send(f"{link}/join", name="Opa")
    table = ann.send(f"{link}/play", game="coals", **{"who-1": "1"}).headers["location"]
    bo.send(f"{link}/play", table=table.removeprefix("/t/"), **{"who-2": "1"})
    before = words(bo.page(link).text)
    live = authority.live(table.removeprefix("/t/"))
    assert ann.act(table, "bet 170", seat=live.pending[0]).status_code == 200
    assert words(bo.page(link).text) == before
    assert groups.groups_of(authority, live.host)[0].link in link


def test_a_short_game_a_lost_device_and_another_name(ann: Client, bo: Client, link: str):
    who = {"who-1": "1", "option-coals-goal": "300", "option-kitchen-stove": "2"}
    furnace = {f"option-coals-furnace-{place}": "2" for place in range(7)}
    table = ann.send(f"{link}/play", game="coals", **who, **furnace).headers["location"]
    options = ann.data(table)["options"]
    assert (options["goal"], options["furnace"]) == ("300", "2,2,2,2,2,2,2")
    bo.send(f"{link}/join", member="1")
    page = ann.page(link).text
    assert "2 devices" in page
    lost = fields(page, f"{link}/forget")
    assert ann.send(f"{link}/forget", **lost).status_code == 303
    assert "Who are you?" in bo.page(link).text
    gone = ann.send(f"{link}/forget", **lost)
    assert gone.status_code == 404
    assert "This device does not belong to the group" in gone.text
    ann.send(f"{link}/rename", name="The Horns")
    assert "<h1>The Horns</h1>" in bo.page(link).text


def test_a_device_of_ones_own_can_be_locked_out(ann: Client, bo: Client):
    ann.open(bots="1")
    bo.open(bots="1")
    opened = re.search(r"/device/[\w-]+", ann.send("/games/link").text)
    assert opened
    bo.send(opened[0])
    assert bo.page("/games").text.count("Lock it out") == 1
    assert (
        ann.send("/games/lock", **fields(ann.page("/games").text, "/games/lock")).status_code == 303
    )
    assert "Lock it out" not in ann.page("/games").text
    assert "your-tables" not in bo.page("/").text
    assert "your-tables" in ann.page("/").text
    assert ann.send("/games/lock", device="x").status_code == 404


def test_only_the_server_makes_a_secret_and_it_can_be_renewed(
    ann: Client, browser: Callable[[], Client]
):
    chosen, impostor = browser(), browser()
    for client in (chosen, impostor):
        client.cookies.set("diablerie", "a secret that I chose myself", domain="localhost.local")
    table = chosen.open(bots="1")
    assert impostor.data(table)["own"] == []
    mine, thief = ann.open(bots="1"), browser()
    thief.cookies = ann.cookies
    assert thief.data(mine)["own"] == [0]
    assert ann.send("/games/renew").status_code == 303
    assert ann.data(mine)["own"] == [0]
    assert thief.data(mine)["own"] == []
    assert browser().send("/games/renew").status_code == 403
