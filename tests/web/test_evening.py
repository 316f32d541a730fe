"""The way in: one's tables first, a name once, games that are over, and another device."""

import re

import pytest

from diablerie.games import ALL
from tests.web.client import Client, fields


def section(page: str, heading: str) -> str:
    found = re.search(rf'<section[^>]*aria-labelledby="{heading}".*?</section>', page, re.DOTALL)
    assert found, heading
    return found[0]


def test_ones_own_tables_come_first_and_say_whose_turn_it_is(ann: Client, bo: Client):
    waiting = ann.open(open="1")
    mine = ann.open(open="1")
    bo.call(f"{mine}/sit", name="Bo")
    page = ann.page("/").text
    assert page.index('id="your-tables"') < page.index('class="games"')
    listed = section(page, "your-tables")
    assert listed.index(mine) < listed.index(waiting)
    assert "Your turn" in listed
    assert "1 seat is free" in listed
    ann.act(mine, "bet 50")
    assert "Bo has to decide" in section(ann.page("/").text, "your-tables")
    assert "Your turn" in section(bo.page("/").text, "your-tables")


def test_a_table_open_to_anybody_is_found_with_its_options_and_free_seats(ann: Client, bo: Client):
    table = ann.open(open="2", names="Ann", **{"option-goal": "500"})
    assert table not in bo.page("/").text
    assert ann.send(f"{table}/publish", public="1").status_code == 303
    found = section(bo.page("/").text, "open-tables")
    for words in (table, "COALS", "Ann", "Goal: 500", "2 seats are free", "Join"):
        assert words in found
    ann.send(f"{table}/publish")
    assert table not in bo.page("/").text


def test_a_name_is_asked_once_and_remembered(ann: Client, bo: Client):
    table = ann.send("/tables", game="coals", way="friends").headers["location"]
    assert "What should the others call you?" in ann.page(table).text
    ann.send(f"{table}/rename", seat="0", name="Änn & " + 18 * "👹")
    assert "What should the others call you?" not in ann.page(table).text
    again = ann.send("/tables", game="coals", way="friends").headers["location"]
    assert "Änn &amp; " + 18 * "👹" in ann.page(again).text
    assert "What should the others call you?" not in ann.page(again).text
    bo.send(f"{table}/sit", name="Bo")
    asked = bo.page(again).text
    assert "Take a seat as Bo" in asked
    assert fields(asked, f"{again}/sit")["name"] == "Bo"
    bo.send("/forget")
    assert "Take a seat as" not in bo.page(again).text


@pytest.mark.parametrize("names", ["Änn", "Änn, Bo"])
def test_of_those_who_begin_at_one_screen_the_first_is_remembered(ann: Client, names: str):
    ann.send("/tables", game="coals", here=str(names.count(",") + 1), open="1", names=names)
    again = ann.send("/tables", game="coals", way="friends").headers["location"]
    page = ann.page(again).text
    assert "Änn" in page
    assert "What should the others call you?" not in page


def test_a_name_that_nobody_may_have_is_not_remembered(ann: Client):
    ann.cookies.set("name", "Oberteufel%20Ash", domain="localhost.local")
    assert ann.send("/tables", game="coals", way="friends").status_code == 303
    assert "Oberteufel Ash" not in ann.page("/").text


def test_finished_games_are_listed_with_their_results(ann: Client):
    table = ann.open(game="coals", bots="1", names="Ann", bot="archdevil")
    ann.call(f"{table}/resign", seat="0")
    page = ann.page("/games").text
    row = section(page, "tallies")
    assert re.search(r"COALS</th><td[^>]*>1</td><td[^>]*>0</td>", row)
    assert "Archdevil × 1" in row
    listed = section(page, "finished")
    assert f"{table}/replay" in listed
    assert "lost" in listed
    assert table in section(ann.page("/").text, "your-tables")


def test_the_link_to_another_device_says_what_it_does_and_works_once(ann: Client, bo: Client):
    table = ann.open(bots="1")
    kept = bo.open(bots="1")
    page = ann.send("/games/link").text
    address = re.search(r'id="device-link"[^>]*value="http://[^/]+(/device/[^"]+)"', page)
    assert address
    asked = bo.page(address[1])
    assert "becomes the same player" in asked.text
    assert bo.get(table + ".json").json()["viewer"] is None, "looking at the link changes nothing"
    assert bo.send(address[1]).status_code == 303
    assert bo.data(table)["viewer"] == ann.data(kept)["viewer"] == 0
    assert bo.send(address[1]).status_code == 404


def test_options_stand_under_variants_with_a_sentence_and_the_rule(ann: Client):
    for game in ALL.values():
        if not game.options:
            continue
        page = ann.page(f"/setup/{game.name}").text
        part = page.split(f'id="{game.name}-variants"')[1].split("</details>")[0]
        for option in game.options:
            assert f'name="option-{option.name}' in part
            assert option.help.text in part.replace("&#39;", "'")
            assert re.search(r"\([A-Z]\d+\)", option.help.text) is None
            assert option.help.clause in game.clause_texts
