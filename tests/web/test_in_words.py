"""The position in words on the page of a table: closed until opened, then only what changes."""

import asyncio
import re

import pytest
from starlette.applications import Starlette

from diablerie.table.authority import Authority
from diablerie.table.commands import decisions
from tests.web.client import Client, fields
from tests.web.test_frames import owner
from tests.web.test_stream import Listener

LINE = re.compile(r"<li>(.*?)</li>")


def lines(html: str) -> list[str]:
    told = html.partition('<div class="in-words">')[2].partition("</div>")[0]
    return [re.sub("<[^>]*>", "", line) for line in LINE.findall(told)]


def test_it_is_closed_until_somebody_opens_it_and_then_open_at_every_table(ann: Client):
    table = ann.open(game="kitchen", bots="1")
    page = ann.page(table).text
    assert 'aria-expanded="false">The position in words' in page
    assert not lines(page)
    sent = fields(page, "/words")
    assert sent == {"words": "on", "back": table}
    assert ann.send("/words", **sent).headers["location"] == table
    for one in (table, ann.open(game="tails", bots="1")):
        page = ann.page(one).text
        assert 'aria-expanded="true"' in page
        assert len(lines(page)) > 20
    ann.send("/words", **fields(page, "/words"))
    assert not lines(ann.page(table).text)
    ann.send("/words", words="maybe")
    assert not lines(ann.page(table).text)


def test_everybody_is_told_in_words_what_the_own_picture_shows(ann: Client, bo: Client):
    table = ann.open(game="kitchen", bots="1")
    for who in (ann, bo):
        who.send("/words", words="on")
    ann.act(table, "menu 5 0 3 1")
    mine, theirs = (lines(who.page(table).text) for who in (ann, bo))
    assert [line for line in mine if "the yellow eye pot" in line and "milk" in line]
    assert [line for line in theirs if "the yellow eye pot" in line]
    assert not [line for line in theirs if "milk" in line]


def test_who_shares_a_screen_reads_nothing_while_the_picture_is_covered(ann: Client):
    table = ann.open(game="kitchen", here="2")
    ann.send("/words", words="on")
    assert "Pass the device to" in ann.page(table).text
    assert not lines(ann.page(table).text)
    assert lines(ann.page(f"{table}?as=0").text)


@pytest.mark.parametrize("opened", [False, True])
def test_only_changed_lines_are_sent_and_none_while_it_is_closed(
    app: Starlette, ann: Client, authority: Authority, opened: bool
):
    table = ann.open(game="tails", here="2", bots="0")
    ann.send("/words", words="on" if opened else "")
    name, ann_ = owner(authority, table)

    async def run() -> list[dict[str, list[object]]]:
        async with Listener(app, ann, f"{table}/stream") as stream:
            for count in range(1, 4):
                await stream.events(count)
                live = authority.live(name)
                seat = live.pending[0]
                move = live.position(seat).moves[-1].text
                await asyncio.to_thread(
                    decisions.decide, authority, name, ann_, live.ply, move, seat
                )
            return [data["regions"] for _, data in await stream.events(4)]

    first, *later = asyncio.run(run())
    assert bool(lines("".join(map(str, first["words"])))) == opened
    for regions in later:
        assert ("words" in regions) == opened
        fresh = [part for part in regions.get("words", []) if isinstance(part, str)]
        assert len(fresh) < 30, "one decision changes some of 90 lines"
        assert bool(fresh) == opened


def test_the_log_of_a_finished_game_has_its_positions_in_words(ann: Client):
    table = ann.open(here="2", **{"option-goal": "500"})
    ann.send(f"{table}/resign", seat="0", **{"as": "0"})
    assert ann.data(table)["status"] == "over"
    assert not lines(ann.page(f"{table}/replay").text)
    ann.send("/words", words="on")
    page = ann.page(f"{table}/replay?step=1").text
    assert "Round 1" in lines(page)
    assert fields(page, "/words")["back"] == f"{table}/replay?step=1&amp;eyes=all"
    frame = ann.get(f"{table}/replay?step=1").json()
    assert lines(frame["regions"]["replay-words"]) == lines(page)


def test_a_lesson_tells_its_position_too(ann: Client):
    step = "/learn/kitchen?step=3"
    page = ann.page(step).text
    assert not lines(page)
    assert ann.send("/words", **fields(page, "/words")).headers["location"] == f"{step}#in-words"
    told = lines(ann.page(step).text)
    assert len(told) > 20
    assert any("Robin (you)" in line for line in told)
