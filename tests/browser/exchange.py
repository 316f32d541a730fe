"""The attack on the dice that was known: a player who knows the table's key, as whoever runs the
server does, leaves when the other's nonce is shown, comes back, and chooses a nonce that fits it.

`Exchange` has a browser run the page's own script on what the server's own code renders, without
the rest of a page, so that thousands of starts take seconds.
"""

from itertools import count
from typing import Any

from playwright.sync_api import Page, Route

from diablerie.engine.fair import DiceStream, pledge
from diablerie.table.authority import Authority
from diablerie.table.commands import lobby
from diablerie.table.state.table_state import TableState
from diablerie.table.state.visitors import visitor_of
from diablerie.web.frames.frames import gather
from diablerie.web.frames.question import question
from diablerie.web.frames.table_page import Recipient, view_table
from diablerie.web.html.reach import Reach

HONEST, COLLUDER = visitor_of("honest"), visitor_of("colluder")
GOAL = 0.35  # the colluder wants the first draw to be below it: a goal that chance meets so often
TRIES = 2000

HARNESS = """<!doctype html>
<main data-table="{table}" data-url="/t/{table}"><section data-region="ask"></section></main>
<p id="shares-broken" hidden data-other="other" data-twice="twice" data-back="back"></p>
<p id="connection"></p>"""

# `answered` shows what the server has rendered, and resolves to what the script sends then.
SCRIPT = """async (app) => {
    const sent = [];
    window.fetch = async (url, { body }) => {
        sent.push([...body]);
        return { ok: true };
    };
    const { show } = await import(app.replace("app.js", "frames.js"));
    const { start } = await import(app.replace("app.js", "shares.js"));
    start();
    window.answered = async (html) => {
        sent.length = 0;
        show({ regions: { ask: html } });
        await new Promise((done) => setTimeout(done));
        return sent.flat();
    };
}"""


def found(key: bytes, theirs: str, numbers: "count[int]") -> str:
    """A nonce for seat 1 that meets the goal with what seat 0 is believed to throw in."""
    nonce = ""
    for _ in range(TRIES):
        nonce = f"{next(numbers):032x}"
        if met(key, theirs, nonce):
            break
    return nonce


def met(key: bytes, theirs: str, own: str) -> bool:
    """Whether the first draw is what the colluder wants."""
    return (
        DiceStream.agreed(key, [theirs, own], [pledge(theirs), pledge(own)], ["", ""]).draw(0)
        < GOAL
    )


def promised(authority: Authority, table: str, nonce: str) -> None:
    """The colluder sits down and promises this nonce."""
    lobby.sit(authority, table, COLLUDER, 1, share=True)
    lobby.share(authority, table, COLLUDER, {1: pledge(nonce)}, {})


class Exchange:
    """One table, whose seat 0 is played in a browser that runs the page's script."""

    def __init__(self, authority: Authority, page: Page, home: str) -> None:
        self.authority, self.page = authority, page
        plan, numbers = ["me", "open"], count(1)
        self.table = lobby.open_table(authority, HONEST, "coals", plan, share=True).id
        self.numbers = numbers
        self.known = ""  # the nonce that the honest browser showed last
        page.goto(home)
        app = page.locator("script[type=module]").get_attribute("src")
        page.route("**/harness", self._harness)
        page.goto(f"{home}/harness")
        page.evaluate(SCRIPT, app)

    def _harness(self, route: Route) -> None:
        html = HARNESS.format(table=self.table)
        route.fulfill(body=html, content_type="text/html; charset=utf-8")

    def start(self, chosen: str = "") -> bool:
        """The colluder sits down with a chosen nonce, both promise, and the honest browser shows
        its nonce; whether the dice would be what the colluder wants. Then the colluder leaves.
        """
        authority = self.authority
        own = chosen or found(authority.store.key(self.table), self.known, self.numbers)
        promised(authority, self.table, own)
        (promise,) = self._answer()
        live = lobby.share(authority, self.table, HONEST, {0: promise[1]}, {})
        if live.seats[0].pledge != promise[1]:
            raise AssertionError("the hash was not taken")
        ((name, self.known),) = self._answer()
        assert name == "nonce-0"
        lobby.share(authority, self.table, HONEST, {}, {0: self.known})
        wanted = met(authority.store.key(self.table), self.known, own)
        lobby.leave(authority, self.table, COLLUDER, 1)
        return wanted

    @property
    def warning(self) -> str:
        """What the page warns of, "" if of nothing."""
        return self.page.locator("#shares-broken").inner_text()

    @property
    def live(self) -> TableState:
        return self.authority.live(self.table)

    def _answer(self) -> list[list[str]]:
        """What the script sends for what the page would ask now."""
        seen = view_table(self.authority, self.table, HONEST)
        page = gather(self.authority, seen, Recipient(HONEST, "en", Reach("http://house")))
        answer: Any = self.page.evaluate("(html) => answered(html)", "".join(question(page)))
        return [list(pair) for pair in answer]
