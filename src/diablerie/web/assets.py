"""Static files under an address that names their content, so that browsers may keep them for ever.

All files share one digest in the path (`/static/3f2a…/page.css`), not one each in the query:
style sheets and modules then import each other by relative address, and old and new never mix.
"""

import hashlib
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

FOLDER = files("diablerie.web") / "static"
TYPES = {
    "css": "text/css; charset=utf-8",
    "js": "text/javascript; charset=utf-8",
    "svg": "image/svg+xml",
    "ico": "image/x-icon",
    "webmanifest": "application/manifest+json",
}
FOR_EVER = "public, max-age=31536000, immutable"


@cache
def contents() -> dict[str, bytes]:
    """Every static file by name."""
    return {f.name: f.read_bytes() for f in sorted(FOLDER.iterdir(), key=_name) if _servable(f)}


def _name(file: Traversable) -> str:
    return file.name


def _servable(file: Traversable) -> bool:
    return file.is_file() and file.name.rpartition(".")[2] in TYPES


@cache
def digest() -> str:
    """A digest of all static files."""
    h = hashlib.sha256()
    for name, data in contents().items():
        h.update(name.encode() + b"\0" + data)
    return h.hexdigest()[:12]


def address(name: str) -> str:
    """The address of a static file. Raises KeyError for one that does not exist."""
    contents()[name]
    return f"/static/{digest()}/{name}"


async def serve(request: Request) -> Response:
    """GET /static/{digest}/{name}; an old digest gets the present file, to be asked for again."""
    name = request.path_params["name"]
    data = contents().get(name)
    if data is None:
        raise HTTPException(404)
    current = request.path_params["digest"] == digest()
    caching = FOR_EVER if current else "no-cache"
    kind = TYPES[name.rpartition(".")[2]]
    return Response(data, headers={"content-type": kind, "cache-control": caching})
