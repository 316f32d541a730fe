"""Pictures to share, previews and films have the colours in which a browser draws the board."""

import re
from io import BytesIO
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from playwright.sync_api import Browser, Page

import diablerie
from diablerie.art.raster import LIGHT_PAPER, png, sheets
from diablerie.web.html import previews
from diablerie.web.html.speech import Speech
from tests.envs.needed import needed
from tests.snapshots import ROOT

needed("resvg_py")
from PIL import Image  # noqa: E402

pytestmark = [pytest.mark.browser, pytest.mark.slow]
GOLDEN = [
    pytest.param(file, id=file.stem, marks=() if file.stem.endswith("-3") else pytest.mark.ci)
    for file in sorted((ROOT / "tests" / "games").glob("*/golden/*.jsonl"))
]
WIDE = 700
STILL = f"*{{animation:none!important;transition:none!important}}svg{{background:{LIGHT_PAPER}}}"


def spots(picture: bytes) -> NDArray[np.int64]:
    """How red, green and blue a picture is in each of 40 x 40 places."""
    shown = Image.open(BytesIO(picture)).convert("RGB").resize((40, 40), Image.Resampling.BOX)
    return np.asarray(shown, np.int64)


def without_words(drawing: str) -> str:
    """The drawing without texts, which are set in the fonts of who draws it."""
    return re.sub(r"<text\b.*?</text>", "", drawing, flags=re.S)


def seen(page: Page, drawing: str, style: str = STILL) -> NDArray[np.int64]:
    page.set_content(f"<style>{style} svg{{width:{WIDE}px}}</style>{without_words(drawing)}")
    return spots(page.locator("svg").first.screenshot())


@pytest.fixture(scope="module")
def page(chromium: Browser):
    context = chromium.new_context(
        viewport={"width": WIDE + 50, "height": 1400}, reduced_motion="reduce", color_scheme="light"
    )
    yield context.new_page()
    context.close()


@pytest.mark.parametrize("file", GOLDEN)
def test_every_board_is_shared_in_its_colours(page: Page, file: Path):
    match = diablerie.load(file)
    style = "\n".join([*sheets(f"{match.game.home}.ui"), STILL])
    end = seen(page, previews.final_drawing(match, Speech()), style)
    drawn = previews.final_svg(match, Speech()).decode()
    for shared in (seen(page, drawn), spots(png(without_words(drawn), WIDE))):
        assert np.abs(shared - end).max() < 35


@pytest.mark.parametrize("file", GOLDEN)
def test_a_film_ends_with_the_podium_in_its_colours(page: Page, file: Path):
    match = diablerie.load(file)
    style = "\n".join([*sheets(f"{match.game.home}.ui"), STILL])
    last = seen(page, previews.film_drawings(match, Speech())[-1], style)
    film = seen(page, previews.film(match, Speech()).decode())
    assert np.abs(film - last).max() < 60  # edges may lie a little aside
