"""What a browser remembers: day or night, how fast, and which games it knows."""

import pytest

from tests.web.client import Client


def test_looks_are_chosen_once_and_hold_on_every_page(ann: Client):
    assert "data-theme" not in ann.page("/").text
    answer = ann.send("/settings", theme="dark", speed="slow", back="/rules/coals")
    assert (answer.status_code, answer.headers["location"]) == (303, "/rules/coals")
    for page in ("/", "/rules/coals", "/settings", ann.open(bots="1")):
        assert '<html lang="en" data-theme="dark" data-speed="slow">' in ann.page(page).text
    assert 'value="dark" checked' in ann.page("/settings").text
    ann.send("/settings", theme="", speed="")
    assert '<html lang="en">' in ann.page("/").text


@pytest.mark.parametrize(
    "back", ["//evil.example/", "https://evil.example/", "/\\evil", "x", "/\n"]
)
def test_settings_lead_nowhere_else(ann: Client, back: str):
    assert ann.send("/settings", back=back).headers["location"] == "/"


def test_a_forged_cookie_changes_nothing(ann: Client):
    ann.cookies.set("theme", "x onload=1")
    assert "onload" not in ann.page("/").text


def test_the_card_of_a_first_game_says_what_wins_until_it_is_put_away(ann: Client, bo: Client):
    table = ann.open(bots="1")
    page = ann.page(table).text
    assert "Your first game of COALS?" in page
    assert "Whoever reaches the goal, the flag on the arch, ends the game" in page
    assert "Your first game" not in bo.page(table).text, "who only watches"
    answer = ann.send("/known", game="coals", back=table)
    assert (answer.status_code, answer.headers["location"]) == (303, table)
    assert "Your first game" not in ann.page(table).text
    assert "Your first game" in ann.page(ann.open(game="tails", bots="1")).text
    ann.send("/known", game="tails")
    assert "Your first game" not in ann.page(table).text


def test_the_card_of_a_first_game_goes_with_the_first_decision(ann: Client):
    table = ann.open(bots="1")
    assert "Your first game of COALS?" in ann.page(table).text
    assert ann.act(table, "pull").status_code == 422, "a refusal is no decision"
    assert "Your first game" in ann.page(table).text
    ann.act(table, "bet 50")
    assert "Your first game" not in ann.page(table).text
    assert "Your first game" not in ann.page(ann.open(bots="1")).text
    assert "Your first game" in ann.page(ann.open(game="tails", bots="1")).text


def test_the_card_of_a_first_game_goes_with_a_resignation(ann: Client, bo: Client):
    table = ann.open(open="1", bots="1")
    bo.call(f"{table}/sit")
    assert "Your first game" in ann.page(table).text
    ann.call(f"{table}/resign", seat=0)
    assert ann.data(table)["status"] == "running"
    assert "Your first game" not in ann.page(table).text
    assert "Your first game" in bo.page(table).text


def test_the_card_stands_below_what_is_asked_and_knows_fingers(ann: Client):
    page = ann.page(ann.open(bots="1")).text
    assert page.index('id="asked"') < page.index('id="first"')
    assert 'class="by-touch">Tap the picture' in page


def test_rules_after_sentences_are_a_setting(ann: Client):
    assert "data-clauses" not in ann.page("/").text
    ann.send("/settings", clauses="on")
    assert 'data-clauses="on"' in ann.page(ann.open(bots="1")).text


def test_sounds_are_off_until_they_are_switched_on_and_how_loud_is_remembered(ann: Client):
    table = ann.open(bots="1")
    page = ann.page(table).text
    assert "data-sound=" not in page
    assert 'aria-checked="false" aria-label="Sounds"' in page
    assert ann.send("/settings", volume="quiet").status_code == 303
    assert 'data-volume="quiet"' in ann.page(table).text
    answer = ann.send("/sound", sound="on", back=table)
    assert (answer.status_code, answer.headers["location"]) == (303, table)
    page = ann.page(table).text
    assert 'data-sound="on" data-volume="quiet"' in page
    assert 'aria-checked="true" aria-label="Sounds"' in page
    ann.send("/sound")
    assert "data-sound=" not in ann.page(table).text
    assert 'data-volume="quiet"' in ann.page(table).text
