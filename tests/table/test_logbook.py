"""The log each viewer reads: his own, though what all see is kept once."""

from diablerie.engine.verbs import WATCHER
from diablerie.table.authority import Authority
from diablerie.table.commands import logbook
from tests.table.conftest import ANN, BO, CY, play, seated


def lines(authority: Authority, table: str, viewer: int) -> list[str]:
    log = authority.log(authority.live(table), viewer, 0)
    return [str(line) for entry in log for line in entry.lines]


def test_every_viewer_reads_what_he_saw_whoever_asked_before(authority: Authority) -> None:
    table = seated(authority, ANN, BO, CY)
    play(authority, table, "0 bid 1", "1 bid 1", "2 bid 1", "0 look")
    for viewers in ((0, 1, WATCHER), (WATCHER, 1, 0)):  # whoever is first leaves his to the others
        authority.logbook = logbook.Logbook()
        told = {viewer: lines(authority, table, viewer) for viewer in viewers}
        secret = [line for line in told[0] if line.startswith("It is ")]
        assert len(secret) == 1
        assert told[0] != told[1] == told[WATCHER]
        assert [line for line in told[0] if line not in secret] == told[1]


def test_tables_have_books_of_their_own(authority: Authority) -> None:
    one, other = seated(authority, ANN, BO), seated(authority, ANN, BO)
    play(authority, one, "0 bid 1", "1 bid 1", "0 rest")
    play(authority, other, "0 bid 1", "1 bid 1", "0 step")
    told = [lines(authority, table, WATCHER)[-1] for table in (one, other)]
    assert told == ["player 1 does rest.", "player 1 does step."]


def test_a_reader_goes_on_where_it_stopped(authority: Authority) -> None:
    table = seated(authority, ANN, BO)
    play(authority, table, "0 bid 3")
    first = authority.log(authority.live(table), 0, 0)
    play(authority, table, "1 bid 1", "0 rest")
    live = authority.live(table)
    assert [entry.ply for entry in authority.log(live, 0, first[-1].ply)] == [3, 4]
    assert [entry.seat for entry in authority.log(live, 0, first[-1].ply)] == [1, 0]
