"""Patches mend to what was meant, and are small where little changed."""

import json
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from diablerie.web.frames.patch import edited, patch, pieces

HTML = st.lists(st.sampled_from(["<g>", "</g>", "<p id=1>", "word", "<<", "", "é<b>", "\n"])).map(
    "".join
)


def mend(old: list[str], told: list[Any]) -> list[str]:
    """As in static/live.js: the new parts, from the old ones and a patch."""
    return [part for one in told for part in mended(old, one)]


def mended(old: list[str], item: Any) -> list[str]:
    if isinstance(item, str):
        return [item]
    if len(item) == 2:
        start, count = item
        assert 0 <= start < start + count <= len(old)
        return old[start : start + count]
    place, before, after, between = item
    text = units(old[place])
    assert before + after <= len(text)
    middle = units(between)
    return [b"".join([*text[:before], *middle, *text[len(text) - after :]]).decode("utf-16-le")]


def units(text: str) -> list[bytes]:
    """What JavaScript counts as characters."""
    coded = text.encode("utf-16-le")
    return [coded[i : i + 2] for i in range(0, len(coded), 2)]


PARTS = st.lists(st.sampled_from(["<g>", "</g>", "<p id=1>", "word", "<<", "", "é<b>"]))


@given(PARTS, PARTS)
def test_a_patch_mends_to_the_new_parts(old: list[str], new: list[str]):
    told = patch(old, new)
    assert mend(old, json.loads(json.dumps(told))) == new


@given(PARTS)
def test_nothing_changed_is_one_run(parts: list[str]):
    once = list(dict.fromkeys(parts))
    assert len(patch(once, once)) <= 1


@given(HTML)
def test_html_that_nobody_has_cut_is_cut_before_every_tag(html: str):
    assert "".join(pieces(html)) == html
    assert all("<" not in piece[1:] for piece in pieces(html))


def test_a_little_change_in_a_large_picture_is_little_to_tell():
    old = "".join(f'<path id="p{i}" d="M{i} 0"/>' for i in range(1000))
    new = old.replace('"M500 0"', '"M7 7"')
    assert len(json.dumps(patch(pieces(old), pieces(new)))) < 100


def test_a_line_put_before_all_others_leaves_them_one_run():
    assert patch(["a", "b", "c"], ["x", "a", "b", "c", "y"]) == ["x", [0, 3], "y"]


LONG = st.builds(
    lambda middle, n: f'<g id="part" class="{middle}">' + "é" * n + middle + "x" * 70 + "</g>",
    st.text(alphabet="a<é\U0001f600\n", max_size=5),
    st.integers(0, 3),
)
LIKE = st.lists(st.one_of(LONG, st.sampled_from(["<g>", "</g>", "word" * 40])))


@given(LIKE, LIKE)
def test_edits_of_parts_mend_to_the_new_parts(old: list[str], new: list[str]):
    told = edited(patch(old, new), old)
    assert mend(old, json.loads(json.dumps(told))) == new


def test_of_a_part_in_which_little_changed_little_is_told():
    old = [f'<g id="p{i}" class="seat">{"word " * 40}</g>' for i in range(9)]
    new = [*old[:4], old[4].replace("seat", "seat turn"), *old[5:]]
    assert edited(patch(old, new), old) == [[0, 4], (4, 22, 206, " turn"), [5, 4]]


def test_a_part_put_between_others_is_no_edit_of_them():
    old = ["<li>first</li>" * 9, "<li>last</li>" * 9]
    new = [old[0], "<p>between</p>" * 9, old[1]]
    assert edited(patch(old, new), old) == [[0, 1], new[1], [1, 1]]
