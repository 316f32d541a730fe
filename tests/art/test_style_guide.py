"""The style guide shows everything there is."""

import re

from diablerie.art import marks, pieces
from diablerie.art.head import MOODS
from diablerie.art.poses import POSES
from diablerie.games import ALL
from tests.art.markup import checked
from tests.art.sight import themes
from tools import style_guide


def test_the_page_shows_all_colours_figures_pieces_and_boards(tmp_path, monkeypatch):
    monkeypatch.setattr("sys.argv", ["style_guide", str(tmp_path)])
    style_guide.main()
    page = (tmp_path / "index.html").read_text("utf-8")
    seats = {f"seat-{i}" for i in range(marks.SEATS)}
    inks = {name for name in themes()["light"] if name.endswith("-ink")}
    for name in themes()["light"].keys() - seats - inks:
        assert f"<code>{name}</code>" in page
    for name in (*POSES, *MOODS, *(f"chip({value})" for value in pieces.CHIPS)):
        assert f"<code>{name}</code>" in page
    assert page.count('role="img"') >= len(ALL)
    for sheet in re.findall(r'<link rel="stylesheet" href="(.*?)">', page):
        assert (tmp_path / sheet).read_text("utf-8")
    assert not re.search(r"\sstyle=", page)


def test_all_pictures_of_the_page_are_well_formed_and_share_no_ids():
    shown = style_guide.samples()
    drawn = [*shown["poses"], *shown["moods"], *shown["boards"]]
    drawn += [sample for samples in shown["pieces"].values() for sample in samples]
    roots = [checked(sample.picture) for sample in drawn]
    roots += [checked(seat["dash"]) for seat in shown["seats"]]
    ids = [el.get("id") for root in roots for el in root.iter() if el.get("id")]
    assert len(ids) == len(set(ids))


def test_all_pieces_are_on_the_page():
    names = {name: [one.name for one in make()] for name, make in style_guide.PIECES.items()}
    found = [name for group in names.values() for name in group]
    for kind, values in (
        ("coal_face", (100, 75, 50, 25, 20, 10)), ("pawn", range(6)), ("disk", range(6)),
        ("die", (1, 2, 3, "wing", 6)),
    ):  # fmt: skip
        assert [name for name in found if name.startswith(f"{kind}(")] == [
            f"{kind}({value})" for value in values
        ]
    assert sum(name.startswith("peg(") for name in found) == 6
    assert len(found) == len(set(found))
