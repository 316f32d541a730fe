"""Pictures as pixels: the game's own drawing and colours, redacted like everything else."""

from xml.etree import ElementTree

import numpy as np
import pytest

import diablerie
from tests.envs.needed import needed

needed("resvg_py")
needed("cssselect2")
from diablerie.art.css_inline import (  # noqa: E402
    color_mix,
    hexadecimal,
    matcher,
    resolved_value,
    styled,
)
from diablerie.art.svg import SVG_NAMESPACE  # noqa: E402
from diablerie.envs.single_game import pixels  # noqa: E402


def shown(match, viewer=0):
    return pixels(match.game, match.view(viewer), 240)


@pytest.mark.parametrize("name", ["coals", "tails", "underworld", "kitchen"])
def test_every_game_is_drawn_in_its_colours(name):
    seen = shown(diablerie.start(name, seed=1))
    assert seen.dtype == np.uint8
    assert seen.shape[1:] == (240, 3)
    colours, counts = np.unique(seen.reshape(-1, 3), axis=0, return_counts=True)
    assert len(colours) > 200
    black = (colours == 0).all(axis=1)  # what a rasteriser paints that finds no colour
    assert counts[black].sum() < 0.02 * counts.sum()


def test_the_seats_have_their_own_colours():
    seen = shown(diablerie.start("coals", seed=1)).astype(int)
    for colour in ((0xB4, 0x7D, 0x0F), (0x63, 0x01, 0x8E)):  # --seat-0 and --seat-1 by day
        assert (np.abs(seen - colour).sum(axis=2) < 12).sum() > 20


def test_what_two_seats_show_of_one_drawing_has_two_colours():
    rules = matcher([".seat-0{--seat:#111111} .seat-1{--seat:#222222} .fill{fill:var(--seat)}"])
    drawing = """<svg xmlns="http://www.w3.org/2000/svg"><defs><g id="a" class="fill"/></defs>
    <g class="seat-0"><use href="#a"/></g><g class="seat-1"><use href="#a"/></g></svg>"""
    shows = ElementTree.fromstring(styled(drawing, rules)).findall(
        f"{SVG_NAMESPACE}g/{SVG_NAMESPACE}g/{SVG_NAMESPACE}g"
    )
    assert [one.get("style") for one in shows] == ["fill: #111111", "fill: #222222"]


def test_what_is_hidden_is_not_drawn():
    first, other = (diablerie.start("coals", seed=1) for _ in range(2))
    first.play("bet 50", 0)
    other.play("bet 100", 0)
    assert (shown(first, 1) == shown(other, 1)).all()
    assert (shown(first, 0) != shown(other, 0)).any()


@pytest.mark.parametrize(
    ("value", "worked"),
    [
        ("var(--a)", "#112233"),
        ("var(--b, var(--a))", "#112233"),
        ("light-dark(var(--a), #000000)", "#112233"),
        ("rgb(255 0 0 / 0.5)", "#ff000080"),
        ("color-mix(in srgb, #ff0000 25%, #0000ff)", "#4000bfff"),
        ("color-mix(in oklab, #000000, #ffffff)", "#636363ff"),
        ("color-mix(in srgb, #ff0000 22%, transparent)", "#ff000038"),
    ],
)
def test_values_are_worked_out_as_by_a_browser(value, worked):
    assert resolved_value(value, {"--a": "#112233"}) == worked


def test_what_is_not_known_is_left_out():
    assert "\0" in resolved_value("var(--none)", {})
    assert "\0" in resolved_value("color-mix(in oklab, var(--none), #000000)", {})
    assert "\0" in resolved_value("var(--a)", {"--a": "var(--a)"})
    assert color_mix(["in oklab", "transparent", "transparent"]) == "none"
    assert hexadecimal([0, 1, 2, 1]) == "#00ffffff"
