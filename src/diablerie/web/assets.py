"""Static files under an address that names their content, so that browsers may keep them for ever.

All files share one digest in the path (`/static/3f2a…/page.css`), not one each in the query:
style sheets and modules then import each other by relative address, and old and new never mix.
"""

import hashlib
from functools import cache
from pathlib import Path

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

FOLDER = Path(__file__).parent / "static"
TYPES = {
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml",
}
FOR_EVER = "public, max-age=31536000, immutable"


@cache
def contents() -> dict[str, bytes]:
    """Every static file by its name, which has slashes in subfolders."""
    found = sorted(p for p in FOLDER.rglob("*") if p.suffix in TYPES)
    return {p.relative_to(FOLDER).as_posix(): p.read_bytes() for p in found}


@cache
def digest() -> str:
    """A digest of all static files."""
    h = hashlib.sha256()
    for name, data in contents().items():
        h.update(f"{name}\0{len(data)}\0".encode() + data)
    return h.hexdigest()[:12]


def address(name: str) -> str:
    """The address of a static file. Raises KeyError for one that does not exist."""
    contents()[name]
    return f"/static/{digest()}/{name}"


def exists(name: str) -> bool:
    """Whether there is a static file of this name."""
    return name in contents()


async def serve(request: Request) -> Response:
    """GET /static/{digest}/{name}; an old digest gets the present file, to be asked for again."""
    name = request.path_params["name"]
    data = contents().get(name)
    if data is None:
        raise HTTPException(404)
    current = request.path_params["digest"] == digest()
    caching = FOR_EVER if current else "no-cache"
    kind = TYPES[Path(name).suffix]
    return Response(data, headers={"content-type": kind, "cache-control": caching})
