"""The page of the look shows everything there is."""

import re

from diablerie.art import marks, pieces
from diablerie.art.head import MOODS
from diablerie.art.poses import POSES
from diablerie.games import ALL
from diablerie.web import gallery
from tests.art.markup import checked
from tests.art.sight import themes
from tests.web.client import Client


def plain(line) -> str:
    return str(line)


def test_the_page_shows_all_colours_figures_pieces_and_boards(ann: Client):
    page = ann.page("/style")
    assert page.status_code == 200
    seats = {f"seat-{i}" for i in range(marks.SEATS)}
    inks = {name for name in themes()["light"] if name.endswith("-ink")}
    for name in themes()["light"].keys() - seats - inks - {"veil"}:
        assert f"<code>{name}</code>" in page.text
    for name in (*POSES, *MOODS, *(f"chip({value})" for value in pieces.CHIPS)):
        assert f"<code>{name}</code>" in page.text
    assert page.text.count('role="img"') >= len(ALL)


def test_all_pictures_of_the_page_are_well_formed_and_share_no_ids():
    shown = gallery.samples(plain)
    drawn = [*shown["poses"], *shown["moods"], *shown["boards"]]
    drawn += [sample for samples in shown["pieces"].values() for sample in samples]
    roots = [checked(sample.picture) for sample in drawn]
    roots += [checked(seat["texture"]) for seat in shown["seats"]]
    ids = [el.get("id") for root in roots for el in root.iter() if el.get("id")]
    assert len(ids) == len(set(ids))


def test_the_page_is_not_laid_out_inline(ann: Client):
    assert not re.search(r"\sstyle=", ann.page("/style").text)
