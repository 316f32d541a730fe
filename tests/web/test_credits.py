"""README, rules texts and landing page say whose games these are."""

import pytest

import diablerie
from diablerie.engine import rules_text
from diablerie.engine.game import Game, Original
from diablerie.table.authority import Authority
from diablerie.web.app import create_app
from tests.languages import LANGUAGES, ROOT
from tests.web.client import PAGE, Client

README = (ROOT.parent.parent / "README.md").read_text("utf-8")
# That texts and pictures are our own, and that there is no affiliation: (rules text, landing page).
OURS = {
    "en": (
        "This text and the pictures are our own; diablerie is not affiliated with",
        "The rules texts and the pictures are our own; diablerie is not affiliated with",
    ),
    "de": (
        "Text und Bilder sind unsere eigenen; diablerie steht in keiner Verbindung zu",
        "Regeltexte und Bilder sind unsere eigenen; diablerie steht in keiner Verbindung zu",
    ),
    "fr": (
        "Le texte et les images sont de nous\u202f; diablerie n’a aucun lien avec",
        "Les textes des règles et les images sont de nous\u202f; diablerie n’a aucun lien avec",
    ),
    "ro": (
        "Textul și imaginile ne aparțin; diablerie nu are nicio legătură cu",
        "Textele regulilor și imaginile ne aparțin; diablerie nu are nicio legătură cu",
    ),
}
every = pytest.mark.parametrize("language", ["en", *LANGUAGES])


def original(game: Game) -> Original:
    assert game.original, game.name
    return game.original


def lacking(game: Game, text: str) -> list[str]:
    """What a text does not say of the original: title, names of the authors, publisher, year."""
    title, authors, publisher, year, _ = original(game)
    said = [title, *" ".join(authors).split(), publisher, str(year)]
    return [one for one in said if one not in text]


@every
@pytest.mark.parametrize("game", diablerie.GAMES.values(), ids=lambda game: game.name)
def test_the_rules_text_credits_the_original_in_its_first_paragraph(game, language):
    heading, credit, *_ = rules_text.localized_rules(game, language).split("\n\n")
    assert heading.startswith("# ")
    assert not lacking(game, credit)
    assert OURS[language][0] in credit


@every
def test_the_landing_page_credits_all_originals_at_its_foot(authority: Authority, language):
    page = landing(authority, language)
    assert f'<html lang="{language}"' in page
    foot = page.partition("<footer")[2].replace("&amp;", "&")
    for game in diablerie.GAMES.values():
        (entry,) = [item for item in foot.split("<li>") if original(game).title + "</cite>" in item]
        assert not lacking(game, entry)
        assert f'<cite lang="{original(game).language}">' in entry
    assert OURS[language][1] in foot


def landing(authority: Authority, language: str) -> str:
    client = Client(create_app(authority))
    return client.request("GET", "/", headers={**PAGE, "accept-language": language}).text


def test_the_readme_credits_all_originals():
    section = README.partition("\n## Credits\n")[2].partition("\n## ")[0]
    for game in diablerie.GAMES.values():
        (row,) = [line for line in section.splitlines() if line.startswith(f"| {game.title} |")]
        assert not lacking(game, row)
    assert "are our own" in section
    assert "not affiliated" in section
