"""Plans of several decisions are shown before they are sent, and can be called off."""

from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote

import pytest

from diablerie.table.authority import Authority
from tests.stores import new_store
from tests.table.toy import TOY
from tests.web.client import Client


@pytest.fixture
def authority(tmp_path: Path) -> Iterator[Authority]:
    store = new_store(tmp_path / "toy.db")
    yield Authority(store, {"toy": TOY})
    store.close()


@pytest.fixture
def table(ann: Client, bo: Client) -> str:
    """The toy, where Ann may walk or swap."""
    url = str(ann.call("/tables", game="toy", here="1", open="1").json()["url"])
    bo.call(f"{url}/sit")
    ann.act(url, "bid 2", seat=0)
    bo.act(url, "bid 2", seat=1)
    return url


def test_the_first_decisions_of_a_plan_stay_in_the_address(ann: Client, table: str):
    ply = ann.data(table)["ply"]
    first = ann.act(table, "swap").json()["url"]
    assert first == f"{table}?draft=swap"
    second = ann.act(table, "pick 1", draft="swap").json()["url"]
    assert second == f"{table}?draft=swap%3Bpick+1"
    whole = ann.act(table, "pick 3", draft="swap;pick 1").json()["url"]
    assert ann.data(table)["ply"] == ply
    assert ann.get(whole.replace(table, f"{table}.json")).json()["view"]["marks"] == [0, 1, 0, 1]


def test_the_page_shows_the_plan_with_confirm_and_call_off(ann: Client, table: str):
    begun = ann.page(f"{table}?draft=swap").text
    assert "Your plan:" in begun
    assert f'href="{table}"' in begun
    assert 'value="pick 1"' in begun
    assert 'name="send"' not in begun
    assert 'name="send"' in ann.page(f"{table}?draft={quote('swap;pick 1;pick 3')}").text


def test_a_whole_plan_is_asked_about_as_long_as_it_is_not_sent(ann: Client, table: str):
    """Not the position after it, in which somebody else decides."""
    whole = f"?draft={quote('swap;pick 1;pick 3')}"
    assert ann.get(f"{table}.json{whole}").json()["prompt"] == "Is this your plan?"
    page = ann.page(table + whole).text
    assert '<p class="prompt mine" id="prompt">Is this your plan?</p>' in page
    assert "<title>Your turn: " in page
    assert ann.get(f"{table}.json?draft=swap").json()["prompt"] != "Is this your plan?"


def test_confirming_sends_all_at_once(ann: Client, bo: Client, table: str):
    answer = ann.send(
        f"{table}/decide", seat=0, ply=ann.data(table)["ply"], draft="swap;pick 1;pick 3", send="1"
    )
    assert answer.headers["location"] == table
    assert bo.data(table)["view"]["marks"] == [0, 1, 0, 1]
    assert bo.data(table)["pending"] == [1]


def test_a_single_decision_outside_a_plan_is_sent_at_once(ann: Client, table: str):
    assert ann.act(table, "rest").json()["url"] == table
    assert ann.data(table)["pending"] == [1]


def test_a_spot_that_stands_for_a_whole_plan_is_sent_at_once(ann: Client, table: str):
    assert ann.act(table, "swap; pick 0; pick 1").json()["url"] == table
    assert ann.data(table)["view"]["marks"] == [1, 1, 0, 0]


def test_a_spot_may_put_another_plan_in_place_of_the_draft(ann: Client, table: str):
    other = ann.act(table, "swap; pick 0", draft="swap;pick 1", afresh="1").json()["url"]
    assert other == f"{table}?draft=swap%3Bpick+0"
    whole = ann.act(table, "swap; pick 0; pick 1", draft="swap;pick 1", afresh="1").json()["url"]
    assert whole == f"{table}?draft=swap%3Bpick+0%3Bpick+1"


def test_nothing_of_a_plan_shows_to_the_others(ann: Client, bo: Client, table: str):
    before = bo.get(f"{table}/frame").json()
    ann.act(table, "pick 1", draft="swap")
    after = bo.get(f"{table}/frame").json()
    assert before.pop("now") <= after.pop("now")
    assert after == before


def test_an_illegal_step_of_a_plan_names_its_clause(ann: Client, table: str):
    answer = ann.act(table, "pick 3", draft="swap;pick 3")
    assert answer.status_code == 422
    assert answer.json()["clause"] in ("Z2", "Z3")


def test_a_plan_that_cannot_be_played_any_more_is_dropped(ann: Client, table: str):
    ann.act(table, "rest")
    frame = ann.get(f"{table}/frame?draft=swap").json()
    assert frame["url"] == table
    assert "not your turn" in ann.page(f"{table}?draft=swap").text


def test_a_watcher_has_no_plans(browser, table: str):
    assert browser().get(f"{table}/frame?draft=swap").status_code in (200, 403)
