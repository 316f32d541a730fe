"""Static files. Their addresses contain a digest of their content, so browsers may cache them forever.

A page requests one style sheet and one script, which `script` and `sheet` join, instead of 40 files, some
of them one after the other where modules import each other: `house.css`, or on pages of a game the sheet
games/NAME.css, which adds the game's own style; and `app.js` with all its modules. Nothing is minified:
the sources stay as they are.

All files share one digest in the path (`/static/3f2a…/page.css`), instead of one in each query. So
they can refer to each other by relative addresses, and a browser never mixes two versions.
"""

import hashlib
import re
from collections.abc import Callable, Mapping
from functools import cache
from importlib.resources import files
from pathlib import Path

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from diablerie.art.acting import heads
from diablerie.engine.game import Game, no_moments
from diablerie.games import ALL
from diablerie.web.html import compression

# -- static files ----------------------------------------------------------------------------------

STATIC_FOLDER = Path(__file__).parent.parent / "static"
TYPES = {
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml",
    ".png": "image/png",
    ".json": "application/json",
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
    "board": ("art", "pieces", "table", "stage"),  # and the game's own style
    "particular": (
        "glance",
        "lesson",
        "daily",
        "programs",
        "group",
        "evening",
        "screen",
        "hand",
    ),
}
DRAWING = "board"  # the sheet for drawings of games that have no style of their own
HOUSE_SHEET = "house.css"  # of pages without a game
PLAIN_SHEET = "plain.css"  # of a game without a style
PRINT = "print.css"  # beside it, on pages of paper
APP_SCRIPT = "app"
BEST_COMPRESSION = 9  # the level of compression of what is compressed once
JOINED_ENDINGS = (".css", ".js")  # endings of what is joined
FOR_EVER = "public, max-age=31536000, immutable"


@cache
def contents() -> dict[str, bytes]:
    """The content of every static file by its name; `app.js` and the sheets are joined."""
    paths = sorted(p for p in STATIC_FOLDER.rglob("*") if p.suffix in TYPES)
    house = {p.relative_to(STATIC_FOLDER).as_posix(): p.read_bytes() for p in paths}
    games = {_sheet(game): _joined(style) for game in ALL.values() if (style := own_style(game))}
    joined = script(APP_SCRIPT, lambda name: house[f"{name}.js"].decode())
    plain = _joined(house[f"{DRAWING}.css"])
    games |= {
        name: (game.scenes or heads)().encode()
        for game in ALL.values()
        if (name := scenes_file(game))
    }
    return (
        house
        | games
        | {HOUSE_SHEET: _joined(), PLAIN_SHEET: plain, f"{APP_SCRIPT}.js": joined.encode()}
    )


def requested() -> list[str]:
    """The names of those files that pages request: not the sheets and modules that were joined."""
    asked = {f"{APP_SCRIPT}.js", HOUSE_SHEET, PLAIN_SHEET, PRINT, *map(_sheet, ALL.values())}
    return [name for name in contents() if name in asked or Path(name).suffix not in JOINED_ENDINGS]


def _joined(game: bytes = b"") -> bytes:
    """The one sheet of a page; `game` is the own style of the game that it shows."""
    layers = {layer: "\n".join(map(_sheet_text, names)) for layer, names in LAYERS.items()}
    layers["board"] += f"\n{game.decode()}"
    return sheet(layers).encode()


def _sheet_text(name: str) -> str:
    return (STATIC_FOLDER / f"{name}.css").read_text("utf-8")


def own_style(game: Game) -> bytes:
    """The game's own style: the sheets in its package `ui`, in the order of their names."""
    room = files(f"{game.home}.ui")
    sheets = sorted((p for p in room.iterdir() if p.name.endswith(".css")), key=lambda p: p.name)
    return b"\n".join(sheet.read_bytes() for sheet in sheets)


def game_stylesheet(game: Game) -> str:
    """The name of the style sheet of a game's pages."""
    return _sheet(game) if _sheet(game) in contents() else PLAIN_SHEET


def _sheet(game: Game) -> str:
    return f"games/{game.name}.css"


def scenes_file(game: Game) -> str:
    """The name of the file with a game's scenes, "" if it stages nothing."""
    return "" if game.moments is no_moments else f"games/{game.name}.svg"


@cache
def static_digest() -> str:
    """A digest of all static files, 12 hex digits."""
    h = hashlib.sha256()
    for name, data in contents().items():
        h.update(f"{name}\0{len(data)}\0".encode() + data)
    return h.hexdigest()[:12]


def address(name: str) -> str:
    """The address of a static file. Raises KeyError for one that does not exist."""
    contents()[name]
    return f"/static/{static_digest()}/{name}"


async def static_file(request: Request) -> Response:
    """GET /static/{digest}/{name}. For an old digest: the present file, not to be cached."""
    name = request.path_params["name"]
    data = contents().get(name)
    if data is None:
        raise HTTPException(404)
    current = request.path_params["digest"] == static_digest()
    caching = FOR_EVER if current else "no-cache"
    kind = TYPES[Path(name).suffix]
    headers = {"content-type": kind, "cache-control": caching}
    if len(data) >= compression.COMPRESSED_FROM_BYTES and compression.accepts_gzip(request.headers):
        data = _compressed(name)
        headers |= {"content-encoding": "gzip", "vary": compression.VARY}
    return Response(data, headers=headers)


@cache
def _compressed(name: str) -> bytes:
    """A static file as gzip, made once."""
    return compression.compressed(contents()[name], BEST_COMPRESSION)


# -- how they are joined ---------------------------------------------------------------------------

Read = Callable[[str], str]
IMPORT = re.compile(r'^import (\{ \w+(?:, \w+)* \}|\* as \w+) from "\./(\w+)\.js";$', re.MULTILINE)
EXPORT = re.compile(r"^export (?=(?:async )?function (\w+)|const (\w+) )", re.MULTILINE)
OTHER = re.compile(r"^(?:import|export)\b.*|\bimport\(.*|^.*\bimport\.meta\b.*", re.MULTILINE)


def sheet(layers: Mapping[str, str]) -> str:
    """One style sheet of cascade layers, given as their names and texts in their order.

    A rule of a later layer wins over those of earlier ones, however specific their selectors are.
    """
    return "\n".join(f"@layer {name} {{\n{text}\n}}\n" for name, text in layers.items())


def script(entry: str, read: Read) -> str:
    """One script of a module, named without its ending, and of all that it imports.

    Each module becomes a function that is called once, after those of the modules it imports, and
    returns its exports. `read` returns the source of a module. Raises ValueError if modules import
    each other in a cycle, and for imports and exports of another form than ours have.
    """
    done: dict[str, str] = {}
    _add(entry, read, done, ())
    return "\n".join(done.values())


def _add(name: str, read: Read, done: dict[str, str], above: tuple[str, ...]) -> None:
    """Add a module to `done`, after those it imports; `above` are those that import it."""
    if name in above:
        raise ValueError(f"a cycle of imports: {' → '.join((*above, name))}")
    source = read(name)
    for _, imported in IMPORT.findall(source):
        if imported not in done:
            _add(imported, read, done, (*above, name))
    done[name] = _module(name, source)


def _module(name: str, source: str) -> str:
    exported = [function or constant for function, constant in EXPORT.findall(source)]
    body = EXPORT.sub("", IMPORT.sub(_imported, source))
    if strange := OTHER.search(body):
        raise ValueError(f"{name}.js: this cannot be joined: {strange[0].strip()}")
    given = f"return {{ {', '.join(exported)} }};\n" if exported else ""
    return f"// -- {name}.js\nconst {_variable(name)} = (() => {{\n{body}{given}}})();\n"


def _imported(found: re.Match[str]) -> str:
    names = found[1].removeprefix("* as ")
    module = _variable(found[2])
    return f"const {names} = {module};"


def _variable(module: str) -> str:
    """The variable of a module's exports; no module uses such a name itself."""
    return f"{module}_js"
