"""Which source files compiled code is made from, found by rule, and where the code is kept.

A module holds compiled code if it decorates a function with `@rule` (or Numba's own decorators),
or says as `FEATURES` how records are read, since that is compiled too (`values/encoding`).
What it imports may be frozen into that code: called functions, constants, record layouts. So the
sources are these modules and all they import, as far as the packages of games reach, with the
data files that lie beside them (weights). A drawing that no rule imports is not among them.

The code lies in a folder named by a digest of these files: any edit of them starts clean, and two
versions never share code. Two checkouts of one version do share it.
"""

import hashlib
import logging
import os
import re
import shutil
from atexit import register
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from functools import cache, partial
from importlib.metadata import PackageNotFoundError, entry_points, version
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryFile, mkdtemp

import platformdirs

log = logging.getLogger(__name__)
GROUP = "diablerie.games"  # the entry points of games from outside
HOLDS = re.compile(
    rb"^\s*@(rule|inlined|summing|wrapping|numba\.|njit|overload\()|^FEATURES\b", re.MULTILINE
)
PACKAGE = Path(__file__).resolve().parent.parent
SPEED = 2600  # bytes of a game's rules and policy that are compiled in a second, on a core of 2024
# older digests left on disk, so that two checkouts in use do not evict each other
OLDER_DIGESTS_KEPT = 3
COMMENT = re.compile(r"#.*")
FOR_TYPES = re.compile(r"^if (?:typing\.)?TYPE_CHECKING:\n(?:[ \t]+.*\n|\n)*", re.MULTILINE)
IMPORTS = re.compile(
    r"^[ \t]*(?:import[ \t]+(?P<plain>[\w. ,]+)"
    r"|from[ \t]+(?P<origin>[\w.]+)[ \t]+import[ \t]+(?P<listed>\([^)]*\)|[\w ,*]+))",
    re.MULTILINE,
)
DATA = {".npz", ".npy", ".msgpack", ".bin", ".json"}
HANDED = {"policy.json"}  # data that compiled code is handed as arrays, so nothing is frozen


@cache
def roots() -> dict[str, Path]:
    """The packages that may hold sources, by name: diablerie, and those of games from outside."""
    names = {"diablerie", *(e.module.partition(".")[0] for e in entry_points(group=GROUP))}
    folders = {}
    for name in sorted(names):
        spec = find_spec(name)
        if spec and spec.origin:
            path = Path(spec.origin)
            folders[name] = path.parent if path.name == "__init__.py" else path
    return folders


@cache
def sources() -> list[tuple[str, bytes]]:
    """Name and content of each of these files, in a fixed order."""
    modules = dict(_modules())
    todo = [name for name, path in modules.items() if HOLDS.search(path.read_bytes())]
    seen: set[str] = set()
    while todo:
        name = todo.pop()
        if name in modules and name not in seen:
            seen.add(name)
            todo += imported(modules, name)
    return sorted(_files((name, modules[name]) for name in seen))


def _modules() -> Iterator[tuple[str, Path]]:
    for name, root in roots().items():
        if root.is_file():
            yield name, root
            continue
        for path in root.rglob("*.py"):
            parts = path.relative_to(root).with_suffix("").parts
            yield ".".join([name, *(part for part in parts if part != "__init__")]), path


def imported(modules: Mapping[str, Path], name: str) -> list[str]:
    """The names that a module imports, but for those under `if TYPE_CHECKING`.

    Found by pattern, not by parsing, since every start waits for this; a line of a docstring that
    reads like an import counts as one.
    """
    names: list[str] = []
    text = FOR_TYPES.sub("", COMMENT.sub("", modules[name].read_text("utf-8")))
    for plain, origin, listed in IMPORTS.findall(text):
        if plain:
            names += [one.split()[0] for one in plain.split(",")]  # `name as other`
        else:
            base = _base(modules[name], name, origin)
            inside = [
                f"{base}.{one.split()[0]}" for one in listed.strip("()").split(",") if one.strip()
            ]
            names += [one if one in modules else base for one in inside]
    return names


def _base(path: Path, name: str, origin: str) -> str:
    """The absolute name of the module that `from … import` names."""
    inner = origin.lstrip(".")
    level = len(origin) - len(inner)
    if not level:
        return inner
    up = level - (path.name == "__init__.py")
    parent = name.split(".")[: -up or None]
    return ".".join([*parent, *filter(None, [inner])])


def _files(modules: Iterable[tuple[str, Path]]) -> Iterator[tuple[str, bytes]]:
    for name, path in modules:
        yield name, path.read_bytes()
        for beside in path.parent.iterdir():
            if beside.suffix in DATA and beside.name not in HANDED:
                yield f"{name}/{beside.name}", beside.read_bytes()


@cache
def compile_seconds(game: str) -> float:
    """An estimate for the usual part of a game, from the size of its rules and its policy."""
    homes = [f"diablerie.games.{game}."] + [f"{game}."] * (game in roots())
    return sum(len(text) for path, text in sources() if path.startswith(tuple(homes))) / SPEED


@cache
def source_digest() -> str:
    """Digest of every source file that compiled code depends on, and of the compiler."""
    h = hashlib.sha256(_compiler().encode())
    for name, data in sources():
        h.update(f"{name}\0{len(data)}\0".encode() + data)
    return h.hexdigest()[:16]


def _compiler() -> str:
    """The version of Numba; in a browser, where it does not exist, ""."""
    with suppress(PackageNotFoundError):
        return version("numba")
    return ""


def cache_root() -> Path:
    """The folder of all digests: `DIABLERIE_CACHE`, or the platform's cache folder."""
    named = os.environ.get("DIABLERIE_CACHE")
    return Path(named) if named else Path(platformdirs.user_cache_dir("diablerie"))


def cache_folder() -> Path:
    """The folder of this version's machine code, to which this process may write."""
    return _usable_folder(cache_root())


@cache
def _usable_folder(root: Path) -> Path:
    """The folder there, or where nothing can be written one that ends with this process."""
    here = root / "rules" / source_digest()
    try:
        here.mkdir(parents=True, exist_ok=True)
        TemporaryFile(dir=here).close()
    except OSError as error:
        return _folder_for_this_run(here, error.strerror or type(error).__name__)
    with suppress(OSError):  # of another user, who lets this one write
        os.utime(here)
    _remove_oldest(here.parent)
    return here


def _remove_oldest(folder: Path) -> None:
    """Remove all but the digests used last."""
    with suppress(OSError):  # another process removes them, too
        by_age = sorted(folder.iterdir(), key=lambda p: p.stat().st_mtime, reverse=True)
        for old in by_age[OLDER_DIGESTS_KEPT + 1 :]:
            shutil.rmtree(old, ignore_errors=True)


def _folder_for_this_run(unusable: Path, why: str) -> Path:
    """A folder with all that can be read in the one that cannot be used; children use it, too."""
    root = Path(mkdtemp(prefix="diablerie-cache-"))
    register(partial(_remove, root, os.getpid()))
    log.warning("%s: %s; rules are compiled for this run only", unusable, why)
    os.environ["DIABLERIE_CACHE"] = str(root)
    here = root / "rules" / unusable.name
    with suppress(OSError):
        shutil.copytree(unusable, here, copy_function=os.symlink)
    here.mkdir(parents=True, exist_ok=True)
    return here


def _remove(folder: Path, process: int) -> None:
    if os.getpid() == process:  # and no fork of it
        shutil.rmtree(folder, ignore_errors=True)
