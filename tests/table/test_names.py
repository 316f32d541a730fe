"""Names: which may be had; and what people delete of theirs."""

from collections.abc import Callable

import pytest
import sqlalchemy as sa

from diablerie.bots.spec import KINDS
from diablerie.table.authority import Authority
from diablerie.table.commands import chat, lobby
from diablerie.table.errors import BadInput, Forbidden, NotFound, WrongTime
from diablerie.table.state import visitors
from diablerie.table.state.table_state import TableState
from diablerie.table.state.visitors import DEVIL_NAMES, chosen_name
from diablerie.table.storage import schema
from tests.languages import LANGUAGES, catalogue_of
from tests.table.conftest import ANN, BO, seated
from tests.table.test_seats import finished

# Messages by which pages call people, chance and colours
OWN = ("You", "you", "Open seat", "open seat", "Player {n}", "Dice", "yellow", "violet", "blue",
       "green", "red", "the ring", "ring")  # fmt: skip


@pytest.mark.parametrize(
    "name",
    ["\u200b", "\u3164", "\u2800\u2800", "\u0301\u0301", "Devil Soot", "DEVIL", "Dévil  soot",
     "Sооt", "Oberteufel Ash", "Imp", "bot", "O.b.e.r.t.e.u.f.e.l", "ＤＥＶＩＬ", "Teufel Ruß",
     "You", "YOU", "player 3", "Person 2", "Nobody", "nimeni", "Personne", "Zufall", "Roșu", "bleu"],
    ids=ascii,
)  # fmt: skip
def test_names_that_nobody_sees_or_that_are_a_devils_are_refused(
    authority: Authority, name: str
) -> None:
    table = lobby.open_table(authority, ANN, "toy", ["me", "open"]).id
    with pytest.raises(BadInput):
        lobby.rename(authority, table, ANN, 0, name)
    with pytest.raises(BadInput):
        lobby.sit(authority, table, BO, name=name)
    with pytest.raises(BadInput):
        lobby.open_table(authority, ANN, "toy", ["me", "open"], names=[name])


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_pages_call_others_is_nobodys_name(language: str) -> None:
    """Here the words are read in the catalogues, which `own_words` repeats."""
    catalogue, refused = catalogue_of(language), 0
    for message in (*OWN, *map(str, DEVIL_NAMES), *(str(kind.title) for kind in KINDS.values())):
        for text in (message, str(catalogue[message].string)):
            with pytest.raises(BadInput):
                chosen_name(text.replace("{n}", "2"))
            refused += 1
    assert refused > 40
    words = {one.string.casefold() for one in catalogue if isinstance(one.string, str)}
    spoken = [visitors.DEVILS_NAMES, visitors.DEVIL_WORDS]
    assert all(words & set(names) for names in spoken)


@pytest.mark.parametrize(
    "name", ["", "Ann", "Дева", "明", "Mr. Flintstone", "42", "Ann Green", "Yourik", "Ann \u3164"]
)
def test_other_names_are_fine(name: str) -> None:
    assert chosen_name(name) == name.replace(" \u3164", "")


@pytest.mark.parametrize(
    "name",
    ["🤷‍♀️", "🏳️‍🌈 Ann", "👩🏽‍🚀", "👨‍👩‍👧‍👦", "🙂‍↔️",
     "🏴󠁧󠁢󠁥󠁮󠁧󠁿", "🇷🇴", "می‌خواهم", "ه‍.ش",
     "അവന്‍", "രാജ്‌കുമാര്", "র‍্যাব", "ක්‍ර", "क्‍ष"],
    ids=ascii,
)  # fmt: skip
def test_names_and_chat_are_kept_as_they_are_written(authority: Authority, name: str) -> None:
    table = seated(authority, ANN, BO)
    assert str(lobby.rename(authority, table, ANN, 0, name).name(0)) == name
    assert chat.chat(authority, table, ANN, f"{name} {name}!").chat[-1].text == (f"{name} {name}!")


@pytest.mark.parametrize(
    ("name", "kept"),
    [
        ("A‍n‌n", "Ann"),
        ("‍می‌", "می"),
        ("می‌‌خواهم‍", "می‌خواهم"),
        ("🙂‍", "🙂"),
        ("🏴󠁨󠁩󠁿", "🏴"),
        ("Ann󠁧󠁢󠁥󠁮󠁧󠁿", "Ann"),
        ("⁧می⁩‏﻿", "می"),
        ("x" * 20 + "👨‍👩‍👧‍👦", "x" * 20),
        ("x" * 23 + "🇷🇴", "x" * 23),
        ("x" * 23 + "é", "x" * 23),
    ],
    ids=ascii,
)
def test_joiners_stay_only_where_they_are_seen(name: str, kept: str) -> None:
    assert chosen_name(name) == kept


def test_no_two_names_differ_only_in_what_nobody_sees(authority: Authority) -> None:
    plain, joined = "دلارها", "دلار‌ها"
    table = lobby.open_table(authority, ANN, "toy", ["me", "open"], names=[plain]).id
    with pytest.raises(BadInput, match="looks the same"):
        lobby.sit(authority, table, BO, name=joined)
    with pytest.raises(BadInput, match="looks the same"):
        lobby.open_table(authority, ANN, "toy", ["me", "me"], names=["Zoë️", "Zoë"])
    lobby.sit(authority, table, BO, name="Bo")
    with pytest.raises(BadInput, match="looks the same"):
        lobby.rename(authority, table, BO, 1, joined)
    assert str(lobby.rename(authority, table, ANN, 0, joined).name(0)) == joined, "one's own"


@pytest.mark.parametrize(
    "alike", ["Ａｎｎ", "𝐀nn", "Ꭺnn", "Аnn", "ꓮnn", "Αnn", "A\u200dnn\ufe0f"], ids=ascii
)
def test_no_name_is_drawn_like_another(authority: Authority, alike: str) -> None:
    table = lobby.open_table(authority, ANN, "toy", ["me", "open"], names=["Ann"]).id
    if chosen_name(alike) == "Ann":
        assert str(lobby.sit(authority, table, BO, name=alike).name(1)) == "Ann 2"
        return
    with pytest.raises(BadInput, match="looks the same"):
        lobby.sit(authority, table, BO, name=alike)


def test_a_second_ann_gets_a_number(authority: Authority) -> None:
    table = lobby.open_table(authority, ANN, "toy", ["me", "open"], names=["Ann"]).id
    assert called(lobby.sit(authority, table, BO, name="Ann")) == ["Ann", "Ann 2"]
    assert called(lobby.rename(authority, table, BO, 1, "Ann")) == ["Ann", "Ann 2"]
    assert called(lobby.rename(authority, table, ANN, 0, "Ann 2")) == ["Ann 2 2", "Ann 2"]
    both = lobby.open_table(authority, ANN, "toy", ["me", "me"], names=["x" * 24] * 2)
    assert called(both) == ["x" * 24, "x" * 22 + " 2"]
    none = lobby.open_table(authority, ANN, "toy", ["me", "me"])
    assert called(none) == ["", ""]


def called(live: TableState) -> list[str]:
    return [info.name for info in live.seats]


def test_a_letter_bears_a_few_marks(authority: Authority) -> None:
    assert chosen_name("Z" + "\u0301" * 23 + "oe") == "Z" + "\u0301" * 5 + "oe"
    assert chosen_name("क" + "\u0301\u200d" * 12).count("\u0301") <= 5
    for name in ("Việt", "ကြွေး", "བསྒྲུབས", "שָׁלוֹם"):
        assert chosen_name(name) == name


def test_a_table_is_deleted_by_who_opened_it_with_all_its_rows(authority: Authority) -> None:
    alone = lobby.open_table(authority, ANN, "toy", ["me", "random"]).id
    opened = lobby.open_table(authority, ANN, "toy", ["me", "open", "open"]).id
    lobby.sit(authority, opened, BO)
    chat.chat(authority, alone, ANN, "hm")
    together = seated(authority, ANN, BO)
    for table in (alone, opened, together):
        with pytest.raises(Forbidden):
            lobby.delete_table(authority, table, BO)
    with pytest.raises(WrongTime):
        lobby.delete_table(authority, together, ANN)
    for table in (alone, opened):
        lobby.delete_table(authority, table, ANN)
        with pytest.raises(NotFound):
            authority.live(table)
    with authority.store.engine.connect() as connection:
        for part in (schema.matches, schema.seats, schema.plies, schema.chat):
            column = "id" if part is schema.matches else "match"
            left = set(connection.execute(sa.select(part.c[column])).scalars())
            assert left <= {together}


def test_ones_names_are_forgotten_everywhere(
    authority: Authority, reopen: Callable[[], Authority]
) -> None:
    tables = [finished(authority), seated(authority, ANN, BO)]
    for table in tables:
        lobby.rename(authority, table, ANN, 0, "Anna")
        lobby.rename(authority, table, BO, 1, "Bob")
    assert lobby.delete_names(authority, ANN) == 2
    for house in (authority, reopen()):
        for table in tables:
            assert [str(house.live(table).name(i)) for i in (0, 1)] == ["Player 1", "Bob"]
        assert "Anna" not in house.export(house.live(tables[0]), 0)
