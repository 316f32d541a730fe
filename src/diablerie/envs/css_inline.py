"""Style sheets written into a drawing, for rasterisers that know no custom properties.

Just what the sheets of the games use: selectors, custom properties with inheritance, `var`,
`light-dark` (by day), `rgb` and `color-mix`. A declaration that needs more is left out, and what
stands in an at-rule (motion, wide pages).
"""

import re
from collections.abc import Iterable, Mapping
from copy import copy
from typing import Any
from xml.etree import ElementTree

import cssselect2
import numpy as np
import tinycss2

Style = dict[str, str]
SVG = "{http://www.w3.org/2000/svg}"
ElementTree.register_namespace("", SVG.strip("{}"))
PAINTS = {
    "fill", "fill-opacity", "fill-rule", "stroke", "stroke-width", "stroke-opacity",
    "stroke-linecap", "stroke-linejoin", "stroke-dasharray", "stroke-dashoffset", "opacity",
    "visibility", "display", "paint-order", "font-family", "font-size", "font-weight",
    "font-style", "text-anchor", "dominant-baseline", "letter-spacing",
}  # fmt: skip
CALL = re.compile(r"(var|light-dark|rgb|color-mix)\(([^()]*)\)")
NOTHING = "\0"  # a custom property that nobody has set
# Björn Ottosson's Oklab: from linear RGB to cone responses, and from their cube roots.
CONES = np.array(
    [
        [0.4122214708, 0.5363325363, 0.0514459929],
        [0.2119034982, 0.6806995451, 0.1073969566],
        [0.0883024619, 0.2817188376, 0.6299787005],
    ]
)


def matcher(sheets: Iterable[str]) -> Any:
    """What tells the declarations for an element, in the order of the cascade."""
    found = cssselect2.Matcher()
    for sheet in sheets:
        for one in tinycss2.parse_stylesheet(sheet, skip_comments=True, skip_whitespace=True):
            if one.type != "qualified-rule":
                continue
            declared = tinycss2.parse_blocks_contents(one.content, True, True)
            style = {
                d.name: tinycss2.serialize(d.value).strip()
                for d in declared
                if d.type == "declaration"
            }
            for selector in selectors(one.prelude):
                found.add_selector(selector, style)
    return found


def selectors(prelude: Any) -> list[Any]:
    """The selectors of a rule; none if it asks what comes about in a browser only.

    That is `:hover`, which cssselect2 refuses, and `:has`, by which the script's marks show.
    """
    if ":has(" in tinycss2.serialize(prelude):
        return []
    try:
        return [one for one in cssselect2.compile_selector_list(prelude) if not one.pseudo_element]
    except cssselect2.SelectorError:
        return []


def styled(text: str, known: Any) -> str:
    """The drawing with every paint written on its elements; `use` becomes what it shows.

    known: of `matcher`.
    """
    root = ElementTree.fromstring(text)
    matched: dict[Any, list[Style]] = {}
    for wrapper in cssselect2.ElementWrapper.from_xml_root(root).iter_subtree():
        matched[wrapper.etree_element] = [style for *_, style in known.match(wrapper)]
    named = {element.get("id", ""): element for element in root.iter()}
    text = ElementTree.tostring(_painted(root, {}, matched, named), "unicode")
    return str(text)


def _painted(
    element: Any, inherited: Style, matched: Mapping[Any, list[Style]], named: Mapping[str, Any]
) -> Any:
    """A copy with its style; inherited: the custom properties around it."""
    declared = {name: value for style in matched[element] for name, value in style.items()}
    around = inherited | {n: value for n, value in declared.items() if n.startswith("--")}
    custom = around | {
        n: resolved_value(around[n], around | {n: NOTHING}) for n in declared if n.startswith("--")
    }
    worked = {n: resolved_value(declared[n], custom) for n in declared if n in PAINTS}
    made = copy(element)
    for child in list(made):
        made.remove(child)
    made.attrib.pop("class", None)
    style = "; ".join(f"{n}: {value}" for n, value in worked.items() if usable(value))
    if style:
        made.set("style", style)
    children = list(element)
    if element.tag == f"{SVG}use":
        children = [named[element.get("href", "").removeprefix("#")]]
        made.tag = f"{SVG}g"
        place = f"translate({made.attrib.pop('x', 0)} {made.attrib.pop('y', 0)})"
        made.set("transform", f"{made.get('transform', '')} {place}".strip())
    made.extend(_painted(child, custom, matched, named) for child in children)
    return made


def usable(value: str) -> bool:
    """Whether a rasteriser understands a value: everything in it is known and worked out."""
    return NOTHING not in value and not re.search(r"\b(calc|clamp|min|max)\(", value)


def resolved_value(value: str, custom: Style) -> str:
    """A value with its functions worked out, the inmost first; with NOTHING in it if it fails."""
    for _ in range(100):
        found = CALL.search(value)
        if found is None:
            return value
        value = value[: found.start()] + _called(found[1], found[2], custom) + value[found.end() :]
    return NOTHING  # a circle


def _called(function: str, inside: str, custom: Style) -> str:
    parts = [part.strip() for part in inside.split(",")]
    if function == "var":
        return custom.get(parts[0], NOTHING if len(parts) == 1 else ", ".join(parts[1:]))
    if function == "light-dark":
        return parts[0]
    if NOTHING in inside:
        return NOTHING
    return color_mix(parts) if function == "color-mix" else hexadecimal(_numbers(inside))


def _numbers(text: str) -> Any:
    """`36 24 19 / 0.55` as four numbers from 0 to 1."""
    found = [float(x) for x in re.findall(r"[\d.]+", text)]
    return np.array([*(x / 255 for x in found[:3]), *(found[3:] or [1.0])])


def color_mix(parts: list[str]) -> str:
    """`color-mix` of two colours, with their shares; every space but srgb is taken as Oklab."""
    shares = [
        float(found[0]) / 100 if (found := re.findall(r"([\d.]+)%", part)) else None
        for part in parts[1:]
    ]
    first = shares[0] if shares[0] is not None else 1 - (0.5 if shares[1] is None else shares[1])
    one, other = (rgba(re.sub(r"[\d.]+%", "", part).strip()) for part in parts[1:])
    alpha = first * one[3] + (1 - first) * other[3]
    if not alpha:
        return "none"
    share, plain = first * one[3] / alpha, "srgb" in parts[0]
    a, b = (c[:3] if plain else to_oklab(c[:3]) for c in (one, other))
    between = share * a + (1 - share) * b
    return hexadecimal([*(between if plain else from_oklab(between)), alpha])


def rgba(text: str) -> Any:
    """A colour in hexadecimal, or `transparent`, as four numbers from 0 to 1."""
    if text == "transparent":
        return np.zeros(4)
    digits = text.removeprefix("#")
    if len(digits) < 6:
        digits = "".join(2 * digit for digit in digits)
    return (
        np.array([int(digits[k : k + 2], 16) for k in (0, 2, 4, 6) if digits[k:]] + [255])[:4] / 255
    )


def hexadecimal(colour: Any) -> str:
    """Four numbers from 0 to 1 as `#rrggbbaa`."""
    return "#" + "".join(f"{round(255 * float(min(max(x, 0), 1))):02x}" for x in colour)


def to_oklab(colour: Any) -> Any:
    """Three sRGB numbers as the cube roots of cone responses, in which Oklab is linear."""
    linear = np.where(colour <= 0.04045, colour / 12.92, ((colour + 0.055) / 1.055) ** 2.4)
    return np.cbrt(CONES @ linear)


def from_oklab(roots: Any) -> Any:
    """And back."""
    linear = np.clip(np.linalg.solve(CONES, roots**3), 0, 1)
    return np.where(linear <= 0.0031308, 12.92 * linear, 1.055 * linear ** (1 / 2.4) - 0.055)
