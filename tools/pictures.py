"""Draw the boards of README: `python tools/pictures.py [FOLDER]`, docs/pictures if left out.

Each game as it stood in the middle of a golden game, drawn as the page draws it, by day and by
night; the style is in the picture, for there is no page around it.
"""

import re
import sys
from pathlib import Path

import diablerie
from diablerie.engine.text import ENGLISH, render_line
from diablerie.engine.verbs import WATCHER
from diablerie.web.html import assets, templates

ROOT = Path(__file__).parent.parent
SCENES = {"coals": (4, 0.55), "tails": (4, 0.7), "underworld": (4, 0.5), "kitchen": (4, 0.5)}
SHEETS = ("tokens.css", "base.css", "art.css", "pieces.css")
SCHEMES = ("light", "dark")
PAIR = "light-dark("


def main() -> None:
    """Write NAME-light.svg and NAME-dark.svg for every game."""
    folder = Path(*sys.argv[1:2]) if sys.argv[1:] else ROOT / "docs" / "pictures"
    folder.mkdir(parents=True, exist_ok=True)
    for name in SCENES:
        for scheme in SCHEMES:
            (folder / f"{name}-{scheme}.svg").write_text(picture(name, scheme), "utf-8")


def picture(name: str, scheme: str) -> str:
    """One board, as an SVG file that needs nothing else."""
    drawn = board(name)
    style = styled(name, scheme)
    root, rest = drawn.split(">", 1)
    return f"{root}><style>{style}</style>{rest}\n"


def board(name: str) -> str:
    """The board that everybody may see, in the middle of a golden game."""
    seats, part = SCENES[name]
    file = ROOT / "tests" / "games" / name / "golden" / f"{name}-{seats}.jsonl"
    match = diablerie.load(file)
    past = match.at(int(match.ply * part))
    view = past.view(WATCHER)
    drawn = past.game.ui.draw(
        view, [], lambda line: render_line(line, ENGLISH, lambda seat: match.names[seat])
    )
    return drawn if "#head-" not in drawn else drawn.replace("</svg>", f"{templates.heads()}</svg>")


def styled(name: str, scheme: str) -> str:
    """The style of the page in the colours of one scheme, as a section of an SVG file."""
    shared = [assets.contents()[sheet] for sheet in SHEETS]
    text = b"\n".join([*shared, assets.own_style(diablerie.GAMES[name])]).decode()
    text = re.sub(r"/\*.*?\*/", "", text, flags=re.DOTALL)
    while PAIR in text:
        text = resolved(text, scheme)
    lines = re.sub(r"\s*\n\s*", "\n", text)
    return f"<![CDATA[{lines}]]>"


def resolved(text: str, scheme: str) -> str:
    """The style with its first `light-dark(…, …)` told apart."""
    before, _, rest = text.partition(PAIR)
    depth = 0
    cuts = [-1]
    for place, letter in enumerate(rest):
        depth += (letter == "(") - (letter == ")")
        if depth < 0 or (depth == 0 and letter == ","):
            cuts.append(place)
        if depth < 0:
            break
    which = SCHEMES.index(scheme)
    chosen = rest[cuts[which] + 1 : cuts[which + 1]].strip()
    return before + chosen + rest[cuts[-1] + 1 :]


if __name__ == "__main__":
    main()
