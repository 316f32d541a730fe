"""Forfeits on pages: written at the group's, drawn at the podium, told to nobody else."""

import re
from collections.abc import Callable

from diablerie.table.authority import Authority
from diablerie.web.html import previews
from diablerie.web.html.speech import speech_for
from tests.web.client import Client
from tests.web.test_evening import section

OWED = "does the <washing> up"


def lost(ann: Client, bo: Client, link: str) -> str:
    """A game of Ann's and Bo's in which Ann is last, for which a forfeit is written; its address."""
    bo.send(f"{link}/join", name="Opa")
    assert bo.send(f"{link}/forfeit", forfeit=OWED).status_code == 303
    table = str(ann.send(f"{link}/play", game="coals", **{"who-1": "1"}).headers["location"])
    bo.send(f"{link}/play", table=table.removeprefix("/t/"), **{"who-2": "1"})
    ann.send(f"{table}/resign", seat="0")
    return table


def test_the_last_are_told_what_they_owe_and_the_others_who_owes_it(
    ann: Client,
    bo: Client,
    link: str,
):
    table = lost(ann, bo, link)
    for client, said in (
        (ann, "Last place is yours: “does the &lt;washing&gt; up”"),
        (bo, "“does the &lt;washing&gt; up”"),
    ):
        page = client.page(table).text
        told = re.search(r'<p class="forfeit" id="forfeit">(.*?)</p>', page)
        assert told
        assert said in told[1]
        assert "<washing>" not in page
    assert "Oma" in re.findall(r'id="forfeit">(.*?)</p>', bo.page(table).text)[0]


def test_strangers_pictures_files_and_data_tell_of_no_forfeit(
    ann: Client,
    bo: Client,
    browser: Callable[[], Client],
    link: str,
    authority: Authority,
):
    table = lost(ann, bo, link)
    assert "washing" in ann.page(table).text
    stranger = browser()
    for address in (
        table,
        f"{table}.json",
        f"{table}/frame",
        f"{table}/log",
        f"{table}/replay",
        f"{table}/match.jsonl",
        f"/embed/replay/{table[3:]}",
        link,
        "/",
    ):
        assert "washing" not in stranger.page(address).text, address
    for address in (f"{table}.json", f"{table}/match.jsonl", f"{table}/replay", "/games"):
        assert "washing" not in ann.page(address).text, address
    match = authority.live(table[3:]).match
    assert match
    drawn = previews.final_drawing(match, speech_for("en", "Oma", "Opa"))
    assert "washing" not in drawn
    assert "washing" not in previews.final_svg(match, speech_for("en", "Oma", "Opa")).decode()


def test_the_group_s_page_writes_and_strikes_out(ann: Client, bo: Client, link: str):
    assert "forfeits-panel" not in bo.page(link).text
    for n in range(5):
        ann.send(f"{link}/forfeit", forfeit=f"owes {n}")
    shown = section(ann.page(link).text, "forfeits")
    assert shown.count("Strike out</button>") == 5
    assert 'name="forfeit"' not in shown, "five are the most"
    refused = ann.send(f"{link}/forfeit", forfeit="one more")
    assert refused.status_code == 429
    assert "strike one out first" in refused.text
    ann.send(f"{link}/strike", number="2")
    shown = section(ann.page(link).text, "forfeits")
    assert "owes 1" not in shown
    assert 'name="forfeit"' in shown
