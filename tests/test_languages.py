"""Everything a person reads is there in every language: whole, and of the same shape."""

import re
import sys

import pytest
from babel.messages.catalog import Catalog, Message

import diablerie
from diablerie.engine import rules_text
from tests.languages import LANGUAGES, ROOT, catalogue_of, messages_of
from tools import catalogues, languages

pytestmark = pytest.mark.xdist_group("sources")
every = pytest.mark.parametrize("language", LANGUAGES)
HELP = "make languages, then translate what it names (CONTRIBUTING.md, “Add a language”)"
HEADING = re.compile(r"^(#+) ", re.MULTILINE)
CODE = re.compile(r"\d\d-\d\d-\d\d|\d+")


def test_these_are_the_languages():
    assert catalogues.languages(ROOT) == list(LANGUAGES)


@every
def test_every_message_is_translated_and_none_that_is_gone(language):
    wanted, found = ({m.id for m in c if m.id} for c in (messages_of(), catalogue_of(language)))
    assert not wanted - found, HELP
    assert not found - wanted, HELP
    assert not [m.id for m in catalogues.unfinished(catalogue_of(language))], HELP


@every
def test_translations_have_the_names_the_marks_and_the_spaces_of_their_messages(language):
    assert not [flaw for m in catalogue_of(language) if m.id for flaw in catalogues.flaws(m)]


def test_values_stand_in_braces_and_nowhere_as_percent_signs():
    for found in (messages_of(), *map(catalogue_of, LANGUAGES)):
        texts = [t for m in found for t in (m.id, *catalogues.forms(m)) if m.id]
        assert not [text for text in texts if "%(" in str(text)]


@every
@pytest.mark.parametrize("game", diablerie.GAMES.values(), ids=lambda game: game.name)
def test_the_law_is_translated_clause_by_clause(game, language):
    english, there = game.text, rules_text.localized_rules(game, language)
    clauses = rules_text.clauses(game, language)
    assert there != english
    assert list(clauses) == list(game.clause_texts)
    assert HEADING.findall(there) == HEADING.findall(english)
    for clause, text in game.clause_texts.items():
        assert clauses[clause] != text, clause
        assert clauses[clause].count("*") == text.count("*"), clause
        assert sorted(CODE.findall(clauses[clause])) == sorted(CODE.findall(text)), clause


@every
def test_the_glossary_has_a_table_for_the_language(language):
    text = (ROOT.parent.parent / "docs" / "glossary.md").read_text("utf-8")
    name = {"de": "Deutsch", "fr": "Français", "ro": "Română"}[language]
    table = text.partition(f"\n## {name}\n")[2].partition("\n## ")[0]
    assert table.count("\n| ") > 30


@pytest.mark.parametrize(
    ("message", "translation", "flaw"),
    [
        ("{who} has {n}.", "{wer} hat {n}.", "names"),
        ("{who} has {n}.", "{who} hat viele.", "names"),
        ("{n}% of them", "{num}% davon", "names"),
        ("a <b>bold</b> one", "ein <b>kühnes<b>", "marks"),
        ("see <a href='/'>this</a>", "siehe <a href='/x'>dies</a>", "marks"),
        (" and on", "und weiter", "spaces"),
        ("and on", "und weiter\n", "spaces"),
        (("{n} cat", "{n} cats"), ("{n} Katze", "Katzen"), "names"),
    ],
)
def test_a_translation_of_another_shape_is_seen(message, translation, flaw):
    (told,) = catalogues.flaws(Message(message, translation))
    assert flaw in told


@pytest.mark.parametrize(
    ("message", "translation"),
    [
        ("{who} has {n}.", "Es hat {n}: {who}."),
        ("20% or {n}", "20\xa0% oder {n}"),
        (("one cat", "{n} cats"), ("eine Katze", "{n} Katzen")),
    ],
)
def test_a_translation_may_say_it_in_another_order(message, translation):
    assert not list(catalogues.flaws(Message(message, translation)))


def test_doubtful_and_empty_translations_are_unfinished():
    made = Catalog(locale="de")
    made.add("yes", "ja", flags=["fuzzy"])
    made.add("no", "")
    made.add(("{n} cat", "{n} cats"), ("{n} Katze", ""))
    made.add("none", "keine")
    assert [m.id for m in catalogues.unfinished(made)] == ["yes", "no", ("{n} cat", "{n} cats")]


def test_the_tool_brings_a_catalogue_up_to_date_without_guessing(tmp_path, monkeypatch, capsys):
    game = tmp_path / "hat"
    game.mkdir()
    monkeypatch.setattr("sys.argv", ["languages", str(game), "de"])
    (game / "__init__.py").write_text('say("A hat.")\nsays("{n} hat", "{n} hats", 2)\n')
    assert languages.main() == 1
    assert "de: 2 messages, 2 missing, 0 wrong" in capsys.readouterr().out
    path = catalogues.catalogue_file(game, "de")
    text = path.read_text().replace('"A hat."\nmsgstr ""', '"A hat."\nmsgstr "Ein Hut."')
    path.write_text(text.replace('[0] ""', '[0] "{n} Hut"').replace('[1] ""', '[1] "{n} Hüte"'))
    monkeypatch.setattr("sys.argv", ["languages", str(game)])
    assert languages.main() == 0
    before = path.read_bytes()
    assert languages.main() == 0
    assert path.read_bytes() == before, "again makes no difference"
    (game / "__init__.py").write_text('say("A hat!")\nsays("{n} hat", "{n} hats", 2)\n')
    assert languages.main() == 1
    assert "no translation: 'A hat!'" in capsys.readouterr().out
    found = catalogues.read_catalogue(path)
    assert found.get("A hat.") is None
    assert found.get(("{n} hat", "{n} hats")).string == ("{n} Hut", "{n} Hüte")


@pytest.mark.parametrize("named", ["zz", "de_XX_", "../x"])
def test_what_is_no_language_is_refused_in_one_line(named, monkeypatch, capsys):
    monkeypatch.setattr(sys, "argv", ["languages", named])
    assert languages.main() == 2
    assert capsys.readouterr().err.count("\n") == 1
