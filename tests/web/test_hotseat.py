"""Several people at one screen: nobody sees another's secrets on the way."""

import re

from tests.web.client import Client, words


def test_a_secret_decision_first_asks_to_pass_the_device(ann: Client):
    table = ann.open(here="2", names="Ann,Bo")
    page = ann.page(table).text
    assert "Pass the device to" in page
    assert 'name="amount"' not in page
    assert "I am Ann" in page
    assert 'name="amount"' in ann.page(f"{table}?as=0").text


def test_what_one_has_decided_is_not_on_the_others_page(ann: Client):
    table = ann.open(here="2", names="Ann,Bo")
    ann.act(table, "bet 170", **{"as": 0})
    for address in (table, f"{table}?as=1"):
        assert "170" not in words(ann.page(address).text)
    assert "170" in words(ann.page(f"{table}?as=0").text)


def test_without_secrets_the_page_shows_whose_turn_it_is(ann: Client):
    table = ann.open(here="2")
    ann.act(table, "bet 10", seat=0)
    ann.act(table, "bet 10", seat=1)
    page = ann.page(table).text
    assert "Pull a piece" in page
    assert ann.data(table)["viewer"] == ann.data(table)["pending"][0]


def test_who_looks_as_one_is_told_that_the_other_is_to_decide(ann: Client):
    table = ann.open(here="2", names="Ann,Bo")
    ann.act(table, "bet 10", seat=0)
    page = ann.page(f"{table}?as=0").text
    assert "Pass the device to Bo" in page


def test_between_people_and_bots_the_screen_shows_what_all_may_see(ann: Client):
    table = ann.open(here="2", bots="1", names="Ann,Bo")
    ann.act(table, "bet 110", seat=0)
    ann.act(table, "bet 110", seat=1)
    assert ann.data(table)["viewer"] is None
    assert "110" not in words(ann.page(table).text)


def test_two_people_at_one_screen_are_not_both_called_you(ann: Client, bo: Client):
    table = ann.open(here="2", open="1", names="Ann,Bo")
    assert ann.page(table).text.count("at this screen") == 2
    bo.call(f"{table}/sit", name="Cy")
    assert re.search(r"Cy <span class=\"hidden-visually\">you</span>", bo.page(table).text)


def test_on_a_shared_screen_the_question_says_whom_it_asks(ann: Client):
    table = ann.open(here="2", names="Ann,Bo")
    asked = r'id="whose".*?<b class="who seat-1">Bo</b>, it is your turn'
    assert re.search(asked, ann.page(f"{table}?as=1").text, re.DOTALL)
    covered = ann.page(table).text
    assert 'id="whose"' not in covered
    assert covered.count("I am Ann") == 1
    alone = ann.page(ann.open(bots="1")).text
    assert re.search(
        r'id="whose".*?<b class="who seat-0">Ann</b>, you are yellow', alone, re.DOTALL
    )
    assert "it is your turn" not in alone, "alone one knows"
