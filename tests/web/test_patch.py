"""Patches mend to what was meant, and are small where little changed."""

import json

from hypothesis import given
from hypothesis import strategies as st

from diablerie.web.patch import Patch, patch, pieces

HTML = st.lists(st.sampled_from(["<g>", "</g>", "<p id=1>", "word", "<<", "", "é<b>", "\n"])).map(
    "".join
)


def mend(old: list[str], told: Patch) -> str:
    """As in static/live.js: the new HTML, from the old pieces and a patch."""
    parts = [p if isinstance(p, str) else "".join(old[p[0] : p[0] + p[1]]) for p in told]
    return "".join(parts)


@given(HTML, HTML)
def test_a_patch_mends_to_the_new_html(old: str, new: str):
    told = patch(pieces(old), pieces(new))
    assert mend(pieces(old), json.loads(json.dumps(told))) == new


@given(HTML)
def test_nothing_changed_is_one_run(html: str):
    assert len(patch(pieces(html), pieces(html))) <= 1


def test_cutting_is_as_in_the_script():
    assert pieces("<a><b>c</b> d") == ["<a>", "<b>c", "</b> d"]
    assert pieces("a<b>") == ["a", "<b>"]
    assert pieces("") == [""]


def test_a_little_change_in_a_large_picture_is_little_to_tell():
    old = "".join(f'<path id="p{i}" d="M{i} 0"/>' for i in range(1000))
    new = old.replace('"M500 0"', '"M7 7"')
    assert len(json.dumps(patch(pieces(old), pieces(new)))) < 100
