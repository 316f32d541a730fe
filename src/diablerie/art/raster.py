"""Drawings with their style sheets applied, for programs that know less CSS than a browser, and as PNG.

resvg draws them. Texts are set in Matplotlib's DejaVu fonts if it is installed, so that pictures are
the same on every machine; else in what fonts the machine has. What draws is imported when something is drawn.
"""

import subprocess
import sys
from functools import cache
from importlib.resources import files
from importlib.util import find_spec
from pathlib import Path

SHARED_SHEETS = ("tokens", "base", "parts", "art", "pieces")  # the sheets that all drawings share
BOARD_SHEET = "board"  # the sheet for games that have none of their own
LIGHT_PAPER = "#f6ecd9"  # the light background of a page


def sheets(room: str) -> list[str]:
    """The style sheets for drawings of a game, whose package `ui` is `room`, in their order."""
    static = files("diablerie") / "web" / "static"
    own = sorted(
        (p for p in files(room).iterdir() if p.name.endswith(".css")), key=lambda p: p.name
    )
    house = SHARED_SHEETS if own else (*SHARED_SHEETS, BOARD_SHEET)
    shared = [static / f"{name}.css" for name in house]
    return [sheet.read_text("utf-8") for sheet in [*shared, *own]]


@cache
def _matching(room: str) -> object:
    from diablerie.art.css_inline import matcher

    return matcher(sheets(room))


def without_sheets(drawing: str, room: str) -> str:
    """An `<svg>` in the light theme that needs no style sheet. room: as for `sheets`.

    Raises ElementTree.ParseError.
    """
    from diablerie.art.css_inline import styled

    return styled(drawing, _matching(room))


def png(drawing: str, width: int) -> bytes:
    """An `<svg>` that needs no style sheet as a PNG on paper, so many pixels wide."""
    import resvg_py

    shipped = fonts()
    made = resvg_py.svg_to_bytes(
        svg_string=drawing,
        width=width,
        background=LIGHT_PAPER,
        skip_system_fonts=bool(shipped),
        font_files=shipped,
        serif_family="DejaVu Serif",
        sans_serif_family="DejaVu Sans",
    )
    return bytes(made)


def png_in_child(drawing: str, width: int) -> bytes:
    """The same from a child process: while resvg draws, no other thread of this one goes on."""
    child = [sys.executable, "-P", __file__, str(width)]
    return subprocess.run(child, input=drawing.encode(), stdout=subprocess.PIPE, check=True).stdout


@cache
def fonts() -> list[str]:
    """The font files that come with Matplotlib; none if it is not installed."""
    found = find_spec("matplotlib")
    if found is None or found.origin is None:
        return []
    folder = Path(found.origin).parent / "mpl-data" / "fonts" / "ttf"
    return sorted(str(path) for path in folder.glob("DejaVu*.ttf"))


if __name__ == "__main__":
    sys.stdout.buffer.write(png(sys.stdin.buffer.read().decode(), int(sys.argv[1])))
