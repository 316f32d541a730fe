"""Languages are chosen by cookie or Accept-Language, and join without code."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
from babel.messages.catalog import Catalog
from babel.messages.mofile import write_mo

from diablerie.engine.text import SeatRef, say, says
from diablerie.web.html.speech import Speech
from diablerie.web.people import language
from tests.web.anew import anew
from tests.web.client import PAGE, Client

GERMAN: dict[Any, Any] = {
    "devil games": "Teufelsspiele",
    "Player {n}": "Spieler {n}",
    "{who} begins.": "{who} beginnt.",
    "Play now": "Sofort spielen",
}


def catalogue(package: Path, code: str, texts: dict[Any, Any]) -> None:
    """The compiled catalogue of a language in a package's folder of them."""
    made = Catalog(locale=code)
    for message, text in texts.items():
        made.add(message, text)
    path = package / "locales" / code / "LC_MESSAGES" / "texts.mo"
    path.parent.mkdir(parents=True)
    with path.open("wb") as file:
        write_mo(file, made)


@pytest.fixture
def german(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A German catalogue with a few sentences."""
    catalogue(tmp_path, "de", GERMAN)
    with anew(), monkeypatch.context() as patch:
        patch.setattr(language, "LOCALES", tmp_path / "locales")
        yield


def seen(client: Client, header: str) -> str:
    return client.request("GET", "/", headers=PAGE | {"accept-language": header}).text


def test_a_new_catalogue_is_a_new_language(ann: Client, german: None):
    page = seen(ann, "fr, de-CH;q=0.9, en;q=0.1")
    assert 'lang="de"' in page
    assert "Teufelsspiele" in page
    assert "Sofort spielen" in page
    assert "Deutsch" in page
    table = ann.open(bots="1")
    log = ann.request("GET", table, headers=PAGE | {"accept-language": "de"}).text
    assert "beginnt." in log


def test_the_cookie_comes_before_the_header(browser: Callable[[], Client], german: None):
    ann = browser()
    answer = ann.send("/language", language="de", back="/rules/coals")
    assert (answer.status_code, answer.headers["location"]) == (303, "/rules/coals")
    assert 'lang="de"' in seen(ann, "en")
    assert ann.send("/language", language="../../etc").status_code == 400
    assert 'lang="de"' in seen(ann, "en")
    assert ann.send("/language", language="").status_code == 303
    assert 'lang="en"' in seen(ann, "en")


def test_the_language_is_changed_on_every_page_and_one_stays_there(ann: Client):
    table = ann.open(bots="1")
    for page in ("/", "/rules/coals", "/kept", "/programs", "/nowhere"):
        form = ann.request("GET", page, headers=PAGE).text.partition('action="/language"')[2]
        assert f'name="back" value="{page}"' in form.partition("</form>")[0], page
    for page in (table, "/learn/tails?step=2"):
        assert f"/settings?back={quote(page)}" in ann.page(page).text
    page = ann.page(f"/settings?back={table}").text
    assert page.count('name="language"') == 5
    assert '<span lang="fr">français</span>' in page
    answer = ann.send("/settings", language="de", theme="", speed="", back=table)
    assert answer.headers["location"] == table
    assert '<html lang="de">' in ann.page(table).text


@pytest.mark.parametrize(
    "header",
    ["", "xx", "*", ";q=", "de;q=x", "de," * 1000, "en-US", "de;q=0", "de;q=0.0, xx", "de;q=nan",
     "en;q=0.5, de;q=nan", "de;q=-1"],
)  # fmt: skip
def test_whatever_is_asked_for_there_is_english(ann: Client, header: str):
    assert 'lang="en"' in seen(ann, header)


@pytest.mark.parametrize(
    "header",
    ["de", "DE", "de-AT", "de_DE", "xx, de-1996;q=0.1", "en;q=0.5,de ; Q = 0.7", "en;q=0, de;q=0.1",
     "en;q=.9, de;q=0.1", "en;q=nan, de;q=0.1"],
)  # fmt: skip
def test_however_german_is_asked_for_there_is_german(ann: Client, german: None, header: str):
    assert 'lang="de"' in seen(ann, header)


def test_sentences_name_players_safely():
    told = Speech(names=("<Ann>", ""))
    line = says("{who} has {n} coal.", "{who} has {n} coals.", 2, who=SeatRef(0))
    assert told.plain(line) == "<Ann> has 2 coals."
    assert told.html(line) == '<b class="who seat-0">&lt;Ann&gt;</b> has 2 coals.'
    assert told.plain(say("{who} begins.", who=SeatRef(1))) == "Player 2 begins."
