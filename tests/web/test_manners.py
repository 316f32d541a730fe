"""Manners: one may stop hearing a player, and show a line to whoever keeps the server."""

from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner

from diablerie.cli import commands
from diablerie.table.authority import Authority
from diablerie.table.commands.chat import MOST_REPORTS, REPORTS_KEPT, list_reports
from tests.simulated_clock import SimulatedClock
from tests.web.client import Client

RUDE = "You play like a wet candle."


@pytest.fixture
def table(ann: Client, bo: Client) -> str:
    made = ann.open(open="1", names="Ann")
    bo.call(f"{made}/sit", name="Bo")
    bo.call(f"{made}/chat", text=RUDE)
    ann.call(f"{made}/chat", text="Ouch.")
    return made


def lines(client: Client, table: str) -> str:
    return str(client.get(f"{table}/frame").json()["regions"]["chat"])


def test_who_is_muted_is_not_heard_by_this_browser_alone(table: str, ann: Client, bo: Client):
    assert ann.call(f"{table}/mute", seat=1).status_code == 200
    assert RUDE not in lines(ann, table)
    assert "Ouch." in lines(ann, table)
    assert "1 line of a player you have muted is not shown." in lines(ann, table)
    assert RUDE in lines(bo, table)
    bo.call(f"{table}/chat", text="Anybody here?")
    assert "Anybody here?" not in lines(ann, table)


def test_a_mute_is_taken_back(table: str, ann: Client):
    ann.send(f"{table}/mute", seat=1)
    assert "Show Bo’s lines again" in ann.page(table).text
    ann.send(f"{table}/mute", seat=1, hear=1)
    assert RUDE in ann.page(table).text
    assert "Mute Bo for me" in ann.page(table).text


def test_a_mute_holds_at_the_next_table_too(table: str, ann: Client, bo: Client):
    ann.call(f"{table}/mute", seat=1)
    other = ann.open(open="1")
    bo.call(f"{other}/sit")
    bo.call(f"{other}/chat", text=RUDE)
    assert RUDE not in lines(ann, other)


def test_a_mute_says_nothing_to_others_and_has_an_end(table: str, ann: Client, bo: Client):
    live = bo.data(table)
    ann.call(f"{table}/mute", seat=1)
    kept = ann.cookies["muted"]
    assert len(kept) == 12
    assert bo.data(table)["seats"][1] == live["seats"][1]
    many = ".".join(f"{n:012}" for n in range(60))
    ann.cookies.set("muted", many, domain="localhost.local")
    ann.call(f"{table}/mute", seat=1)
    assert len(ann.cookies["muted"]) < 50 * 13
    assert ann.cookies["muted"].endswith(kept)


def test_a_reported_line_is_kept_for_whoever_keeps_the_server(
    table: str, ann: Client, authority: Authority
):
    answer = ann.send(f"{table}/report", line=1)
    assert answer.status_code == 200
    assert "Thank you" in answer.text
    assert f'href="{table}"' in answer.text
    (report,) = list_reports(authority.store)
    assert (report.table, report.line, report.name, report.text) == (
        table.removeprefix("/t/"), 1, "Bo", RUDE
    )  # fmt: skip


def test_a_report_outlives_its_table_for_a_while(
    table: str, ann: Client, bo: Client, authority: Authority
):
    ann.call(f"{table}/report", line=1)
    authority.change(table.removeprefix("/t/"), lambda _: None)
    authority.sweep()
    assert list_reports(authority.store)
    later = authority.clock() + REPORTS_KEPT + 1
    authority.clock = SimulatedClock(later)
    authority.sweep()
    assert list_reports(authority.store) == []


@pytest.mark.parametrize(
    ("who", "line", "status"),
    [("cy", 1, 403), ("ann", 2, 409), ("ann", 99, 404), ("ann", "x", 422)],
)
def test_what_cannot_be_reported_is_refused(
    table: str, ann: Client, browser: Callable[[], Client], who: str, line: object, status: int
):
    client = ann if who == "ann" else browser()
    client.open(open="1")
    assert client.call(f"{table}/report", line=line).status_code == status


def test_reports_are_no_flood(table: str, ann: Client, bo: Client, authority: Authority):
    assert ann.call(f"{table}/report", line=1).status_code == 200
    assert ann.call(f"{table}/report", line=1).status_code == 409
    for _ in range(6):
        authority.limits._levels.clear()
        bo.call(f"{table}/chat", text=RUDE)
    answers = [ann.call(f"{table}/report", line=n).status_code for n in range(3, 9)]
    assert answers == [200, 200, 200, 200, 200, 429]  # five more: the first was before
    assert len(list_reports(authority.store)) <= MOST_REPORTS


def test_the_command_lists_them_and_throws_them_away(
    table: str, ann: Client, authority: Authority, tmp_path: Path
):
    ann.call(f"{table}/report", line=1)
    run, db = CliRunner(), str(tmp_path / "tables.db")
    listed_first = run.invoke(commands, ["reports", "--db", db]).output
    assert f"Bo: {RUDE}" in listed_first
    assert listed_first.endswith("1 line reported.\n")
    run.invoke(commands, ["reports", "--db", db, "--clear"])
    assert run.invoke(commands, ["reports", "--db", db]).output == "No lines reported.\n"
