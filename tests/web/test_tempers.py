"""Devils with character: whose face tells of a ply, and what a devil remarks."""

import re

import pytest

from diablerie.games import ALL
from diablerie.table.authority import Authority
from diablerie.table.commands import decisions
from diablerie.web.frames import regions
from diablerie.web.frames.frames import gather
from diablerie.web.frames.regions import TEMPERS, remark
from diablerie.web.frames.table_page import Recipient, view_table
from diablerie.web.html.templates import TEMPLATE_MOODS
from tests.web.client import Client


def test_what_a_devil_remarks_follows_from_match_and_ply_alone():
    lines = {str(remark("t", ply, 2, "triumph")) for ply in range(60)}
    assert lines == {str(line) for line in TEMPERS[1][0]}
    assert remark("t", 7, 2, "burnt") == remark("t", 7, 2, "burnt")
    assert str(remark("t", 7, 2, "burnt")) in {str(line) for line in TEMPERS[1][1]}


def test_no_two_devils_say_the_same_and_all_of_it_fits_a_bubble():
    lines = [str(line) for temper in TEMPERS for mood in temper for line in mood]
    assert len(lines) == len(set(lines)) == 24
    assert max(map(len, lines)) < 60
    assert not any(set(line) & set("\t\n") for line in lines)


@pytest.mark.parametrize("game", ALL.values(), ids=ALL)
def test_every_face_is_a_mood_of_a_scene(game):
    assert game.faces
    assert set(game.faces.values()) <= set(TEMPLATE_MOODS)
    assert all(f'data-scene="{name}"' in game.scenes() for name in game.faces)


def test_burnt_fingers_show_in_the_face_and_only_devils_remark(ann: Client, authority: Authority):
    table = ann.open(open="0", bots="2", bot="random").removeprefix("/t/").partition("?")[0]
    told = set[str]()
    for _ in range(120):  # all pull until they are burnt
        live = authority.live(table)
        if live.status == "over":
            break
        page = gather(authority, view_table(authority, table, None), Recipient(None, "en"))
        told |= set(regions.faces(page))
        assert live.match
        seat = live.pending[0]
        text = next(iter([one for one in live.match.legal(seat) if one == "pull"] or ["bet 0"]))
        if owner := live.seats[seat].owner:
            decisions.decide(authority, table, owner, live.ply, text, seat)
        else:
            decisions.decide_as_bot(authority, table, seat, live.ply, text)
    seats = set()
    for one in told:
        ply, seat, mood, said = one.removesuffix("\n").split("\t")
        assert re.fullmatch(r"\d+", ply)
        assert mood == "burnt"
        assert bool(said) == (seat != "0")
        seats.add(seat)
    assert seats == {"0", "1", "2"}
