"""What a devil tells of the group's series at the beginning of a game, and what it changes: nothing."""

import re
from collections.abc import Callable
from dataclasses import replace

import pytest

from diablerie.engine.fair import DiceStream
from diablerie.engine.plies import Event
from diablerie.table.authority import Authority
from diablerie.table.bots.driver import BotPlayer
from diablerie.table.commands import groups, lobby, seats
from diablerie.table.commands.evenings import PAUSE_SECONDS
from diablerie.table.commands.groups import Group
from diablerie.table.commands.history import Series, SeriesRecord, Standing
from diablerie.table.commands.recollections import (
    LEAD,
    LOSS,
    SENTENCES_OF_A_KIND,
    TEMPER_COUNT,
    Memory,
    Recollection,
    memories_of,
    recalled,
    temper_of,
)
from diablerie.table.state.table_state import OPEN_SEAT, TableState
from diablerie.web.frames.recollection_lines import REMEMBERING, recollection_told
from tests.conftest import IN_CI
from tests.languages import LANGUAGES, catalogue_of
from tests.table.conftest import ANN, BO, Clock, play
from tests.table.test_groups import family, won_by

ON_BOTH = IN_CI
RECALLED_KINDS = (LEAD, LOSS)
WEEKDAYS = (
    *("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"),
    *("montag", "dienstag", "mittwoch", "donnerstag", "freitag", "samstag", "sonntag", "sonnabend"),
    *("lundi", "mardi", "mercredi", "jeudi", "vendredi", "samedi", "dimanche"),
    *("luni", "marți", "miercuri", "joi", "vineri", "sâmbătă", "duminică"),
)


def against_devils(authority: Authority, group: Group, bots: int = 1) -> TableState:
    """A game of Oma's, and of nobody else but devils."""
    opening = lobby.TableOpening(
        "toy", [lobby.HERE, *["imp"] * bots], names=["Oma"], group=group.id, members={0: 1}
    )
    return lobby.open_table.do(authority, ANN, opening)


def ahead(authority: Authority) -> Group:
    """A group in whose series Opa leads."""
    group = family(authority)
    won_by(authority, group, BO)
    return group


def test_a_devil_tells_who_leads_and_goes_on_telling_the_same(
    authority: Authority, reopen: Callable[[], Authority]
) -> None:
    group = ahead(authority)
    live = against_devils(authority, group)
    told = recalled(authority, live)
    assert told
    assert (told.seat, told.kind, told.name, told.n) == (1, LEAD, "Opa", 1)
    won_by(authority, group, BO)
    assert recalled(authority, live) == told
    again = reopen()
    assert recalled(again, again.live(live.id)) == told


def test_nothing_is_told_where_not_all_who_are_seated_belong_to_the_group(
    authority: Authority,
) -> None:
    group = ahead(authority)
    live = against_devils(authority, group)
    guest = replace(live.seats[0], member=0)
    gone = replace(live.seats[0], member=7)
    for stranger in (guest, gone):
        assert recalled(authority, replace(live, seats=(stranger, live.seats[1]))) is None
    assert recalled(authority, replace(live, group="")) is None
    assert recalled(authority, live)


def test_nothing_is_told_before_a_game_later_in_it_or_without_devils(authority: Authority) -> None:
    group = ahead(authority)
    live = against_devils(authority, group)
    assert recalled(authority, replace(live, status="open")) is None
    opened = groups.open_evening(authority, group.link, ANN, "toy", [1])
    assert {info.kind for info in opened.seats} >= {OPEN_SEAT}
    both = groups.sit(authority, group.link, BO, opened.id, [2])
    assert recalled(authority, both) is None
    assert recalled(authority, live)
    play(authority, live.id, "0 bid 1")
    player = BotPlayer(authority, seed=1)
    while (now := authority.live(live.id)).status == "running" and now.ply < 12:
        player.play_due_turn(live.id)
        if 0 in authority.live(live.id).pending:
            move = authority.live(live.id).position(0).moves[0].text
            play(authority, live.id, f"0 {move}")
    assert recalled(authority, authority.live(live.id)) is None


def test_a_removed_person_is_not_told_of(authority: Authority) -> None:
    group = ahead(authority)
    live = against_devils(authority, group)
    assert recalled(authority, live)
    groups.remove(authority, group.link, ANN, 2)
    assert recalled(authority, live) is None


def test_nothing_is_told_twice_in_an_evening_even_if_tables_are_deleted(
    authority: Authority, clock: Clock
) -> None:
    group = ahead(authority)
    told = []
    for number in range(SENTENCES_OF_A_KIND + 2):
        clock.now += 60
        live = against_devils(authority, group)
        told.append(recalled(authority, live))
        if number % 2:
            lobby.delete_table(authority, live.id, ANN)
        else:
            seats.resign(authority, live.id, ANN, 0)
    said = [one.number for one in told if one]
    assert sorted(said) == [*range(SENTENCES_OF_A_KIND)], "then the devil is silent"
    assert told[SENTENCES_OF_A_KIND:] == [None, None]
    clock.now += PAUSE_SECONDS + 1
    assert recalled(authority, against_devils(authority, group))


def test_devils_of_one_temper_do_not_repeat_each_other() -> None:
    assert [temper_of(seat) for seat in range(6)] == [3, 0, 1, 2, 3, 0]


def test_devils_remember_only_what_the_page_of_the_group_shows() -> None:
    series = Series(
        (Standing("Oma", 0, 4, 3, 1), Standing("Opa", 1, 4, 1, 2)),
        (
            SeriesRecord("coals", False, 900, "Oma", 1),
            SeriesRecord("coals", True, 330, "Opa", 2),
            SeriesRecord("kitchen", True, 5, "Oma", 1),
        ),
        4,
        0,
    )
    assert memories_of(series, "coals") == [Memory(LEAD, 1, 3), Memory(LOSS, 2, 330)]
    assert memories_of(series, "tails") == [Memory(LEAD, 1, 3)]
    tied = series._replace(standings=(Standing("Oma", 0, 4, 2, 1), Standing("Opa", 1, 4, 2, 2)))
    assert memories_of(tied, "tails") == []
    assert memories_of(Series((), (), 0, 0), "coals") == []


def game_of(authority: Authority, live: TableState, ask: bool) -> list[tuple[Event, ...]]:
    """All that happens in a game whose person does the first thing allowed; its devil is seeded."""
    player = BotPlayer(authority, seed=1)
    while (now := authority.live(live.id)).status == "running":
        if ask:
            recalled(authority, now)
        if 0 in now.pending:
            play(authority, live.id, f"0 {now.position(0).moves[0].text}")
        else:
            player.play_due_turn(live.id)
    return [ply.events for ply in authority.live(live.id).plies]


def test_the_same_seeds_give_the_same_game_with_and_without(
    authority: Authority, monkeypatch: pytest.MonkeyPatch
) -> None:
    group = family(authority)
    monkeypatch.setattr(DiceStream, "fresh", lambda: DiceStream(DiceStream.seeded(7).key))
    before = against_devils(authority, group, bots=2)
    assert recalled(authority, before) is None
    silent = game_of(authority, before, ask=False)
    won_by(authority, group, BO)
    won_by(authority, group, BO)
    after = against_devils(authority, group, bots=2)
    assert recalled(authority, after)
    assert game_of(authority, after, ask=True) == silent
    assert len(silent) > 10


def test_every_devil_has_five_sentences_of_a_kind_that_differ_in_more_than_names_and_numbers() -> (
    None
):
    tempers = [remembering("Opa", 330) for remembering in REMEMBERING]
    assert len(tempers) == TEMPER_COUNT
    lines = [line for temper in tempers for kind in RECALLED_KINDS for line in temper[kind]]
    assert len(lines) == TEMPER_COUNT * len(RECALLED_KINDS) * SENTENCES_OF_A_KIND
    assert all(
        len(temper[kind]) == SENTENCES_OF_A_KIND for temper in tempers for kind in RECALLED_KINDS
    )
    for language in ("en", *LANGUAGES):
        texts = [translated(line.text, language) for line in lines]
        bare = {re.sub(r"\{\w+\}|\W|\d", "", text).casefold() for text in texts}
        assert len(bare) == len(lines), language
        for text in texts:
            assert "{name}" in text
            assert not set(re.findall(r"\w+", text.casefold())) & {*WEEKDAYS}, text
    for temper in tempers:
        assert all("{n}" in line.text for line in temper[LOSS])


def translated(text: str, language: str) -> str:
    if language == "en":
        return text
    message = catalogue_of(language).get(text)
    assert message
    return str(message.string)


def test_a_sentence_names_its_devil_and_the_member() -> None:
    line = recollection_told(Recollection(2, LOSS, 0, "Opa", 330))
    assert line.values["who"] == 2
    assert "330" in str(line.values["words"])
    assert "Opa" in str(line.values["words"])
