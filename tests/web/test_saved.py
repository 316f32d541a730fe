"""A match file goes on at a table: what the form on /games takes, and what it refuses."""

import json
from pathlib import Path

import httpx
import pytest

import diablerie
from diablerie.engine import files
from diablerie.engine.match import Match
from diablerie.table.authority import Authority
from diablerie.table.commands.sequels import LONGEST_SAVED_BYTES
from tests.web.client import PAGE, Client

GOLDEN = Path(__file__).parent.parent / "games" / "coals" / "golden" / "coals-2.jsonl"


@pytest.fixture(scope="module")
def whole() -> Match:
    return diablerie.load(GOLDEN)


@pytest.fixture(scope="module")
def half(whole: Match) -> Match:
    """The match, stopped halfway where somebody is to decide."""
    return whole.at(whole.ply // 2)


def upload(client: Client, data: bytes, **fields: str) -> httpx.Response:
    """The form as a browser without script sends it."""
    sent = {"file": ("match.jsonl", data, "application/octet-stream")}
    return client.request("POST", "/games/saved", headers=PAGE, files=sent, data=fields)


def refused(authority: Authority, answer: httpx.Response, status: int, sentence: str) -> None:
    assert answer.status_code == status, answer.text
    assert sentence in answer.text
    assert authority.store.counted() == {}


def changed(match: Match, line: int, **fields: object) -> bytes:
    """The match's file with some fields of a line replaced."""
    rows = files.dump(match).splitlines()
    rows[line] = json.dumps(json.loads(rows[line]) | fields)
    return "\n".join(rows).encode()


def test_a_saved_match_goes_on_at_a_table(
    ann: Client, bo: Client, authority: Authority, half: Match, tmp_path: Path
) -> None:
    files.save(half, tmp_path / "match.jsonl")
    answer = upload(ann, (tmp_path / "match.jsonl").read_bytes(), seat="", bot="imp")
    assert answer.status_code == 303, answer.text
    table = answer.headers["location"]
    live = authority.live(table.removeprefix("/t/"))
    assert (live.taken, live.origin) == (half.ply, "")
    assert [ply.events for ply in live.plies[: half.ply]] == [ply.events for ply in half.plies]
    assert live.match is not None
    assert live.match.fair.key != half.fair.key
    (mine,) = (info.seat for info in live.seats if info.owner)
    assert mine == half.pending[0]
    assert f"from step {half.ply} of a match file" in ann.page(table).text
    do = ann.data(table)["legal"][0]["do"]
    assert bo.data(table)["legal"] == []
    assert bo.act(table, do, mine).status_code == 403
    assert ann.act(table, do, mine).status_code == 200
    assert authority.live(live.id).ply > half.ply
    stored = Authority(authority.store).live(live.id)
    assert stored.match is not None
    assert stored.match.taken == half.ply


def test_a_finished_match_is_played_on_from_a_step(
    ann: Client, authority: Authority, whole: Match
) -> None:
    data = GOLDEN.read_bytes()
    refused(authority, upload(ann, data, step=str(whole.ply)), 409, "The game is over after this")
    for step in (0, whole.ply + 1):
        refused(authority, upload(ann, data, step=str(step)), 422, f"This match has no step {step}")
    table = upload(ann, data, step="6").headers["location"]
    assert authority.live(table.removeprefix("/t/")).taken == 6
    (mine,) = (i.seat for i in authority.live(table.removeprefix("/t/")).seats if i.owner)
    assert ann.act(table, ann.data(table)["legal"][0]["do"], mine).status_code == 200


def test_one_chooses_the_seat_and_the_bots(ann: Client, authority: Authority, half: Match) -> None:
    seat = 1 - half.pending[0]
    answer = upload(ann, files.dump(half).encode(), seat=str(seat), bot="archdevil")
    live = authority.live(answer.headers["location"].removeprefix("/t/"))
    assert live.seats[seat].owner
    assert live.seats[1 - seat].driver == "archdevil"


def test_a_continued_match_is_marked_as_not_played_from_its_beginning(
    ann: Client, authority: Authority, whole: Match
) -> None:
    nearly = next(m for n in range(whole.ply - 1, 0, -1) if (m := whole.at(n)).pending)
    table = upload(ann, files.dump(nearly).encode()).headers["location"]
    (mine,) = (i.seat for i in authority.live(table.removeprefix("/t/")).seats if i.owner)
    assert ann.call(f"{table}/resign", seat=mine).status_code == 200
    page = ann.page("/games").text
    assert table in page
    assert 'id="tallies"' not in page


def test_files_that_cannot_be_continued_are_refused(
    ann: Client, authority: Authority, whole: Match, half: Match
) -> None:
    def sent(data: bytes, sentence: str, **fields: str) -> None:
        refused(authority, upload(ann, data, **fields), 422, sentence)

    sent(b"", "This is not a match file.")
    sent(b"\x89PNG\r\n\x1a\n\xff", "This is not a match file.")
    sent(b'{"a": 1}\n{}', "This is not a match file.")
    sent(b'{"a":' * 9999, "This is not a match file.")
    sent(changed(half, 0, game="chess"), "There is no game “chess”; there are ")
    sent(changed(half, 0, version=half.game.version + 1), "This game was played by version")
    sent(files.dump(whole).encode(), "This game is over: say after which step you play on.")
    sent(changed(half, 4, do="bet 7777"), "This match file is damaged: line 5 is wrong.")
    sent(files.dump(half).encode()[:-40], "This match file is damaged")
    none = Match.opening(half.game, seats=2, fair=half.fair)
    sent(files.dump(none).encode(), "stops where nobody is to decide")


def test_what_a_table_writes_of_a_running_match_is_only_for_reading(
    ann: Client, authority: Authority
) -> None:
    table = ann.open(here="2")
    told = ann.get(f"{table}/match.jsonl").content
    answer = upload(ann, told)
    assert answer.status_code == 422
    assert "This file is only for reading" in answer.text
    assert authority.store.counted() == {"running": 1}


def test_other_fields_and_forms_that_do_not_fit_are_refused(
    ann: Client, authority: Authority, half: Match
) -> None:
    data = files.dump(half).encode()
    refused(authority, upload(ann, data, seat="5"), 400, "There is no such seat.")
    refused(authority, upload(ann, data, bot="net:file=/etc/passwd"), 400, "There is no bot")
    large = upload(ann, b"x" * (LONGEST_SAVED_BYTES + 1))
    refused(authority, large, 413, "This file is too large: 256 KiB are the most.")
    refused(authority, upload(ann, b"x" * 3 * LONGEST_SAVED_BYTES), 413, "This file is too large")
    refused(authority, ann.send("/games/saved", file="x"), 415, "multipart/form-data")
    for kind, body in (
        ("multipart/form-data", b"--x\r\n"),
        ("multipart/form-data; boundary=x", b"--x\r\n\r\nno name\r\n--x--"),
        ("multipart/form-data; boundary=x", b"--x\r\nContent-Disposition: form-data"),
    ):
        answer = ann.request(
            "POST", "/games/saved", headers={**PAGE, "content-type": kind}, content=body
        )
        refused(authority, answer, 400, "This form was cut short.")
