"""The picture of README: `python -m tools.page_picture [FOLDER]`, docs/pictures if left out.

A table in Chromium, in the middle of a game against bots, by day and by night. It needs Chromium;
each run shows another game.
"""

import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from playwright.sync_api import Browser, sync_playwright
from tests.browser.conftest import WIDE, Running, executable
from tests.browser.players import after, go_on, sit_down

ROOT = Path(__file__).parent.parent
GAME, BOTS, PLIES = "underworld", 3, 64
SCHEMES = ("light", "dark")


def take(browser: Browser, server: Running, folder: Path) -> None:
    """Play until the middle of a game, and write page-light.png and page-dark.png."""
    with browser.new_context(viewport=WIDE, reduced_motion="reduce") as context:
        page = context.new_page()
        page.goto(server.home)
        sit_down(page, GAME, BOTS)
        page.locator("#prompt").wait_for()
        page.get_by_role("button", name="Got it").click()
        go_on(server, page, after(PLIES))
        for scheme in SCHEMES:
            page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
            page.screenshot(path=folder / f"page-{scheme}.png")


def main() -> None:
    """Write both pictures."""
    folder = Path(*sys.argv[1:2]) if sys.argv[1:] else ROOT / "docs" / "pictures"
    folder.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory() as data, sync_playwright() as playwright:
        server = Running(Path(data) / "tables.db")
        browser = playwright.chromium.launch(executable_path=executable(), args=["--no-sandbox"])
        try:
            take(browser, server, folder)
        finally:
            browser.close()
            server.stop()


if __name__ == "__main__":
    main()
