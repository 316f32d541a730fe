"""The daily challenge on its page: by a form, without script, without a database."""

import re
from datetime import UTC, date, datetime, timedelta
from html import unescape
from pathlib import Path
from typing import Any
from urllib.parse import unquote_plus

import pytest
from sqlalchemy import event

from diablerie.daily import challenge as calendars
from diablerie.daily.challenge import BadList, Challenge
from diablerie.engine.queries import redacted
from diablerie.engine.record import same
from diablerie.games import ALL
from diablerie.table.authority import Authority
from diablerie.web.app import Services, create_app
from diablerie.web.routes.daily import percent_of
from tests.daily.challenges import FEW, beginning, day_of
from tests.simulated_clock import SimulatedClock
from tests.stores import new_store
from tests.web.client import PAGE, SCRIPT, Client

FIRST = date(2030, 1, 1)
GAMES = sorted({one.game for one in FEW})
NOW = FIRST + timedelta(4 * len(FEW) + 3)  # more than a page of the archive
NOON = datetime(NOW.year, NOW.month, NOW.day, 12, tzinfo=UTC).timestamp()


@pytest.fixture
def clock() -> SimulatedClock:
    return SimulatedClock(NOON)


@pytest.fixture
def ann(tmp_path: Path, clock: SimulatedClock):
    store = new_store(tmp_path / "tables.db")
    yield Client(create_app(Authority(store, clock=clock), Services(calendar=beginning(FIRST))))
    store.close()


def plain(page: str) -> str:
    """The text of a page."""
    return " ".join(unescape(re.sub(r"<[^>]*>", " ", page)).split())


def today() -> Challenge:
    found = beginning(FIRST).on(NOW)
    assert found
    return found


# -- the page --------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", GAMES)
def test_a_page_shows_the_position_and_all_actions(ann: Client, game: str):
    day, challenge = day_of(game, FIRST)
    page = ann.page(f"/daily/{day}")
    assert page.status_code == 200
    s, seat = challenge.state, challenge.seat
    rules = ALL[game]
    if rules.amount(s, seat):
        assert 'name="amount"' in page.text
    else:
        offered = {unescape(x) for x in re.findall(r'name="do" value="([^"]*)"', page.text)}
        assert offered == {one.text for one in challenge.actions}
    assert 'class="board"' in page.text
    assert "<svg" in page.text


def test_nothing_gives_the_best_action_away_before_an_answer(ann: Client):
    """The page of a challenge is the same whichever action is best."""
    page = ann.page("/daily").text
    for word in ("daily-told", "hint-list", "badge success", "found it", "games."):
        assert word not in page.partition("<main")[2]


def test_today_is_the_same_as_its_date(ann: Client):
    assert ann.page("/daily").text.count(f"/daily/{NOW}") >= 2
    assert plain(ann.page("/daily").text) == plain(ann.page(f"/daily/{NOW}").text)


def test_the_day_changes_at_midnight_utc(ann: Client, clock: SimulatedClock):
    before = ann.page("/daily").text
    clock.sleep(12 * 3600 - 1)
    assert f'action="/daily/{NOW}"' in before
    assert f'action="/daily/{NOW}"' in ann.page("/daily").text
    clock.sleep(1)
    assert f'action="/daily/{NOW + timedelta(1)}"' in ann.page("/daily").text


def test_the_list_begins_again_after_its_end(ann: Client):
    assert today() is FEW[3]


def test_hidden_information_stays_hidden(ann: Client):
    """The page is made from the record as the seat knows it: it is all that the list holds."""
    for one in FEW:
        assert same(redacted(one.state, one.seat), one.state)


# -- answers ---------------------------------------------------------------------------------------


def solution(ann: Client, challenge: Challenge, day: date, text: str) -> str:
    answer = ann.send(f"/daily/{day}", do=text)
    assert answer.status_code == 303
    where = answer.headers["location"]
    assert where.startswith(f"/daily/{day}?do=")
    assert unquote_plus(where.partition("=")[2]) == text
    page = ann.page(where)
    assert page.status_code == 200
    return page.text


@pytest.mark.parametrize("game", GAMES)
def test_the_best_action_and_another(ann: Client, game: str):
    day, challenge = day_of(game, FIRST)
    page = plain(solution(ann, challenge, day, challenge.best.text))
    assert "That is the best action." in page
    assert "gives away" not in page
    worst = challenge.actions[-1]
    page = plain(solution(ann, challenge, day, worst.text))
    lost = percent_of(challenge.best.chance) - percent_of(worst.chance)
    assert f"gives away about {lost} of 100 games" in page
    assert f"lost about {lost}%" in page
    for level, title in zip(
        challenge.levels, ("Imp", "Devil", "Archdevil", "Oberteufel"), strict=True
    ):
        assert f"{title}: {'found it' if level.found else 'missed it'}" in page


def test_the_reasons_of_the_game_stand_beside_the_actions(ann: Client):
    day, challenge = day_of("coals", FIRST)
    s, seat = challenge.state, challenge.seat
    action = challenge.rules.notation.parse_action(s, seat, challenge.best.text)
    why = challenge.rules.reason(s, seat, action)
    assert why
    assert str(why) in plain(ann.page(f"/daily/{day}?show=1").text)


def told(page: str) -> list[str]:
    found = re.search(r'<textarea id="daily-told"[^>]*>([^<]*)</textarea>', page)
    assert found
    return unescape(found[1]).splitlines()


def test_five_lines_to_paste_that_give_nothing_away(ann: Client):
    page = solution(ann, today(), NOW, today().best.text)
    first, second, third, fourth, last = told(page)
    assert first == f"diablerie daily {NOW}"
    assert second.startswith(f"{today().game.upper()} · ")
    assert third == "found the best action"
    assert fourth == f"{today().finders} of 4 devils found it"
    assert last.endswith(f"/daily/{NOW}")
    assert today().best.text not in " ".join((first, second, third, fourth))


def test_the_answer_may_be_looked_at(ann: Client):
    answer = ann.send(f"/daily/{NOW}", show="1")
    assert answer.headers["location"] == f"/daily/{NOW}?show=1"
    page = ann.page(answer.headers["location"]).text
    assert told(page)[2] == "looked at the answer"
    assert "gives away" not in page


def test_a_number_is_an_answer_where_one_is_asked_for(ann: Client, monkeypatch: Any):
    day, challenge = day_of("coals", FIRST)
    asked = challenge.rules.amount(challenge.state, challenge.seat)
    text = challenge.actions[0].text
    head, _, number = text.partition(" ")
    if asked:
        answer = ann.send(f"/daily/{day}", amount=number)
        assert answer.headers["location"].endswith(f"do={head}+{number}")
    else:
        answer = ann.send(f"/daily/{day}", amount="50")
        assert answer.status_code == 422


def test_of_several_actions_in_a_row_the_first_counts(ann: Client):
    text = today().best.text
    answer = ann.send(f"/daily/{NOW}", do=f"{text}; something else")
    assert unquote_plus(answer.headers["location"]).endswith(f"?do={text}")


@pytest.mark.parametrize("fields", [{}, {"do": ""}, {"do": "nonsense"}, {"do": "bet 99999"}])
def test_what_is_not_legal_is_refused_beside_the_question(ann: Client, fields: dict[str, str]):
    answer = ann.send(f"/daily/{NOW}", **fields)
    assert answer.status_code == 422
    assert 'class="notice refusal" role="alert"' in answer.text
    assert 'id="lesson-form"' in answer.text
    assert "daily-told" not in answer.text


def test_a_made_up_address_gets_no_solution(ann: Client):
    page = ann.page(f"/daily/{NOW}?do=nonsense")
    assert page.status_code == 422
    assert "daily-told" not in page.text


def test_a_program_gets_the_address(ann: Client):
    answer = ann.call(f"/daily/{NOW}", do=today().best.text)
    assert answer.json()["url"].startswith(f"/daily/{NOW}?do=")


def test_nothing_is_written(ann: Client):
    store = ann.app.state.authority.store
    written = []

    def seen(connection: Any, cursor: Any, statement: str, *rest: Any) -> None:
        if not statement.lstrip().upper().startswith(("SELECT", "PRAGMA", "BEGIN", "SAVEPOINT")):
            written.append(statement)

    event.listen(store.engine, "before_cursor_execute", seen)
    solution(ann, today(), NOW, today().best.text)
    ann.page("/daily/archive")
    assert written == []
    assert not ann.cookies


# -- days that are refused -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("day", "status", "words"),
    [
        (NOW + timedelta(1), 404, "not shown before the day begins"),
        (date(9999, 12, 31), 404, "not shown before the day begins"),
        (FIRST - timedelta(1), 404, "The first daily challenge is that of January 1, 2030."),
        ("2030-02-30", 400, "is not a day such as"),
        ("20300102", 400, "is not a day such as"),
        ("yesterday", 400, "is not a day such as"),
        ("2030-1-2", 400, "is not a day such as"),
        ("٢٠٣٠-٠١-٠٢", 400, "is not a day such as"),
    ],
)
def test_a_day_that_is_refused_in_a_sentence(ann: Client, day: object, status: int, words: str):
    for address in (f"/daily/{day}", f"/daily/{day}/preview.png"):
        page = ann.request("GET", address, headers=PAGE)
        assert page.status_code == status
        assert words in plain(page.text)
        problem = ann.request("GET", address, headers=SCRIPT)
        assert problem.status_code == status
        assert words in problem.json()["title"]
    assert ann.send(f"/daily/{day}", do="pull").status_code == status


# -- the archive, the landing page, the preview ----------------------------------------------------


def test_the_archive_lists_all_days_so_far_the_latest_first(ann: Client):
    listed, n = [], 1
    while (page := ann.page(f"/daily/archive?page={n}")).status_code == 200:
        listed += re.findall(r'href="/daily/([0-9-]{10})"', page.text)
        n += 1
    assert listed == [str(NOW - timedelta(k)) for k in range((NOW - FIRST).days + 1)]
    assert page.status_code == 404
    assert "no earlier days" in plain(page.text)
    assert ann.page("/daily/archive?page=0").status_code == 404
    assert ann.page("/daily/archive?page=x").status_code == 404


def test_the_landing_page_shows_todays_challenge(ann: Client):
    page = ann.page("/").text
    assert f'href="/daily/{NOW}"' in page
    assert "Daily challenge" in page


def test_before_the_first_day_there_is_no_card_and_a_sentence(tmp_path: Path):
    store = new_store(tmp_path / "tables.db")
    early = Client(
        create_app(Authority(store, clock=SimulatedClock(0.0)), Services(calendar=beginning(FIRST)))
    )
    assert "Daily challenge" not in early.page("/").text
    assert "The first daily challenge is that of" in plain(early.page("/daily").text)
    assert early.page("/daily").status_code == 404
    assert early.page("/daily/archive").status_code == 200
    store.close()


def test_a_damaged_list_is_told_and_the_landing_page_goes_without(
    tmp_path: Path, monkeypatch: Any, caplog: Any
):
    def damaged() -> None:
        raise BadList("It was cut.")

    monkeypatch.setattr(calendars, "calendar", damaged)
    store = new_store(tmp_path / "tables.db")
    client = Client(create_app(Authority(store)))
    assert "Daily challenge" not in client.page("/").text
    assert "damaged" in caplog.text
    page = client.page("/daily")
    assert page.status_code == 500
    assert "The list of daily challenges is damaged." in plain(page.text)
    store.close()


def test_a_preview_shows_the_position(ann: Client):
    page = ann.page(f"/daily/{NOW}").text
    found = re.search(r'property="og:image" content="[^"]*(/daily/[^"]*)"', page)
    assert found
    picture = ann.request("GET", found[1])
    assert picture.headers["content-type"] == "image/png"
    assert picture.content.startswith(b"\x89PNG")


@pytest.mark.parametrize("locale", ["de", "fr", "ro"])
def test_other_languages(ann: Client, locale: str):
    headers = {**PAGE, "accept-language": locale}
    page = ann.request("GET", "/daily?show=1", headers=headers).text
    assert f'<html lang="{locale}"' in page
    for english in ("Daily challenge", "found it", "Which devils"):
        assert english not in plain(page)
