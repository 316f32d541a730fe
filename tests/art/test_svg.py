"""The builder of SVG."""

import xml.etree.ElementTree as ET

import pytest
from hypothesis import given
from hypothesis import strategies as st

from diablerie.art.svg import at, element, group, shortened, svg, svg_number, svg_text

PRINTABLE = st.text(st.characters(codec="utf-8", exclude_categories=("Cs", "Cc")))


@given(words=PRINTABLE, name=PRINTABLE)
def test_text_and_attributes_are_escaped_and_come_back(words, name):
    parsed = ET.fromstring(element("text", words, aria_label=name))
    assert (parsed.text or "") == words
    assert parsed.get("aria-label") == name


def test_markup_is_not_escaped_twice():
    assert group(element("circle", r=3), "a<b") == '<g><circle r="3"/>a&lt;b</g>'


def test_attributes_are_renamed_and_empty_ones_left_out():
    made = element("path", class_="x", data_action="pull", id=None, hidden=False, data_move=True)
    assert made == '<path class="x" data-action="pull" data-move=""/>'


@pytest.mark.parametrize(
    ("value", "shown"), [(1.5, "1.5"), (2.0, "2"), (0.0, "0"), (-0.001, "0"), (-0.5, "-0.5"),
                         (10.0, "10"), (1 / 3, "0.33"), (7, "7")]
)  # fmt: skip
def test_numbers_are_short(value, shown):
    assert svg_number(value) == shown


def test_a_place_is_a_transform():
    assert at(1, 2.5) == "translate(1 2.5)"
    assert at(0, 0, 90, 2) == "translate(0 0) rotate(90) scale(2)"


def test_a_picture_has_a_name_or_is_decoration():
    assert ET.fromstring(svg(10, 10, title="A devil")).get("role") == "img"
    assert ET.fromstring(svg(10, 10)).get("aria-hidden") == "true"
    assert 'viewBox="-5 0 10 10"' in svg(10, 10, svg_text(0, 0, "x"), left=-5)


def test_of_a_long_name_what_tells_most_is_left():
    assert shortened("Oma", 13) == "Oma"
    assert shortened("Sensible devil Soot", 13) == "… Soot"
    assert shortened("Maximilian the Magnificent", 13) == "Maximilian…"
    assert shortened("Great-Grandfather", 13) == "Great-Grandf…"
    assert shortened("a b Great-Grandfather", 13) == "a b Great-Gr…"
    assert shortened("\u2003" * 20, 13).endswith("…")
    assert shortened("M" * 24, 13) == "MMMMMMM…"
    assert shortened("鬼" * 9, 13) == "鬼" * 7 + "…"
