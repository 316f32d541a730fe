"""A page of another site frames a replay and plays it; what may not be framed is in test_pictures.py."""

import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Running
from tests.browser.players import SHORT, go_on, sit_down, table_of

pytestmark = [pytest.mark.browser, pytest.mark.slow]


class Elsewhere(HTTPServer):
    """Another site: one page, on another port and under another name of this machine."""

    page = ""


class _Answer(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        assert isinstance(self.server, Elsewhere)
        self.send_response(200)
        self.send_header("content-type", "text/html")
        self.end_headers()
        self.wfile.write(self.server.page.encode())

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@pytest.fixture
def elsewhere() -> Iterator[Elsewhere]:
    site = Elsewhere(("127.0.0.1", 0), _Answer)
    answering = threading.Thread(target=site.serve_forever)
    answering.start()
    yield site
    site.shutdown()
    answering.join()
    site.server_close()


def test_a_replay_is_played_in_another_sites_page(
    server: Running, visit: Callable[..., Page], elsewhere: Elsewhere
):
    page = visit()
    sit_down(page, "coals", 2, **SHORT)
    go_on(server, page)
    expect(page.locator("#ending")).to_be_visible()
    table = table_of(page)
    replay = f"{server.home}/embed/replay/{table}?step=1"
    elsewhere.page = f'<iframe src="{replay}" width="640" height="800"></iframe>'
    page.goto(f"http://localhost:{elsewhere.server_port}/")
    inside = page.frame_locator("iframe")
    count = inside.locator("#replay-count")
    expect(count).to_contain_text("1")
    before = count.inner_text()
    inside.locator("#replay-on").click()
    expect(count).not_to_have_text(before)
    assert len(page.context.pages) == 1, "the script takes the step: no page opens"
