"""How a page against three devils is to watch: `python -m bench watching GAME … [--seed N]`.

Each game is played on a server of its own at the default tempo, in Chromium. What a person decides
is decided at once, so all the rest is waiting. Told are the share of samples in which a scene covers
the board, how long one waits from a decision to the next question, and how far the page shifts by
itself (the sum of the browser's layout shifts). The same seed gives the same dice and devils.
"""

import sys
import tempfile
import threading
import time
from argparse import ArgumentParser
from collections import Counter
from itertools import count
from pathlib import Path
from statistics import median
from typing import Any

from playwright.sync_api import Page, sync_playwright

from diablerie.engine import verbs
from diablerie.engine.fair import DiceStream
from diablerie.engine.queries import redacted
from diablerie.engine.rng import seeded
from diablerie.games import ALL
from diablerie.table.bots.driver import BOT_SECONDS
from diablerie.table.commands import decisions
from diablerie.table.state.table_state import FINISHED_TABLE
from diablerie.web.process.serve import bind
from diablerie.web.process.server_process import Server, ServerProcess

SECONDS = 40.0  # of waiting
EVERY = 200  # milliseconds between two samples
LEAST = 12  # waits
SIZES = {"desktop": {"width": 1440, "height": 900}, "phone": {"width": 390, "height": 844}}
SHIFTS = """window.shifts = [];
const named = ({ node, currentRect, previousRect }) => [node?.id || node?.className || node?.nodeName,
    Math.round(currentRect.y - previousRect.y)].join(" ");
new PerformanceObserver((list) => {
    for (const { value, sources, hadRecentInput } of list.getEntries())
        if (!hadRecentInput) shifts.push([value, sources.map(named).join(", ")]);
}).observe({ type: "layout-shift", buffered: true });"""
STATE = """() => {
    const asked = document.querySelector("[data-region=ask] .prompt.mine");
    return [!!document.querySelector(".stage"),
        asked ? Number(document.getElementById("now").dataset.ply) : -1];
}"""
PRESS = """(text) => { const form = document.getElementById("decide");
    const number = form?.querySelector("input[name=amount]");
    if (number) number.value = text.split(" ")[1];
    const button = number ? document.getElementById("amount-send")
        : [...(form?.querySelectorAll("button[name=do]") ?? [])].find((one) => one.value === text);
    if (button) form.requestSubmit(button);
    return Boolean(button); }"""


class House:
    """A server in this process, with known keys."""

    def __init__(self, folder: Path, seed: int, tempo: float) -> None:
        seeds = count(seed)
        DiceStream.fresh = staticmethod(  # type: ignore[method-assign]
            lambda: DiceStream(DiceStream.seeded(next(seeds)).key)
        )
        listening = bind("127.0.0.1", 0)
        self.home = f"http://127.0.0.1:{listening.getsockname()[1]}"
        self.process = ServerProcess(listening, "127.0.0.1", str(folder / "tables.db"), tempo=tempo)
        self.process.jobs.driver._player._seeds.seed(seed)
        ready = threading.Event()
        self.server = Server(self.process, ready.set)
        self.thread = threading.Thread(target=self.server.run, args=([listening],))
        self.thread.start()
        ready.wait(60)
        while not all(self.process.compiler.compiled().values()):
            time.sleep(0.1)

    def stop(self) -> None:
        """End it."""
        self.server.should_exit = True
        self.thread.join(15)


class Watch:
    """What is seen of one game."""

    def __init__(self, house: House, page: Page, game: str) -> None:
        self.house, self.page, self.game = house, page, game
        self.samples: list[bool] = []  # whether a scene covers the board, while others decide
        self.waits: list[float] = []

    def open(self, speed: str) -> None:
        """Open a table against three devils."""
        page = self.page
        page.add_init_script("let k = 7; crypto.getRandomValues = (bytes) => bytes.fill(k++)")
        page.add_init_script(SHIFTS)
        page.goto(f"{self.house.home}/setup/{self.game}")
        page.evaluate(
            """(game) => { for (const [end, value] of [["open", "0"], ["bots", "3"]])
            document.getElementById(`${game}-${end}`).value = value; }""",
            self.game,
        )
        page.click(".setup button.primary")
        page.wait_for_selector("main[data-table]")
        if speed:
            page.evaluate("(speed) => { document.documentElement.dataset.speed = speed }", speed)

    def live(self) -> Any:
        """The table."""
        table = self.page.url.partition("/t/")[2].partition("?")[0]
        return self.house.process.authority.live(table)

    def run(self, seconds: float, whole: bool = False) -> None:
        """Play until others have been watched for so long, and often enough, or the game is over."""
        decided, begun, watched, last = -1, time.monotonic(), 0.0, time.monotonic()
        due = last
        while whole or watched < seconds or len(self.waits) < LEAST:
            covered, asked = self.page.evaluate(STATE)
            now, live = time.monotonic(), self.live()
            again = asked == decided and now - begun > 3  # it was the first of a plan
            if (
                (asked > decided or again)
                and asked == live.ply
                and 0 in live.pending
                and not covered
            ):
                if decided >= 0 and not again:
                    self.waits.append(now - begun)
                decided = asked
                self.decide(live, again)
                begun = last = time.monotonic()
                continue
            watched += now - last
            last = now
            if now >= due:
                self.samples.append(covered)
                due = now + EVERY / 1000
            if live.status == FINISHED_TABLE:
                break
            time.sleep(0.03)

    def decide(self, live: Any, again: bool) -> None:
        """Decide as is sensible, by a button if one does."""
        seen = redacted(live.match.state, 0)
        action = verbs.advise(seen, 0, seeded(live.ply))
        text = live.game.notation.format_action(seen, 0, action)
        plain = not again and live.match.state.node not in live.game.plan
        if plain and self.page.evaluate(PRESS, text):
            return
        decisions.decide(
            self.house.process.authority, live.id, str(live.seats[0].owner), live.ply, text, 0
        )

    def shifts(self) -> tuple[float, list[tuple[str, float]]]:
        """The sum of the layout shifts, and the largest by what shifted."""
        found, by = self.page.evaluate("shifts"), Counter[str]()
        for value, what in found:
            by[what] += value
        return sum(value for value, _ in found), by.most_common(8)


def everything(options: list[str] | None = None) -> None:
    """Watch games, at both sizes if shifts are asked for."""
    parser = ArgumentParser("bench watching")
    parser.add_argument("games", nargs="*", default=list(ALL))
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=SECONDS)
    parser.add_argument("--speed", default="")
    parser.add_argument("--tempo", type=float, default=BOT_SECONDS)
    parser.add_argument("--size", default="desktop", choices=SIZES)
    args = parser.parse_args(options or [])
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        house = House(Path(folder), args.seed, args.tempo)
        browser = playwright.chromium.launch(
            executable_path="/usr/bin/chromium-headless-shell", args=["--no-sandbox"]
        )
        try:
            for game in args.games or ALL:
                with browser.new_context(viewport=SIZES[args.size]) as context:
                    watch = Watch(house, context.new_page(), game)
                    watch.open(args.speed)
                    watch.run(args.seconds)
                    total, worst = watch.shifts()
                    share = sum(watch.samples) / max(1, len(watch.samples))
                    waits = watch.waits or [0.0]
                    print(
                        f"{game} {args.size}: covered {share:.0%} of {len(watch.samples)} samples,"
                        f" waits median {median(waits):.1f} s, worst {max(waits):.1f} s"
                        f" ({len(waits)}), shifts {total:.2f}",
                        flush=True,
                    )
                    for what, value in worst:
                        print(f"    {value:.3f} {what}", file=sys.stderr)
        finally:
            browser.close()
            house.stop()


if __name__ == "__main__":
    everything(sys.argv[1:])
