"""Inlines style sheets into a drawing, for rasterisers that know no custom properties.

It knows just the CSS that the games use: selectors, custom properties with inheritance, `var`,
`light-dark` (as light), `rgb` and `color-mix`. It ignores declarations that need more, and at-rules.
A colour is a float64 array (4,): red, green, blue and alpha, from 0 to 1.
"""

import re
from collections.abc import Iterable, Mapping
from xml.etree import ElementTree

import cssselect2
import numpy as np
import tinycss2
from numpy.typing import NDArray

from diablerie.art.svg import SVG_NAMESPACE

Element = ElementTree.Element
Style = dict[str, str]
Colour = NDArray[np.float64]
ElementTree.register_namespace("", SVG_NAMESPACE.strip("{}"))
PAINTS = {
    "fill", "fill-opacity", "fill-rule", "stroke", "stroke-width", "stroke-opacity",
    "stroke-linecap", "stroke-linejoin", "stroke-dasharray", "stroke-dashoffset", "opacity",
    "visibility", "display", "paint-order", "font-family", "font-size", "font-weight",
    "font-style", "text-anchor", "dominant-baseline", "letter-spacing",
}  # fmt: skip
CSS_FUNCTION = re.compile(r"(var|light-dark|rgb|color-mix)\(([^()]*)\)")
NOT_SET = "\0"  # the value of a custom property that is not set
# Björn Ottosson's Oklab: from linear RGB to cone responses, and from their cube roots.
RGB_TO_CONES = np.array(
    [
        [0.4122214708, 0.5363325363, 0.0514459929],
        [0.2119034982, 0.6806995451, 0.1073969566],
        [0.0883024619, 0.2817188376, 0.6299787005],
    ]
)


def matcher(sheets: Iterable[str]) -> cssselect2.Matcher:
    """A cssselect2 matcher, which finds the declarations for an element in cascade order."""
    rules = cssselect2.Matcher()
    for sheet in sheets:
        for css_rule in tinycss2.parse_stylesheet(sheet, skip_comments=True, skip_whitespace=True):
            if css_rule.type != "qualified-rule":
                continue
            declared = tinycss2.parse_blocks_contents(css_rule.content, True, True)
            style = {
                d.name: tinycss2.serialize(d.value).strip()
                for d in declared
                if d.type == "declaration"
            }
            for selector in selectors(css_rule.prelude):
                rules.add_selector(selector, style)
    return rules


def selectors(prelude: list[tinycss2.ast.Node]) -> list[cssselect2.compiler.CompiledSelector]:
    """The selectors of a rule; none if it depends on what happens in a browser.

    That is `:hover`, which cssselect2 refuses, and `:has`, which shows what the script has marked.
    """
    if ":has(" in tinycss2.serialize(prelude):
        return []
    try:
        compiled = cssselect2.compile_selector_list(prelude)
        return [selector for selector in compiled if not selector.pseudo_element]
    except cssselect2.SelectorError:
        return []


def styled(text: str, rules: cssselect2.Matcher) -> str:
    """The drawing with all PAINTS as styles of its elements; `use` becomes a copy of its target.

    rules: see `matcher`. Raises ElementTree.ParseError.
    """
    root = ElementTree.fromstring(text)
    matched: dict[Element, list[Style]] = {}
    for wrapper in cssselect2.ElementWrapper.from_xml_root(root).iter_subtree():
        matched[wrapper.etree_element] = [style for *_, style in rules.match(wrapper)]
    named = {element.get("id", ""): element for element in root.iter()}
    return str(ElementTree.tostring(_painted(root, {}, matched, named), "unicode"))


def _painted(
    element: Element,
    inherited: Style,
    matched: Mapping[Element, list[Style]],
    named: Mapping[str, Element],
) -> Element:
    """A copy of an element with its style. inherited: the custom properties of its parent."""
    declared = {name: value for style in matched[element] for name, value in style.items()}
    around = inherited | {n: value for n, value in declared.items() if n.startswith("--")}
    custom = around | {
        n: resolved_value(around[n], around | {n: NOT_SET}) for n in declared if n.startswith("--")
    }
    resolved = {n: resolved_value(declared[n], custom) for n in declared if n in PAINTS}
    # `copy` would share the attributes, and the last use of a drawing colour all others.
    painted = Element(element.tag, dict(element.attrib))
    painted.text = element.text
    painted.tail = element.tail
    painted.attrib.pop("class", None)
    style = "; ".join(f"{n}: {value}" for n, value in resolved.items() if usable(value))
    if style:
        painted.set("style", style)
    children = list(element)
    if element.tag == f"{SVG_NAMESPACE}use":
        children = [named[element.get("href", "").removeprefix("#")]]
        painted.tag = f"{SVG_NAMESPACE}g"
        place = f"translate({painted.attrib.pop('x', 0)} {painted.attrib.pop('y', 0)})"
        painted.set("transform", f"{painted.get('transform', '')} {place}".strip())
    painted.extend(_painted(child, custom, matched, named) for child in children)
    return painted


def usable(value: str) -> bool:
    """Whether a rasteriser understands a value: nothing in it is unset or to be computed."""
    return NOT_SET not in value and not re.search(r"\b(calc|clamp|min|max)\(", value)


def resolved_value(value: str, custom: Style) -> str:
    """A value with its functions evaluated, the innermost first; NOT_SET stands for failures."""
    for _ in range(100):
        call = CSS_FUNCTION.search(value)
        if call is None:
            return value
        value = value[: call.start()] + _called(call[1], call[2], custom) + value[call.end() :]
    return NOT_SET  # custom properties that refer to each other


def _called(function: str, inside: str, custom: Style) -> str:
    parts = [part.strip() for part in inside.split(",")]
    if function == "var":
        return custom.get(parts[0], NOT_SET if len(parts) == 1 else ", ".join(parts[1:]))
    if function == "light-dark":
        return parts[0]
    if NOT_SET in inside:
        return NOT_SET
    return color_mix(parts) if function == "color-mix" else hexadecimal(_numbers(inside))


def _numbers(text: str) -> Colour:
    """The colour `36 24 19 / 0.55`."""
    numbers = [float(x) for x in re.findall(r"[\d.]+", text)]
    return np.array([*(x / 255 for x in numbers[:3]), *(numbers[3:] or [1.0])])


def color_mix(parts: list[str]) -> str:
    """`color-mix` of two colours with their shares, in sRGB or else in Oklab."""
    shares = [
        float(percent[0]) / 100 if (percent := re.findall(r"([\d.]+)%", part)) else None
        for part in parts[1:]
    ]
    first = shares[0] if shares[0] is not None else 1 - (0.5 if shares[1] is None else shares[1])
    one, other = (rgba(re.sub(r"[\d.]+%", "", part).strip()) for part in parts[1:])
    alpha = first * one[3] + (1 - first) * other[3]
    if not alpha:
        return "none"
    share = first * one[3] / alpha
    plain = "srgb" in parts[0]
    a, b = (c[:3] if plain else to_oklab(c[:3]) for c in (one, other))
    between = share * a + (1 - share) * b
    return hexadecimal([*(between if plain else from_oklab(between)), alpha])


def rgba(text: str) -> Colour:
    """The colour of hexadecimal digits or of `transparent`."""
    if text == "transparent":
        return np.zeros(4)
    digits = text.removeprefix("#")
    if len(digits) < 6:
        digits = "".join(2 * digit for digit in digits)
    return (
        np.array([int(digits[k : k + 2], 16) for k in (0, 2, 4, 6) if digits[k:]] + [255])[:4] / 255
    )


def hexadecimal(colour: Iterable[float]) -> str:
    """A colour as `#rrggbbaa`."""
    return "#" + "".join(f"{round(255 * float(min(max(x, 0), 1))):02x}" for x in colour)


def to_oklab(colour: Colour) -> Colour:
    """sRGB, (3,), as the cube roots of cone responses, (3,), in which Oklab is linear."""
    linear = np.where(colour <= 0.04045, colour / 12.92, ((colour + 0.055) / 1.055) ** 2.4)
    return np.asarray(np.cbrt(RGB_TO_CONES @ linear), np.float64)


def from_oklab(roots: Colour) -> Colour:
    """The inverse of `to_oklab`, clipped to what sRGB can show."""
    linear = np.clip(np.linalg.solve(RGB_TO_CONES, roots**3), 0, 1)
    return np.where(linear <= 0.0031308, 12.92 * linear, 1.055 * linear ** (1 / 2.4) - 0.055)
