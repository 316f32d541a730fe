"""The colours: seats stay apart for everybody, and everything written can be read."""

import re
from itertools import combinations

import pytest

from diablerie.engine.verbs import SEATS
from tests.art.sight import CSS, SIGHTS, contrast, distance, themes

THEMES = pytest.mark.parametrize("theme", ["light", "dark"])
GROUNDS = ("bg", "surface", "raised")


def test_the_palette_is_read_whole():
    """Every colour that is not of the print is told by day and by night."""
    declared = re.findall(
        r"^  --([\w-]+):[^;]*(?:#|rgb)", (CSS / "tokens.css").read_text(), re.MULTILINE
    )
    assert {name for name in declared if not name.startswith("print-")} == set(themes()["light"])
    assert (
        len(themes()["light"]) == (CSS / "tokens.css").read_text().count("light-dark(") - 1
    )  # one in the comment


@THEMES
@pytest.mark.parametrize("sight", SIGHTS)
def test_seat_colours_are_five_times_just_noticeably_apart(theme, sight):
    colours = [themes()[theme][f"seat-{i}"] for i in range(SEATS)]
    assert min(distance(a, b, sight) for a, b in combinations(colours, 2)) > 0.1


@THEMES
@pytest.mark.parametrize("seat", range(SEATS))
def test_a_seat_stands_out_from_every_ground_and_its_ink_from_it(theme, seat):
    tokens = themes()[theme]
    colour = tokens[f"seat-{seat}"]
    assert min(contrast(colour, tokens[ground]) for ground in GROUNDS) >= 3
    assert contrast(colour, tokens[f"seat-{seat}-ink"]) >= 4.5


@THEMES
@pytest.mark.parametrize("ink", ["ink", "ink-2", "accent", "accent-2", "danger", "success"])
def test_words_can_be_read_on_every_ground(theme, ink):
    tokens = themes()[theme]
    assert min(contrast(tokens[ink], tokens[g]) for g in (*GROUNDS, "sunken")) >= 4.5


@THEMES
@pytest.mark.parametrize("name", ["accent", "danger", "success"])
def test_words_can_be_read_on_what_is_coloured(theme, name):
    tokens = themes()[theme]
    assert contrast(tokens["ink"], tokens[f"{name}-soft"]) >= 4.5


@THEMES
def test_words_can_be_read_on_a_button(theme):
    tokens = themes()[theme]
    assert contrast(tokens["accent"], tokens["accent-ink"]) >= 4.5


@THEMES
@pytest.mark.parametrize("line", ["line-2", "focus"])
def test_edges_of_controls_can_be_seen(theme, line):
    tokens = themes()[theme]
    assert min(contrast(tokens[line], tokens[ground]) for ground in GROUNDS) >= 3


def test_the_simulation_knows_what_the_colour_blind_confuse():
    assert distance("#d02020", "#7a6a10", "deuteranopia") < 0.5 * distance(
        "#d02020", "#7a6a10", "normal"
    )
    assert distance("#000000", "#ffffff", "tritanopia") == pytest.approx(1, abs=0.01)
