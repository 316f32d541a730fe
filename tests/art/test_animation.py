"""Several drawings as one that moves: at every moment it shows exactly one of them."""

import re
import xml.etree.ElementTree as ET

import pytest

import diablerie
from diablerie.art.animation import animated
from diablerie.art.raster import sheets
from diablerie.engine.verbs import EVERYTHING
from tests.snapshots import ROOT

GAMES = {
    "coals": "coals-3",
    "kitchen": "kitchen-2",
    "tails": "tails-4",
    "underworld": "underworld-3",
}
SVG = "{http://www.w3.org/2000/svg}"
KEYFRAMES = re.compile(r"@keyframes film-([0-9a-f]+)\{((?:[\d.]+%\{visibility:\w+\})+)\}")
TURN = re.compile(r"([\d.]+)%\{visibility:(\w+)\}")


def positions(name: str, count: int) -> list[str]:
    match = diablerie.load(ROOT / "tests" / "games" / name / "golden" / f"{GAMES[name]}.jsonl")
    plies = [round(match.ply * k / (count - 1)) for k in range(count)]
    views = [match.at(ply).view(EVERYTHING) for ply in plies]
    return [match.game.ui.draw(view, [], str) for view in views]


def shown_at(film: str, share: float) -> list[str]:
    """What can be seen after this share of the loop, without marks: an element a line."""
    visible = {}
    for name, frames in KEYFRAMES.findall(film):
        turns = [(float(at), how) for at, how in TURN.findall(frames)]
        visible[f"film-{name}"] = [how for at, how in turns if at <= 100 * share][-1] == "visible"
    root = ET.fromstring(film)
    root.remove(root[0])  # the style
    return list(elements(root, visible))


def definitions(film: str) -> dict[str, str]:
    """What is defined for others to show, as text by its id."""
    found = [one for defs in ET.fromstring(film).iter(f"{SVG}defs") for one in defs]
    assert len(found) == len({one.get("id") for one in found})
    return {str(one.get("id")): ET.tostring(one, "unicode") for one in found}


def elements(element: ET.Element, visible: dict[str, bool]):
    classes = (element.get("class") or "").split()
    marks = [one for one in classes if one.startswith("film-")]
    if not all(visible[mark] for mark in marks):
        return
    about = dict(element.attrib) | {"class": " ".join(c for c in classes if c not in marks)}
    yield f"{element.tag} {sorted(about.items())} {element.text}"
    for child in element if element.tag != f"{SVG}defs" else ():
        yield from elements(child, visible)


def plain(drawing: str) -> list[str]:
    film = animated([drawing], "", 1.0, rest=1)
    return shown_at(film, 0.5)


@pytest.mark.parametrize("name", GAMES)
def test_each_drawing_is_shown_whole_in_its_turn_and_the_last_one_longest(name: str):
    drawings = positions(name, 5)
    film = animated(drawings, "", 1.0, rest=3)
    wanted = [*range(5), 4, 4]
    ids = re.compile(r"\('id', '[^']*'\), ")  # kept where another drawing refers to one
    defined = definitions(film)
    for turn, number in enumerate(wanted):
        alone = animated([drawings[number]], "", 1.0)
        assert definitions(alone).items() <= defined.items()
        seen = [ids.sub("", line) for line in shown_at(film, (turn + 0.5) / len(wanted))]
        assert seen == [ids.sub("", line) for line in plain(drawings[number])]


@pytest.mark.parametrize("name", GAMES)
def test_it_is_small_since_it_holds_once_what_drawings_share(name: str):
    drawings = positions(name, 16)
    film = animated(drawings, "\n".join(sheets(f"diablerie.games.{name}.ui")), 1.2)
    assert len(film) < 300_000
    assert len(film) < sum(map(len, drawings)) / 2
    ids = [element.get("id") for element in ET.fromstring(film).iter() if element.get("id")]
    assert len(ids) == len({*ids})


def test_who_wants_less_motion_sees_the_last_drawing():
    film = animated(["<svg><g/></svg>", '<svg><path d="M0 0"/></svg>'], "", 1.0)
    still, moving = film.split("@media (prefers-reduced-motion:no-preference)")
    assert ".film-1{visibility:hidden}" in still
    assert ".film-2{" not in still
    assert "@media (prefers-reduced-motion:reduce){*{animation:none!important}}" in moving
    assert "@keyframes film-2{0%{visibility:hidden}25%{visibility:visible}}" in moving


def test_what_only_a_page_needs_is_left_out():
    inside = '<title>T</title><g id="a" data-action="x"/><g id="b"/><use href="#b"/>'
    drawing = f'<svg xmlns="http://www.w3.org/2000/svg">{inside}</svg>'
    film = animated([drawing], "", 1.0)
    assert "title" not in film
    assert 'id="a"' not in film
    assert "data-" not in film
    assert 'id="b"' in film
