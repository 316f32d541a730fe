"""Draw the icons of the installed page from the project's own: `python tools/icons.py`."""

from pathlib import Path

import resvg_py

STATIC = Path(__file__).parent.parent / "src" / "diablerie" / "web" / "static"
HEAD = (STATIC / "icon.svg").read_text("utf-8").partition(">")[2].rstrip().removesuffix("</svg>")
PAPER = "#fbf4e6"
LAVA = "#f2b632"


def icon(share: float, ground: str, corner: float = 0) -> str:
    """The head, taking this share of a square of 32 with this ground."""
    gap = 16 * (1 - share)
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">'
        f'<rect width="32" height="32" rx="{corner}" fill="{ground}"/>'
        f'<g transform="translate({gap} {gap}) scale({share})">{HEAD}</g></svg>'
    )


def main() -> None:
    """Write them."""
    drawn = {
        ("icon-192.png", 192): icon(0.82, PAPER, 6),
        ("icon-512.png", 512): icon(0.82, PAPER, 6),
        ("icon-mask.png", 512): icon(0.58, LAVA),
        ("icon-touch.png", 180): icon(0.74, PAPER),
    }
    for (name, size), svg in drawn.items():
        data = resvg_py.svg_to_bytes(svg_string=svg, width=size, height=size)
        (STATIC / name).write_bytes(bytes(data))


if __name__ == "__main__":
    main()
