"""The page “It does not work”: whole, in English, and found where something went wrong."""

import re

from tests.web.client import PAGE, Client


def test_the_page_has_all_of_the_document_and_every_link_of_it_leads_somewhere(ann: Client):
    page = ann.get("/trouble").text
    law = page.partition('<article class="rules-text" lang="en">')[2].partition("</article>")[0]
    assert law.count("<blockquote>") > 30
    assert 'id="the-port-is-taken"' in law
    links = re.findall(r'href="([^"]*)"', law)
    assert len(links) > 10
    for link in links:
        assert link.startswith("#")
        assert f'id="{link[1:]}"' in law, link


def test_whoever_is_refused_finds_it(ann: Client):
    page = ann.request("GET", "/nothing", headers=PAGE)
    assert page.status_code == 404
    assert 'href="/trouble"' in page.text


def test_a_warning_about_the_dice_has_words_for_the_way_there(ann: Client):
    url = ann.call("/tables", game="tails", here="2").json()["url"]
    page = ann.page(url).text
    assert re.search(r'id="shares-broken"[^>]* data-help="What to do"', page)
