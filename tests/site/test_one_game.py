"""The static site in a browser, with one game alone: played to its end, and visited again."""

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.site.conftest import Visit
from tests.site.test_site import begin, kept, play, whole_game

pytestmark = [
    pytest.mark.ci,
    pytest.mark.browser,
    pytest.mark.slow,
    pytest.mark.xdist_group("wasm"),
]


def test_a_whole_game_by_touch_without_a_network(
    little: Path, visit: Callable[..., Visit], tmp_path: Path
) -> None:
    whole_game(visit(little, has_touch=True), "tails", tmp_path)


def test_a_second_visit_resumes(little: Path, visit: Callable[..., Visit]) -> None:
    one = visit(little, has_touch=True).awake()
    expect(one.page.locator("html")).to_have_attribute("data-python", "afresh")
    kept(one.page)
    one.context.set_offline(True)
    one.page.reload()
    one.awake()
    expect(one.page.locator("html")).to_have_attribute("data-python", "resumed")
    assert play(one, begin(one, "tails", bots="1"), until=2)["ply"] > 0
