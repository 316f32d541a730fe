"""Reactions and quick phrases in each reader's language, muted with the chat; and asking to take back."""

import re

import pytest

from diablerie.table.commands.chat import PHRASES, REACTIONS, phrase_of
from tests.web.client import Client

GERMAN = {"accept-language": "de", "accept": "text/html", "sec-fetch-site": "same-origin"}


@pytest.fixture
def table(ann: Client, bo: Client) -> str:
    url = ann.open(open="1", names="Ann")
    bo.call(f"{url}/sit", name="Bo")
    return url


def said(page: str) -> list[str]:
    found = re.findall(r'<li id="said-.*?</li>', page, re.DOTALL)
    return [" ".join(re.sub(r"<[^>]*>", " ", line).split()) for line in found]


def test_a_phrase_is_stored_as_a_code_and_read_in_each_language(
    ann: Client, bo: Client, table: str
):
    page = ann.page(table).text
    for code in (*PHRASES, *REACTIONS):
        assert f'name="text" value="{code}"' in page
    ann.send(f"{table}/chat", text=":thanks:")
    ann.send(f"{table}/chat", text=":cheers:")
    ann.send(f"{table}/chat", text=":no-code:")
    assert [line["text"] for line in bo.data(table)["chat"]][:2] == [":thanks:", ":cheers:"]
    assert said(bo.page(table).text) == ["Ann : Thank you!", "Ann : cheers", "Ann : :no-code:"]
    assert 'href="#head-triumph"' in bo.page(table).text.split('id="said-2"')[1].split("</li>")[0]
    german = bo.request("GET", table, headers=GERMAN).text
    assert said(german) == ["Ann : Danke!", "Ann : jubelt", "Ann : :no-code:"]


def test_phrases_are_muted_and_reported_with_their_player(ann: Client, bo: Client, table: str):
    ann.send(f"{table}/chat", text=":ouch:")
    assert re.search(r'<option value="1">Ann: Ouch!</option>', bo.page(table).text)
    bo.send(f"{table}/mute", seat="0")
    assert said(bo.page(table).text) == []


def test_every_code_has_a_line_of_its_own():
    lines = [phrase.line.text for phrase in (*PHRASES.values(), *REACTIONS.values())]
    assert len({*lines}) == len(lines) == len(PHRASES) + len(REACTIONS)
    assert phrase_of("thanks") is None
    assert phrase_of(":thanks: ") is None


def test_a_take_back_is_asked_for_and_answered_without_a_script(
    ann: Client, bo: Client, table: str
):
    ann.act(table, "bet 50")
    assert 'id="request-undo"' not in ann.page(table).text, "it can be taken back at once"
    bo.act(table, "bet 70", seat=1)
    assert 'id="request-undo"' in ann.page(table).text
    assert ann.send(f"{table}/request_take_back", seat="0").status_code == 303
    asked, watched = bo.page(table).text, ann.page(table).text
    assert "asks to take back the last decision" in asked
    assert 'id="agree-1"' in asked
    assert 'id="agree-1"' not in watched
    assert "has not answered yet" in watched
    assert bo.send(f"{table}/answer_take_back", seat="1").status_code == 303
    assert "asks to take" not in ann.page(table).text
    ann.send(f"{table}/request_take_back", seat="0")
    assert bo.send(f"{table}/answer_take_back", seat="0", agree="1").status_code == 403
    assert bo.send(f"{table}/answer_take_back", seat="1", agree="1").status_code == 303
    assert ann.data(table)["pending"] == [0, 1]
    assert "takes back a move; all others have agreed." in ann.page(table).text
    late = bo.send(f"{table}/answer_take_back", seat="1", agree="1")
    assert late.status_code == 409
    assert "Nobody is asking to take back a move now." in late.text


def test_at_a_shared_screen_each_one_agrees(ann: Client):
    table = ann.open(here="2", names="Oma,Opa")
    ann.act(table, "bet 50", seat=0)
    ann.act(table, "bet 70", seat=1)
    ann.send(f"{table}/request_take_back", seat="0")
    page = ann.page(f"{table}?as=1").text
    assert "Opa agrees" in page
    assert "asks to take back the last decision" in page
    ann.send(f"{table}/answer_take_back", seat="1", agree="1")
    assert "all others have agreed" in ann.page(table).text
