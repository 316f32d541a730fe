"""Pictures of the staged moments: `python -m tools.moments FOLDER [GAME …]`.

Each scene is frozen in Chromium at three times (before, at its peak, after) over a board as wide as
on a phone, and saved as `GAME-SCENE-1-before.png` and so on; `GAME.png` has all of a game in rows.
"""

import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urlsplit

from playwright.sync_api import Page, sync_playwright

import diablerie
from diablerie.engine.game import Game
from diablerie.engine.text import ENGLISH, render_line
from diablerie.engine.verbs import WATCHER
from diablerie.games import ALL
from diablerie.games.kitchen.rules.state import Duel
from diablerie.web.html import assets

ROOT = Path(__file__).parent.parent
PHONE = {"width": 390, "height": 844}
# of a scene's time
BEFORE = 0.12
AFTER = 0.97
LEAST = 0.15  # of the board's width: how wide what a scene is about must be at its peak
TAIL = (  # a way that one has gone, and the cells that it crossed
    "M256,45C256,78,269,100,298,116C322,131,335,95,360,80C388,64,414,64,442,80"
    "C457,89,469,89,484,80C507,67,528,103,504,116C490,124,484,135,484,152"
    "C484,181,446,173,422,188C398,201,419,237,442,224C467,209,442,181,442,152"
    "C442,135,436,124,422,116C397,102,422,73,422,45",
    "M277,152L215,45L339,45ZM339,45L401,152L277,152ZM401,152L339,45L463,45Z"
    "M463,45L525,152L401,152ZM525,152L463,45L587,45ZM463,259L401,152L525,152Z"
    "M401,152L463,259L339,259Z",
)
WORDS = {  # what is put into the scenes of the pictures
    "burnt": (1,),
    "caught": (0, "two"),
    "out": (5,),
    "run": ("D", 0, 11, *TAIL),
    "dish": (2, 1, 5),
    "milk": (1, 0),
    "lids": (0, 5, "x", 3, 1, 0, "x", "x", 5, 3, 1, 0, "x", 0, 5, 3),
    "met": ("C", 0, "H", 1),
    "flag": (2,),
    "count": ("D", 0, *TAIL, "of3", *(n * k // 8 for n in (43, 34, 49) for k in range(1, 9))),
    "dawn": (1, 3),
    "feast": (3,),
}
PAGE = """<!doctype html><link rel="stylesheet" href="{sheet}"><body class="playing">
<main class="table" data-table="x" data-url="/t/x" data-have="1.a" data-scenes="{scenes}">
<section class="board" data-region="board"><svg viewBox="0 0 600 500"></svg></section></main>"""


class Staged(NamedTuple):
    """A scene frozen at a time: its picture's name, and how wide its object is on the board."""

    name: str
    share: float


class House(BaseHTTPRequestHandler):
    """Serves the static files and, at every other address, an empty board of a game."""

    def do_GET(self) -> None:
        """Answer."""
        _, first, *rest = urlsplit(self.path).path.split("/", 3)
        if first == "static":
            name = rest[-1]
            data = assets.contents()[name]
            kind = assets.TYPES[Path(name).suffix]
        else:
            game = ALL[first]
            sheet = assets.address(assets.game_stylesheet(game))
            scenes = assets.address(assets.scenes_file(game))
            data = PAGE.format(sheet=sheet, scenes=scenes).encode()
            kind = "text/html"
        self.send_response(200)
        self.send_header("content-type", kind)
        self.send_header("content-length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@contextmanager
def house() -> Iterator[str]:
    """A server of boards; its address."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), House)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()


def open_stage(page: Page, home: str, game: Game) -> list[str]:
    """Open a game's empty board with its scenes; the names of those that are to be seen."""
    page.goto(f"{home}/{game.name}")
    page.evaluate(
        "async (at) => { window.stage = await import(at); await stage.start(); }",
        assets.address("stage.js"),
    )
    page.wait_for_selector("svg.sprite", state="attached")  # the scenes have come
    names: list[str] = page.evaluate(
        """async (at) => [...new DOMParser().parseFromString(await (await fetch(at)).text(),
        "image/svg+xml").querySelectorAll("[data-peak]")].map((el) => el.dataset.scene)""",
        assets.address(assets.scenes_file(game)),
    )
    return names


FREEZE = """([name, words, share]) => {
    document.querySelector(".stage")?.remove();
    const { drawn } = stage.show(name, words, "", 0);
    const { lasts, peak } = drawn.dataset;
    stage.show(name, words, "", share === null ? Number(peak) : share * Number(lasts));
    const object = document.querySelector(".stage .object").getBoundingClientRect();
    return object.width / document.querySelector(".board").getBoundingClientRect().width;
}"""


def freeze(page: Page, name: str, share: float | None) -> float:
    """Show a scene at a share of its time (None: its peak); how much of the width its object has."""
    words = [str(word) for word in WORDS.get(name, ())]
    found: float = page.evaluate(FREEZE, [name, words, share])
    return found


def pictures(page: Page, home: str, game: Game, folder: Path) -> list[Staged]:
    """Three pictures of each scene of a game."""
    found = []
    for name in open_stage(page, home, game):
        for number, (when, share) in enumerate(
            (("before", BEFORE), ("peak", None), ("after", AFTER)), 1
        ):
            width = freeze(page, name, share)
            file = f"{game.name}-{name}-{number}-{when}"
            page.locator(".stage").screenshot(path=folder / f"{file}.png")
            found.append(Staged(file, width))
    return found


# -- the duel, which is staged on the board itself ---------------------------------------------------

DUEL = """async ([motion, drawing, at]) => {
    const board = document.querySelector(".board"), m = await import(motion);
    document.querySelector(".stage")?.remove();
    for (const one of document.getAnimations()) one.cancel();
    board.innerHTML = '<svg viewBox="0 0 9 9"></svg>';
    const before = m.snapshot(board);
    board.innerHTML = drawing;
    m.play(board, before);
    window.frozen = document.getAnimations();
    for (const one of frozen) { one.pause(); one.currentTime = at; }
    const widest = [...board.querySelectorAll(".burst")].map((el) => el.getBoundingClientRect().width);
    return Math.max(...widest) / board.getBoundingClientRect().width;
}"""
PRESSED = 1800
DUEL_TIMES = {"1-before": 0, "2-peak": PRESSED, "3-after": 6000}  # milliseconds


def duel_drawing() -> str:
    """The board of a golden game of KITCHEN after a duel of several presses, as a watcher sees it."""
    match = diablerie.load(ROOT / "tests" / "games" / "kitchen" / "golden" / "kitchen-4.jsonl")
    step = next(
        one
        for one in match.steps()
        if one.state.duel in (Duel.WON, Duel.LOST) and one.state.burst > 2
    )
    view = match.game.ui.look(step.state, WATCHER)
    names = match.names
    return match.game.ui.draw(view, [], lambda line: render_line(line, ENGLISH, names.__getitem__))


def freeze_duel(page: Page, drawing: str, at: int) -> float:
    """Show the duel so long after it began; how wide its widest press is on the board."""
    motion = assets.address("motion.js")
    found: float = page.evaluate(DUEL, [motion, drawing, at])
    return found


def duel_pictures(page: Page, folder: Path) -> list[Staged]:
    """Three pictures of the presses of a duel."""
    found = []
    drawing = duel_drawing()
    for when, at in DUEL_TIMES.items():
        width = freeze_duel(page, drawing, at)
        name = f"kitchen-press-{when}"
        page.locator(".board").screenshot(path=folder / f"{name}.png")
        found.append(Staged(name, width))
    return found


def sheet(page: Page, game: Game, found: list[Staged], folder: Path) -> None:
    """All pictures of a game in one, three in a row."""
    shown = "".join(f'<img src="{(folder / one.name).as_uri()}.png">' for one in found)
    path = folder / f"{game.name}.html"
    path.write_text(f"<style>body{{margin:0}}img{{width:33.3%}}</style>{shown}", "utf-8")
    page.goto(path.as_uri())
    page.screenshot(path=folder / f"{game.name}.png", full_page=True)
    path.unlink()


def main(folder: Path, names: list[str]) -> None:
    """Make the pictures; say how wide each object is at its peak."""
    folder = folder.resolve()
    folder.mkdir(parents=True, exist_ok=True)
    with sync_playwright() as playwright, house() as home:
        chromium = playwright.chromium.launch(
            executable_path="/usr/bin/chromium-headless-shell", args=["--no-sandbox"]
        )
        page = chromium.new_page(viewport=PHONE, device_scale_factor=2)
        wide = partial(chromium.new_page, viewport={"width": 1170, "height": 400})
        for game in (ALL[name] for name in names or ALL):
            if not game.scenes:
                continue
            found = pictures(page, home, game, folder)
            if game.name == "kitchen":
                found += duel_pictures(page, folder)
            for one in found:
                print(f"{one.name}: {one.share:.0%}")
            sheet(wide(), game, found, folder)
        chromium.close()


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2:])
