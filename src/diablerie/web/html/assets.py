"""Static files under an address that names their content, so that browsers may keep them for ever.

A page asks for one style sheet and one script (`bundle`): `house.css`, or where a game is shown
the sheet games/NAME.css, which is the same with what the game brings in its room `ui`; and `app.js` with
all its modules.

All files share one digest in the path (`/static/3f2a…/page.css`), not one each in the query:
style sheets and modules then import each other by relative address, and old and new never mix.
"""

import hashlib
from functools import cache
from importlib.resources import files
from pathlib import Path

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from diablerie.engine.game import Game
from diablerie.games import ALL
from diablerie.web.html import bundle

FOLDER = Path(__file__).parent.parent / "static"
TYPES = {
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml",
    ".png": "image/png",
}
# The sheets of every page in three cascade layers. A later layer wins over those before it.
LAYERS = {
    "house": (
        "tokens",
        "base",
        "controls",
        "parts",
        "messages",
        "page",
        "rules",
        "landing",
        "lists",
        "ask",
        "players",
        "advice",
    ),
    "board": ("art", "pieces", "table"),  # and what a game brings
    "particular": ("glance", "lesson", "programs"),
}
DRAWING = "board"  # the sheet that makes a drawing legible whose game brings no style
HOUSE, PLAIN = "house.css", "plain.css"  # of pages without a game; with one that brings no style
SCRIPT = "app"
FOR_EVER = "public, max-age=31536000, immutable"


@cache
def contents() -> dict[str, bytes]:
    """Every static file by its name; what is joined has the place of its parts."""
    found = sorted(p for p in FOLDER.rglob("*") if p.suffix in TYPES)
    house = {p.relative_to(FOLDER).as_posix(): p.read_bytes() for p in found}
    games = {_sheet(game): _joined(style) for game in ALL.values() if (style := brought(game))}
    script = bundle.script(SCRIPT, lambda name: house[f"{name}.js"].decode())
    plain = _joined(house[f"{DRAWING}.css"])
    return house | games | {HOUSE: _joined(), PLAIN: plain, f"{SCRIPT}.js": script.encode()}


def _joined(game: bytes = b"") -> bytes:
    """The one sheet of a page; `game` is the style of the drawing that it shows."""
    layers = {layer: [_text(name) for name in names] for layer, names in LAYERS.items()}
    layers["board"].append(game.decode())
    return bundle.sheet({layer: "\n".join(texts) for layer, texts in layers.items()}).encode()


def _text(name: str) -> str:
    return (FOLDER / f"{name}.css").read_text("utf-8")


def brought(game: Game) -> bytes:
    """The style that a game brings: the sheets in its room `ui`, in the order of their names."""
    room = files(f"{game.home}.ui")
    sheets = sorted((p for p in room.iterdir() if p.name.endswith(".css")), key=lambda p: p.name)
    return b"\n".join(sheet.read_bytes() for sheet in sheets)


def game_stylesheet(game: Game) -> str:
    """The name of the sheet of a page that shows a game."""
    return _sheet(game) if _sheet(game) in contents() else PLAIN


def _sheet(game: Game) -> str:
    return f"games/{game.name}.css"


@cache
def static_digest() -> str:
    """A digest of all static files, the games' sheets among them."""
    h = hashlib.sha256()
    for name, data in contents().items():
        h.update(f"{name}\0{len(data)}\0".encode() + data)
    return h.hexdigest()[:12]


def address(name: str) -> str:
    """The address of a static file. Raises KeyError for one that does not exist."""
    contents()[name]
    return f"/static/{static_digest()}/{name}"


async def static_file(request: Request) -> Response:
    """GET /static/{digest}/{name}; an old digest gets the present file, to be asked for again."""
    name = request.path_params["name"]
    data = contents().get(name)
    if data is None:
        raise HTTPException(404)
    current = request.path_params["digest"] == static_digest()
    caching = FOR_EVER if current else "no-cache"
    kind = TYPES[Path(name).suffix]
    return Response(data, headers={"content-type": kind, "cache-control": caching})
