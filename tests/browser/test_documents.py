"""The documents as a site: they open from a folder, without a server, and one search finds all."""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

pytest.importorskip("pdoc")

pytestmark = [pytest.mark.browser, pytest.mark.slow, pytest.mark.ci]
ROOT = Path(__file__).parents[2]
MODULES = ("diablerie.engine.rng", "diablerie.lab.statistics")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The documents with few modules."""
    made = tmp_path_factory.mktemp("documents")
    command = [sys.executable, "-m", "tools.docs", str(made), *MODULES]
    subprocess.run(command, check=True, cwd=ROOT)  # and no link of theirs leads nowhere
    return made


@pytest.fixture
def page(folder: Path, chromium: Browser) -> Iterator[Page]:
    """The first page in a browser, which complains of nothing and asks no network."""
    page = chromium.new_page()
    wrong = list[str]()
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.on("requestfailed", lambda request: wrong.append(request.url))
    page.on(
        "request",
        lambda request: request.url.startswith(("file:", "data:")) or wrong.append(request.url),
    )
    page.goto((folder / "index.html").as_uri())
    yield page
    page.close()
    assert wrong == []


def test_the_first_page_leads_to_every_other(page: Page):
    navigation = page.locator("nav.pdoc")
    assert navigation.get_by_role("link").count() > 30
    navigation.get_by_role("link", name="Putting a table on the open internet").click()
    expect(page.locator("main h1")).to_contain_text("Putting a table")
    navigation.get_by_role("link", name="diablerie, module by module").click()
    expect(page.locator("main h1")).to_contain_text("diablerie")
    page.get_by_role("link", name="Documents").click()
    expect(page.locator("main h1")).to_have_text("diablerie")


@pytest.mark.parametrize(
    "begun", ["index.html", "docs/studies/coals.html", "diablerie/engine/rng.html"]
)
def test_the_search_finds_sections_and_functions(folder: Path, page: Page, begun: str):
    page.goto((folder / begun).as_uri())
    search = page.locator("input[type=search]")
    search.fill("nginx")
    found = page.locator(".search-result > a")
    found.filter(has_text="docs/hosting.md#behind-a-proxy-with-tls").click()
    expect(page.locator("#behind-a-proxy-with-tls")).to_be_in_viewport()
    page.locator("input[type=search]").fill("rng.below")
    expect(page.locator(".search-result a").first).to_contain_text("diablerie.engine.rng.below")


def test_pictures_are_there(folder: Path, page: Page):
    widths = "() => [...document.images].map((image) => image.naturalWidth)"
    for name in ("index.html", "docs/strength.html"):
        page.goto((folder / name).as_uri())
        shown = page.evaluate(widths)
        assert shown
        assert all(shown), name
