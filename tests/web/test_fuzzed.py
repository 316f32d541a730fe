"""Requests of a fuzzer that knows the way: none crashes the server, and many get through to it."""

from pathlib import Path

import pytest

from tests.web.fuzzer import Fuzzer, Offer, Offers


@pytest.mark.parametrize(
    "requests", [pytest.param(200, id="few"), pytest.param(20_000, marks=pytest.mark.nightly)]
)
def test_no_request_crashes_the_server_and_a_third_of_them_get_a_page(
    tmp_path: Path, requests: int
) -> None:
    fuzzer = Fuzzer(tmp_path, 5)
    fuzzer.run(requests)
    fuzzer.store.close()
    assert fuzzer.broken == []
    assert fuzzer.statuses.total() > requests / 2
    assert fuzzer.through >= 1 / 3
    assert {404, 303} <= set(fuzzer.statuses), "some are refused, and some do something"


def test_the_fuzzer_sees_what_a_page_offers() -> None:
    page = """<a href="/games">…</a><a href="https://elsewhere.example">…</a>
        <form method="post" action="/t/x/decide"><input type="hidden" name="ply" value="3">
        <select name="seat"><option value="0"><option value="1"></select>
        <button name="do" value="pull">…</button><button name="do" value="stop">…</button></form>
        <input name="alone">"""
    fields = {"ply": ["3"], "seat": ["0", "1"], "do": ["pull", "stop"]}
    assert Offers(page).found == [Offer("GET", "/games", {}), Offer("POST", "/t/x/decide", fields)]
