"""A family's evening from the terminal to the score: two phones, a laptop and a shared screen."""

import os
import re
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from types import SimpleNamespace

import httpx
import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from diablerie.engine.plies import PlyKind
from diablerie.table.authority import Authority
from diablerie.table.state.table_state import TableState
from diablerie.table.state.take_back import may_request
from diablerie.table.storage.store import Store
from diablerie.web.html.reach import qr_svg
from tests.browser import evening_server
from tests.browser.conftest import NARROW, WIDE, same_share
from tests.browser.evening_server import NEAR
from tests.browser.players import advice, arrived, by_clicking, live_of, press, wait_until
from tests.browser.test_kitchen import ready
from tests.browser.test_tails import on_the_board

pytestmark = [pytest.mark.browser, pytest.mark.slow, pytest.mark.ci]

ROOT = Path(evening_server.__file__).parents[2]
SCREEN = {"width": 1280, "height": 800}
OWNER_LINK = re.compile(r"diablerie is at (http://\S+)")


class Reader:
    """The tables as the server's database has them."""

    def __init__(self, store: Store) -> None:
        self.authority = Authority(store)

    def live(self, table: str) -> TableState:
        """The table as it stands now."""
        self.authority.refresh(table)
        return self.authority.live(table)


class Evening:
    """The command that a family starts, and the browsers that come."""

    def __init__(self, folder: Path, chromium: Browser) -> None:
        self.db, self.chromium, self.port = folder / "tables.db", chromium, 0
        self.contexts: list[BrowserContext] = []
        self.complaints: list[str] = []

    @contextmanager
    def serving(self) -> Iterator[str]:
        """Run `diablerie serve` until all games are ready and then to the end; the owner's link."""
        command = [sys.executable, "-m", evening_server.__name__, "serve", "--no-open"]
        command += ["--db", str(self.db), "--port", str(self.port), "--tempo", "0"]
        env = {**os.environ, "PYTHONPATH": str(ROOT)}
        with subprocess.Popen(
            command, cwd=ROOT, env=env, stdout=subprocess.PIPE, text=True
        ) as process:
            try:
                assert process.stdout
                found = next(filter(None, map(OWNER_LINK.match, process.stdout)), None)
                assert found, "the terminal shows no link"
                self.port = httpx.URL(found[1]).port or 0
                wait_until(self._is_ready, "the games are not ready")
                with closing(Store(self.db, lay=False)) as store:
                    # what the helpers of players.py read of a server
                    self.house = SimpleNamespace(authority=Reader(store))
                    yield found[1]
                process.send_signal(signal.SIGINT)
                assert process.wait(30) == 0
            finally:
                process.kill()

    def _is_ready(self) -> bool:
        told = httpx.get(f"http://127.0.0.1:{self.port}/healthz").json()
        return set(told["rules"].values()) == {"compiled"}

    def browser(self, address: str, **kind: object) -> Page:
        """A new browser that opens an address."""
        context = self.chromium.new_context(reduced_motion="reduce", **kind)  # type: ignore[arg-type]
        context.add_init_script(f"{{ {same_share(len(self.contexts))} }}")
        self.contexts.append(context)
        page = context.new_page()
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        page.goto(address)
        return page

    def play(self, seats: dict[int, Page], way: Callable[[Page, str], None], until: int) -> None:
        """Play the seats' decisions on their pages until the game is over, or so far."""
        first = next(iter(seats.values()))
        while (live := live_of(self, first)).status != "over" and live.ply < until:
            for seat in [seat for seat in live.pending if seat in seats][:1]:
                live, asked = ready(self, seats[seat])
                way(seats[seat], advice(live, asked))
                arrived(self, seats[seat], asked, live.ply)


@pytest.fixture
def evening(chromium: Browser, tmp_path: Path) -> Iterator[Evening]:
    made = Evening(tmp_path, chromium)
    yield made
    for context in made.contexts:
        context.close()
    assert not made.complaints


def joined(page: Page, name: str) -> Page:
    """A browser at the group's page, as somebody new."""
    page.fill("#new-name", name)
    page.click("text=Join the group")
    expect(page.locator("#tonight-panel")).to_be_visible()
    return page


def seats_of(evening: Evening, pages: dict[str, Page]) -> dict[int, Page]:
    """The page of each seat that a person has, by the names at the table."""
    live = live_of(evening, next(iter(pages.values())))
    return {one.seat: pages[one.name] for one in live.seats if one.name in pages}


def test_a_family_plays_from_the_terminal_to_the_score(evening: Evening):
    with evening.serving() as link:
        laptop = evening.browser(link, viewport=WIDE)
        press(laptop.get_by_role("button", name="Let phones in"))
        laptop.goto(laptop.input_value("#network-link"))
        laptop.click("#new-group summary")
        laptop.fill("#group-name", "The Hoofs")
        laptop.fill("#group-person", "Kim")
        laptop.click("text=Make the group page")
        home = laptop.input_value("#group-link")
        assert home.startswith(f"http://{NEAR}:{evening.port}/g/")
        code = laptop.locator("#link-panel .qrline").get_attribute("d")
        assert code, "the code on the fridge"
        assert code in qr_svg(home), "is the link"
        oma, opa = (
            joined(evening.browser(home, viewport=NARROW, has_touch=True), name)
            for name in ("Oma", "Opa")
        )
        screen = joined(evening.browser(home, viewport=SCREEN), "Ada")
        screen.click("#more-people summary")
        joined(screen, "Max")
        pages = {"Kim": laptop, "Oma": oma, "Opa": opa, "Ada": screen, "Max": screen}
        everywhere = [laptop, oma, opa, screen]

        screen.click("#variants > summary")
        screen.fill("#coals-goal", "300")
        screen.click("text=Play COALS")
        for page in (oma, opa, laptop):
            page.reload()
            press(page.get_by_role("button", name="Join this table of COALS"))
        for page in everywhere:
            expect(page.locator("#now, #cover-off").first).to_be_attached()
        seats = seats_of(evening, pages)
        assert len(seats) == 5
        press(oma.locator("#phrases summary"))
        press(oma.get_by_role("button", name="Well played"))
        for page in everywhere:
            expect(page.locator("#chat")).to_contain_text("Oma: Well played")
        take_back(evening, seats, pages)
        evening.play(seats, by_clicking, 10**6)
        for page in everywhere:
            expect(page.locator("#standing")).to_contain_text("The series: ")
        press(laptop.get_by_role("button", name="Play again"))
        for page in (oma, opa, screen):
            press(page.get_by_role("button", name="To the next game"))
        for page in everywhere:
            expect(page.locator("#now, #cover-off").first).to_be_attached()
        evening.play(seats_of(evening, pages), by_clicking, 10**6)
        for page in everywhere:
            press(page.get_by_role("link", name="Another game of the group"))

        press(oma.get_by_role("button", name="Play TAILS"))
        opa.reload()
        press(opa.get_by_role("button", name="Join this table of TAILS"))
        press(oma.get_by_role("button", name="Begin with 2 people"))
        # the empty seats go, and whoever sits behind them moves up
        wait_until(lambda: live_of(evening, oma).status == "running", "the game has not begun")
        evening.play(seats_of(evening, {"Oma": oma, "Opa": opa}), on_the_board, 10**6)
        score = oma.locator("#standing").inner_text()
    with evening.serving() as link:
        laptop.goto(link)
        press(laptop.get_by_role("button", name="Let phones in"))
        for page in everywhere:
            page.goto(home)
            assert page.inner_text("#score") in score
            expect(page.locator("#series-panel")).to_contain_text("Records")
            played = page.locator("#series-panel tbody td:nth-child(2)").all_inner_texts()
            assert sorted(played) == ["2", "2", "2", "3", "3"]


def take_back(evening: Evening, seats: dict[int, Page], pages: dict[str, Page]) -> None:
    """Play until Oma may ask for her decision back; she does, and all others agree."""
    oma = next(seat for seat, page in seats.items() if page is pages["Oma"])
    while not may_request(live_of(evening, pages["Oma"]), oma):
        evening.play(seats, by_clicking, live_of(evening, pages["Oma"]).ply + 1)
    before = live_of(evening, pages["Oma"]).ply
    press(pages["Oma"].locator("#request-undo"))
    for seat in seats.keys() - {oma}:
        agree = seats[seat].locator(f"#agree-{seat}")
        expect(agree.or_(seats[seat].locator("#cover-off"))).to_be_visible()
        if not agree.is_visible():
            seats[seat].click("#cover-off")
        press(agree)
        expect(agree).to_have_count(0)
    wait_until(lambda: live_of(evening, pages["Oma"]).request is None, "it is not taken back")
    assert live_of(evening, pages["Oma"]).plies[before].kind is PlyKind.TAKE_BACK
