"""Two browsers throw their parts of the dice together, and notice if others are played with."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner
from playwright.sync_api import Browser, Page, Route, expect

from diablerie.cli import commands
from diablerie.engine.fair import DiceStream
from diablerie.runtime.clock import Clock
from diablerie.table.authority import Authority
from diablerie.table.commands import lobby, seats
from diablerie.table.commands import lobby as lobby_commands
from diablerie.table.errors import WrongTime
from diablerie.table.presence.hub import Presence
from diablerie.table.state import nonce_exchange
from diablerie.table.state.nonce_exchange import GRACE_HERE, NONCE_GRACE_SECONDS
from diablerie.table.state.table_state import TableState
from tests.browser.conftest import Running
from tests.browser.exchange import COLLUDER, GOAL, Exchange, promised
from tests.browser.players import live_of, sit_down, wait_until
from tests.stores import new_store

pytestmark = [pytest.mark.browser, pytest.mark.slow]


def test_two_browsers_agree_and_notice_a_change(server: Running, visit: Callable[..., Page]):
    ann, bo = visit(), visit()
    sit_down(ann, "coals", 0, open=1)
    bo.goto(ann.input_value("#invite"))
    bo.click("[data-form=sit] button")
    for page in (ann, bo):
        expect(page.locator("#now")).to_be_attached()
    live = live_of(server, ann)
    assert live.match is not None
    assert live.match.fair.by == ["player", "player"]
    shown = bo.locator("[data-fixed]")
    assert shown.get_attribute("data-fixed") == ",".join(info.pledge for info in live.seats)
    expect(bo.locator("#shares-broken")).to_be_hidden()
    bo.evaluate(
        """() => {
            const key = "diablerie." + location.pathname + " start";
            const start = JSON.parse(sessionStorage.getItem(key));
            sessionStorage.setItem(key, JSON.stringify({ ...start, hashes: "others" }));
        }"""
    )
    bo.reload()
    expect(bo.locator("#shares-broken")).to_be_visible()


def test_the_next_phase_is_answered_before_the_answer_to_the_last_is_here(
    server: Running, visit: Callable[..., Page]
):
    ann, bo = visit(), visit()
    held: list[Route] = []
    sit_down(ann, "coals", 0, open=1)
    bo.route("**/share", lambda route: held.append(route) if not held else route.continue_())
    bo.goto(ann.input_value("#invite"))
    bo.click("[data-form=sit] button")
    phased = ann.locator("[data-phase]")
    expect(phased).to_have_attribute("data-phase", "pledges")
    wait_for(bo, lambda: bool(held))
    answer = held[0].fetch()  # the table has it, the browser does not know
    expect(ann.locator("#now")).to_be_attached()
    held[0].fulfill(response=answer)
    live = live_of(server, ann)
    assert live.match is not None
    assert live.match.fair.by == ["player", "player"]


@pytest.mark.ci
def test_who_is_held_up_is_told_that_the_own_part_is_missing(
    server: Running, visit: Callable[..., Page], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
):
    """Somebody who knows the key has chosen a nonce that suits what follows from it for Bo."""
    ann, bo = visit(), visit()
    asked: list[str] = []
    bo.route("**/share", lambda _: None)  # it is held up, and never arrives
    bo.on("request", lambda request: asked.append(request.url.rpartition("/")[2]))
    sit_down(ann, "coals", 0, open=1)
    bo.goto(ann.input_value("#invite"))
    bo.click("[data-form=sit] button")
    wait_for(bo, lambda: "share" in asked)
    authority, table = server.house.authority, live_of(server, bo).id
    wait_until(lambda: all(one.here for one in present(authority, table)), "nobody is there")
    clock, passed = authority.clock, NONCE_GRACE_SECONDS
    monkeypatch.setattr(authority, "clock", Clock(lambda: clock() + passed))
    for visitor in (info.owner for info in live_of(server, bo).seats):
        with pytest.raises(WrongTime):  # Bo has the page open
            lobby.begin(authority, table, visitor or "")
    passed = GRACE_HERE
    wait_for(ann, lambda: live_of(server, ann).match is not None)  # by Ann's own script
    expect(bo.locator("#shares-broken")).to_contain_text("Your part is missing in these dice")
    expect(ann.locator("#shares-broken")).to_be_hidden()
    assert "begin" not in asked
    match = live_of(server, bo).match
    assert match is not None
    assert (match.fair.by, match.fair.late) == (["player", "table"], (1,))
    seats.resign(authority, table, live_of(server, bo).seats[1].owner or "", 1)
    path = tmp_path / "match.jsonl"
    path.write_text(authority.export(authority.live(table), 0), "utf-8")
    told = CliRunner().invoke(commands, ["verify", str(path)]).output
    assert "Seat 1 was to add a nonce and came late: the match began without it." in told


def present(authority: Authority, table: str) -> list[Presence]:
    return authority.presence(authority.live(table))


def wait_for(page: Page, done: Callable[[], bool]) -> None:
    for _ in range(2400):
        if done():
            return
        page.wait_for_timeout(50)
    raise AssertionError("the browser did not ask")


def test_alone_against_devils_one_has_a_share_too(server: Running, visit: Callable[..., Page]):
    page = visit()
    page.click("#game-coals button[value=bots]")
    expect(page.locator("#decide")).to_be_visible()
    match = live_of(server, page).match
    assert match is not None
    assert match.fair.by[0] == "player"
    assert set(match.fair.by[1:]) == {"table"}
    expect(page.locator("#shares-broken")).to_be_hidden()


@pytest.fixture
def attacked(chromium: Browser, server: Running, tmp_path: Path) -> Iterator[Exchange]:
    store = new_store(tmp_path / "tables.db")
    context = chromium.new_context(reduced_motion="reduce", service_workers="block")
    yield Exchange(Authority(store), context.new_page(), server.home)
    context.close()
    store.close()


@pytest.mark.parametrize(
    "starts",
    [
        pytest.param(400, marks=pytest.mark.ci),
        pytest.param(2000, marks=pytest.mark.nightly),
    ],
)
def test_the_known_attack_meets_its_goal_as_often_as_chance(attacked: Exchange, starts: int):
    """Of 2,000 attacked starts 700 are expected, with a standard deviation of 21."""
    wanted = sum(attacked.start() for _ in range(starts))
    expected, deviation = GOAL * starts, (GOAL * (1 - GOAL) * starts) ** 0.5
    assert abs(wanted - expected) < 5.5 * deviation  # by chance once in 25 million runs
    assert attacked.live.aborted == starts
    assert attacked.warning == ""


def test_a_hash_that_is_sent_again_is_warned_of(attacked: Exchange, monkeypatch):
    monkeypatch.setattr(nonce_exchange, "unused", lambda _, pledge: pledge)  # which would refuse it
    attacked.start(chosen="ab")
    assert attacked.warning == ""
    attacked.start(chosen="ab")
    assert attacked.warning == "twice"
    live = attacked.live
    fair = replace(DiceStream(b"k" * 32), pledges=live.earlier[-1].hashes, earlier=live.earlier[:1])
    assert fair.repeated == [1]  # which `verify` refuses


def test_a_start_that_the_table_does_not_count_is_warned_of(attacked: Exchange, monkeypatch):
    attacked.start()
    assert attacked.warning == ""
    uncounted = nonce_exchange.emptied

    def silent(live: TableState, seat: int, commitment: str) -> TableState:
        return replace(uncounted(live, seat, commitment), aborted=live.aborted)

    monkeypatch.setattr(lobby, "emptied", silent)
    attacked.start()
    attacked.start()
    assert attacked.warning == "back"


def test_whoever_leaves_in_the_page_itself_sees_new_parts_and_how_often(
    server: Running, visit: Callable[..., Page]
):
    """The attack on whole pages: the honest browser is one, the colluder knows the key."""
    page, seen = visit(), set()
    sit_down(page, "coals", 0, open=1)
    authority = server.house.authority
    table = live_of(server, page).id
    for n in range(1, 4):
        promised(authority, table, f"chosen {n}")
        wait_until(lambda: bool(authority.live(table).seats[0].nonce), "no nonce was shown")
        live = authority.live(table)
        seen |= {live.seats[0].nonce, live.seats[0].pledge, live.commitment}
        lobby_commands.leave(authority, table, COLLUDER, 1)
        told = page.locator(".ask [data-aborted]")
        expect(told).to_have_attribute("data-aborted", str(n))
        assert len(seen) == 3 * n
    expect(page.locator("#shares-broken")).to_be_hidden()
    promised(authority, table, "last")
    wait_until(lambda: bool(authority.live(table).seats[0].nonce), "no nonce was shown")
    lobby_commands.share(authority, table, COLLUDER, {}, {1: "last"})
    expect(page.locator("#now")).to_be_attached()
    match = live_of(server, page).match
    assert match is not None
    assert (match.fair.aborted, match.fair.by) == (3, ["player", "player"])
    expect(page.locator("#shares-broken")).to_be_hidden()
