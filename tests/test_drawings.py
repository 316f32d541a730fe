"""Drawings as text: what moved is printed, what stayed is not, and art stands among the parts."""

import xml.etree.ElementTree as ET

from tests.drawings import Parts, changes

ART = "<g><path d='M0 0'/><path d='M1.0 1'/><path d='M2 2'/></g>"
PICTURE = "<svg id='board'><g id='a' x='{}'><text>5</text></g>{}<g id='b'>" + ART + "</g></svg>"


def test_the_first_picture_is_printed_whole_and_art_once() -> None:
    parts = Parts()
    units = parts.units(ET.fromstring(PICTURE.format("0.500", "")))
    assert "".join(changes({}, units, {})) == (
        '<svg id="board"> { #a #b }\n<g id="a" x="0.5"> <text>5\n<g id="b"> <g> = shapes/1\n'
    )
    assert parts.told() == 'shapes/1:\n <path d="M0 0">\n <path d="M1 1">\n <path d="M2 2">\n'


def test_of_a_later_picture_only_what_moved_came_or_went_is_printed() -> None:
    parts = Parts()
    before = parts.units(ET.fromstring(PICTURE.format("1", "<g id='c'/>")))
    after = parts.units(ET.fromstring(PICTURE.format("2", "<g id='d'/>")))
    known = dict.fromkeys(before.items(), 7)
    assert "".join(changes(before, after, known)) == (
        'gone: c\n<svg id="board"> { #a #d #b }\n<g id="a" x="2"> <text>5\n<g id="d">\n'
    )
    assert "".join(changes(after, before, known)) == "gone: d\nas at ply 7: board a c\n"
