"""A devil's recollection on pages: in the log of who is seated, and on no stranger's."""

from collections.abc import Callable

from diablerie.table.authority import Authority
from diablerie.table.commands.recollections import recalled
from tests.web.client import Client


def test_who_is_seated_reads_it_first_in_the_log_and_nobody_else(
    ann: Client, browser: Callable[[], Client], link: str, authority: Authority
):
    ann.send(f"{link}/join", name="Opa")
    first = ann.send(f"{link}/play", game="coals", **{"who-1": "1", "who-2": "1"})
    ann.send(f"{first.headers['location']}/resign", seat="0")
    ann.send(f"{link}/leave", member="2")
    table = str(ann.send(f"{link}/play", game="coals", **{"who-1": "1"}).headers["location"])
    ann.send(f"{table}/fill", bot="imp")
    live = authority.live(table[3:])
    told = recalled(authority, live)
    assert told
    page = ann.page(table).text
    log = page.partition('id="log"')[2].partition("</ol>")[0]
    assert 'id="recalled"' in log
    assert log.index('id="recalled"') < log.index('id="log-')
    assert "Opa" in log.partition("</li>")[0]
    stranger = browser()
    for address in (table, f"{table}.json", f"{table}/log", f"{table}/frame"):
        assert "Opa" not in stranger.page(address).text, address
