"""Write the pictures that move on the front page: `python -m tools.reel [FILE]`.

Some turns of a golden game, as a watcher sees them: the first picture in parts, each other one as a
patch of the one before (`web/frames/patch.py`). Words are left out, for the file has one language.
"""

import json
import re
import sys
from pathlib import Path

import diablerie
from diablerie.engine.verbs import WATCHER
from diablerie.web.frames.patch import parts_of, patch
from diablerie.web.routes import landing

ROOT = Path(__file__).parent.parent
GOLDEN = ROOT / "tests" / "games" / landing.REEL_GAME / "golden" / f"{landing.REEL_GAME}-4.jsonl"
PLIES = range(34, 60)
WORDS = re.compile(r"<title>.*?</title>|<title/>| role=\"img\"")


def main() -> None:
    """Write the file."""
    reel_file = Path(*sys.argv[1:2]) if sys.argv[1:] else landing.REEL
    reel_file.write_text(json.dumps(pictures(), ensure_ascii=False, separators=(",", ":")), "utf-8")


def pictures() -> list[object]:
    """The first picture's parts, and the patches that lead from picture to picture."""
    match = diablerie.load(GOLDEN)
    told = list[object]()
    before = list[str]()
    for ply in PLIES:
        view = match.at(ply).view(WATCHER)
        drawn = match.game.ui.draw(view, [], lambda _: "")
        parts = [part for old in parts_of(drawn) if (part := WORDS.sub("", old))]
        if parts != before:
            told.append(patch(before, parts) if before else parts)
        before = parts
    return told


if __name__ == "__main__":
    main()
