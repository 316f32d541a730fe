"""Patches mend to what was meant, and are small where little changed."""

import json

from hypothesis import given
from hypothesis import strategies as st

from diablerie.web.frames.patch import Patch, patch, pieces

HTML = st.lists(st.sampled_from(["<g>", "</g>", "<p id=1>", "word", "<<", "", "é<b>", "\n"])).map(
    "".join
)


def mend(old: list[str], told: Patch) -> list[str]:
    """As in static/live.js: the new parts, from the old ones and a patch."""
    return [p for one in told for p in ([one] if isinstance(one, str) else run(old, *one))]


def run(old: list[str], start: int, count: int) -> list[str]:
    assert 0 <= start < start + count <= len(old)
    return old[start : start + count]


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
