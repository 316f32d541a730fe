"""Static files under an address that names their content, so that browsers may keep them for ever.

A game's sheet is made of what it brings in its room `ui`.

All files share one digest in the path (`/static/3f2a…/page.css`), not one each in the query:
style sheets and modules then import each other by relative address, and old and new never mix.
"""

import hashlib
from functools import cache
from importlib.resources import files
from pathlib import Path
from types import ModuleType
from typing import cast

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from diablerie.engine.game import Game
from diablerie.games import ALL

FOLDER = Path(__file__).parent.parent / "static"
TYPES = {
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml",
    ".png": "image/png",
}
PLAIN = "board.css"  # makes a drawing legible that brings no style
FOR_EVER = "public, max-age=31536000, immutable"


@cache
def contents() -> dict[str, bytes]:
    """Every static file by its name; the sheet of a game is games/NAME.css."""
    found = sorted(p for p in FOLDER.rglob("*") if p.suffix in TYPES)
    house = {p.relative_to(FOLDER).as_posix(): p.read_bytes() for p in found}
    games = {_sheet(game): style for game in ALL.values() if (style := brought(game))}
    return house | games


def brought(game: Game) -> bytes:
    """The style that a game brings: the sheets in its room `ui`, in the order of their names."""
    room = files(cast(ModuleType, game.ui).__name__)
    sheets = sorted((p for p in room.iterdir() if p.name.endswith(".css")), key=lambda p: p.name)
    return b"\n".join(sheet.read_bytes() for sheet in sheets)


def game_stylesheet(game: Game) -> str:
    """The name of the sheet that a game's drawing is shown with."""
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
