"""The last events stand beside the question: what the others did, never oneself by a colour."""

import re

from tests.web.client import Client


def latest(page: str) -> str:
    found = re.search(r'<ul class="latest"[^>]*>(.*?)</ul>', page, re.DOTALL)
    assert found
    return re.sub(r"<[^>]*>", "", found[1])


def test_what_the_others_did_stands_below_the_question(ann: Client, bo: Client):
    table = ann.open(open="1", names="Ann")
    bo.send(f"{table}/sit", name="Bo")
    ann.act(table, "bet 50")
    bo.act(table, "bet 30", seat=1)
    assert "Bo has staked" in latest(ann.page(table).text)
    assert "Ann has staked" in latest(bo.page(table).text)
    for who, name in ((ann, "Ann"), (bo, "Bo")):
        assert f"{name} has staked" not in latest(who.page(table).text)


def test_the_name_is_asked_in_the_band_of_ones_colour(ann: Client):
    table = ann.send("/tables", game="tails", way="bots").headers["location"]
    band = re.search(r'id="whose">(.*?)<div class="asking">', ann.page(table).text, re.DOTALL)
    assert band
    assert "You are yellow: who are you?" in band[1]
    assert 'class="naming"' in band[1]
