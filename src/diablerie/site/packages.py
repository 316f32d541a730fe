"""What Python imports in the browser: the standard library, libraries, diablerie, and games.

Python itself (Pyodide) and msgspec are downloaded by version and digest with npm and pip. Libraries are
copied from this environment: they are plain Python, which is the same everywhere. All is compiled to
bytecode by the Python that will run it.
"""

import base64
import hashlib
import json
import pickle
import shutil
import subprocess
import sys
import tarfile
import zipfile
from collections.abc import Iterable, Iterator
from importlib.metadata import Distribution, EntryPoint, distribution, entry_points
from pathlib import Path
from tempfile import TemporaryDirectory

from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po

from diablerie.engine.checked_files import tell_damage
from diablerie.engine.game import Game
from diablerie.engine.sources import GROUP, PACKAGE, cache_root, roots
from diablerie.games import ALL
from diablerie.learning.weights import BUNDLED
from diablerie.site import bytecode
from diablerie.site.modules import CannotBuild
from diablerie.web.html import templates
from diablerie.web.people.language import SOURCE

# -- Python for browsers ---------------------------------------------------------------------------

PYODIDE_VERSION = "314.0.7"
INTEGRITY = (
    "0YvXxEhfEdpLfb/XkM2BFAeMROq0iMUX2bzzH9pOttyMcWkwq+HbE5uyuGD82LN7y2q+SNvi/6V5JEsOlD2R1A=="
)
MSGSPEC = (
    "msgspec==0.22.0 --hash=sha256:a66b1766311e42371e509c996c3933b161c7ae0eabdf361af5316dec197e1022"
)
UNPACKED = "4d5b8c84f33bf2cdcf192a26121d0461eb842f5d7877a50609f16855c11f6b10"  # see `_digest`
PLATFORM = ("--platform=pyemscripten_2026_0_wasm32", "--python-version=3.14", "--abi=cp314")
PYODIDE_FILES = (
    "pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip", "pyodide-lock.json",
)  # fmt: skip


class NotFetched(CannotBuild):
    """Why Pyodide is not to be had, in a sentence."""


def fetched() -> Path:
    """The folder with Pyodide's `PYODIDE_FILES` and msgspec's package, downloaded once.

    A folder that is damaged is downloaded anew.
    Raises NotFetched if npm is missing, the network is, or a digest is another.
    """
    folder = cache_root() / f"pyodide-{PYODIDE_VERSION}"
    if folder.exists() and _digest(folder) != UNPACKED:
        tell_damage(folder, "damaged")
        shutil.rmtree(folder)
    if not folder.exists():
        _fetch(folder)
    return folder


def _fetch(folder: Path) -> None:
    if not shutil.which("npm"):
        raise NotFetched("Pyodide comes by npm, which is not installed.")
    cache_root().mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory(dir=cache_root()) as work:
        made = Path(work) / "made"
        made.mkdir()
        _fetch_pyodide(Path(work), made)
        _fetch_msgspec(Path(work), made)
        if (digest := _digest(made)) != UNPACKED:
            raise NotFetched(f"Pyodide and msgspec have another digest than expected: {digest}")
        made.replace(folder)


def _digest(folder: Path) -> str:
    """A digest of all files of a folder, their names and their sizes."""
    digest = hashlib.sha256()
    for file in sorted(path for path in folder.rglob("*") if path.is_file()):
        content = file.read_bytes()
        digest.update(f"{file.relative_to(folder).as_posix()}\0{len(content)}\0".encode())
        digest.update(content)
    return digest.hexdigest()


def _fetch_pyodide(work: Path, into: Path) -> None:
    run("npm", "pack", "--silent", f"pyodide@{PYODIDE_VERSION}", at=work)
    (archive,) = work.glob("pyodide-*.tgz")
    digest = base64.b64encode(hashlib.sha512(archive.read_bytes()).digest()).decode()
    if digest != INTEGRITY:
        raise NotFetched(f"Pyodide {PYODIDE_VERSION} has another digest than expected: {digest}")
    with tarfile.open(archive) as packed:
        for name in PYODIDE_FILES:
            member = packed.extractfile(f"package/{name}")
            assert member is not None, name
            (into / name).write_bytes(member.read())


def _fetch_msgspec(work: Path, into: Path) -> None:
    (work / "wanted.txt").write_text(MSGSPEC, "utf-8")
    options = ("--no-deps", "--only-binary=:all:", "--require-hashes", *PLATFORM)
    pip = (sys.executable, "-m", "pip", "download", "--quiet", *options)
    run(*pip, "--dest", ".", "--requirement", "wanted.txt", at=work)
    (wheel,) = work.glob("msgspec-*.whl")
    with zipfile.ZipFile(wheel) as packed:
        packed.extractall(into / "msgspec")


def run(*command: str, at: Path) -> None:
    """Run a command in a folder. Raises NotFetched, with the last line that it said."""
    done = subprocess.run(command, cwd=at, capture_output=True, text=True, check=False)
    if done.returncode:
        last = (done.stderr or done.stdout).strip().splitlines()[-1:]
        raise NotFetched(f"{command[0]} failed: {' '.join(last)}")


# -- what it imports -------------------------------------------------------------------------------

# Endings of what is compressed. Hosts that unpack files, or say how they are packed, know neither.
DEFLATED = "-gz.bin"
SQUEEZED = "-zst.bin"
LIBRARIES = (
    "alembic", "anyio", "babel", "cachetools", "jinja2", "markdown-it-py", "markupsafe", "mdurl",
    "platformdirs", "segno", "sqlalchemy", "starlette", "typing_extensions",
)  # fmt: skip
# packages, modules and data of ours that pages never import or read
UNUSED = (
    "cli.py",
    "client",
    "cluster",
    "cluster_scheduler.py",
    "env.py",
    "envs",
    "lab",
    "process",
    "testing",
)
NEEDED_FILES = ("__init__.py", "browser", "guests.py", "pages.py")  # of this package
SHORTENED = {  # modules of libraries that import more than upgrading a database needs
    "alembic/__init__.py": "from . import op\n",
    "alembic/ddl/__init__.py": "from . import sqlite\nfrom .impl import DefaultImpl as DefaultImpl\n",
}
UNUSED_PARTS = (  # of libraries
    "alembic/autogenerate", "alembic/command", "alembic/config", "alembic/context",
    "alembic/ddl/m", "alembic/ddl/o", "alembic/ddl/p", "alembic/environment",
    "alembic/migration", "alembic/runtime/e", "alembic/runtime/p", "alembic/script",
    "alembic/templates", "alembic/testing", "anyio/_backends/_trio", "anyio/pytest_plugin",
    "babel/messages", "jinja2/sandbox",
    "platformdirs/android", "platformdirs/macos", "platformdirs/windows", "segno/cli",
    "sqlalchemy/connectors/aio", "sqlalchemy/dialects/mssql",
    "sqlalchemy/dialects/mysql", "sqlalchemy/dialects/oracle", "sqlalchemy/dialects/postgresql",
    "sqlalchemy/ext/a", "sqlalchemy/ext/b", "sqlalchemy/ext/d", "sqlalchemy/ext/h",
    "sqlalchemy/ext/i", "sqlalchemy/ext/m", "sqlalchemy/ext/o", "sqlalchemy/ext/s",
    "sqlalchemy/orm", "sqlalchemy/testing", "starlette/testclient",
)  # fmt: skip
UNREAD = {  # what babel knows of a language, or of all, and no page asks for
    "all_currencies", "compact_currency_formats", "compact_decimal_formats",
    "compound_unit_patterns", "currency_formats", "currency_names", "currency_names_plural",
    "currency_symbols", "currency_unit_patterns", "interval_formats", "likely_subtags",
    "scripts", "territory_currencies", "territory_languages", "unit_display_names",
    "unit_patterns", "variants", "windows_zone_mapping",
}  # fmt: skip
SOURCED = ["anyio/__init__.py", "anyio/abc/__init__.py"]  # modules that read their own source
ANNOTATED = ["diablerie/web/api"]  # where functions are described by their annotations
TRACED = ["diablerie"]  # what keeps its numbers of lines, for reports of errors
UNUSED_MODULES = (  # of the standard library
    "_ast_unparse", "_pydatetime", "_pyio", "_pyrepl/", "antigravity", "argparse",
    "asyncio/windows", "bdb", "cProfile", "cmd", "colorsys", "compileall", "configparser",
    "doctest", "encodings/big5", "encodings/cp1", "encodings/cp7", "encodings/cp8",
    "encodings/euc", "encodings/gb", "encodings/hp", "encodings/hz", "encodings/iso",
    "encodings/johab", "encodings/koi8", "encodings/mac", "encodings/ptcp", "encodings/shift",
    "encodings/tis", "ensurepip/", "filecmp", "fileinput", "ftplib", "http/cookiejar",
    "http/server", "idlelib/", "imaplib", "logging/config", "mailbox", "modulefinder",
    "multiprocessing/", "netrc", "optparse", "pdb", "pickletools", "plistlib", "poplib",
    "profile", "pstats", "pty", "py_compile", "pyclbr", "pydoc", "shelve", "smtplib",
    "socketserver", "symtable", "tabnanny", "tarfile", "timeit", "tomllib/", "trace.",
    "tracemalloc", "turtle", "unittest/", "venv/", "wave", "webbrowser", "wsgiref/", "xml/dom",
    "xmlrpc/", "zipapp",
)  # fmt: skip
LANGUAGES = ("root", "en", "de", "fr", "ro")  # of babel's data
NAMED = f"""Pyodide {PYODIDE_VERSION}: Mozilla Public License 2.0, https://www.mozilla.org/MPL/2.0/
Its sources: https://github.com/pyodide/pyodide

It contains CPython: PSF License Agreement, https://docs.python.org/3/license.html
and, compiled into it: Emscripten (MIT), musl (MIT), SQLite (public domain), zlib (zlib License),
libffi (MIT), bzip2 (BSD), xz (0BSD), HACL* (MIT), mpdecimal (BSD), expat (MIT)"""
RUN = """
import {{ loadPyodide }} from "{pyodide}";
const py = await loadPyodide();
py.FS.mkdirTree("/app");
py.FS.mount(py.FS.filesystems.NODEFS, {{ root: {app} }}, "/app");
py.runPython({code});
process.exit(0);
"""
COMPILE = """
{source}
compile_folder(Path("/app"), {sourced}, {annotated}, {traced})
"""
COMPRESS = """
from compression import zstd
from pathlib import Path
file = Path("/app/{name}")
options = {{zstd.CompressionParameter.compression_level: 19, zstd.CompressionParameter.window_log: 24}}
file.with_name(file.name + "{ending}").write_bytes(zstd.compress(file.read_bytes(), options=options))
"""


def write_packages(folder: Path, games: Iterable[Game] = ()) -> None:
    """Write what Python imports into a folder: diablerie, the libraries of the pages, and games.

    games: those from outside have their packages copied. Raises NotFetched.
    """
    shutil.copytree(fetched() / "msgspec", folder, dirs_exist_ok=True)
    for name in LIBRARIES:
        _copy_library(name, folder)
    _copy_package(PACKAGE, folder)
    _compile_templates(folder / PACKAGE.name / "web")
    _drop_builder(folder / PACKAGE.name / "site")
    _drop_policies(folder)
    homes = {game.home for game in games}
    for point in entry_points(group=GROUP):
        if point.module in homes:
            _copy_game(point, folder)
    _compile_catalogues(folder)


def _copy_package(package: Path, folder: Path) -> None:
    unused = UNUSED if package == PACKAGE else ()
    ignored = shutil.ignore_patterns("__pycache__", *unused)
    shutil.copytree(package, folder / package.name, ignore=ignored, dirs_exist_ok=True)


def _drop_policies(folder: Path) -> None:
    """Remove the learnt policies of our games by which no level plays."""
    for game in ALL.values():
        if not game.learnt:
            (folder / game.home.replace(".", "/") / BUNDLED).unlink(missing_ok=True)


def _copy_game(point: EntryPoint, folder: Path) -> None:
    """Copy a game's package, and the entry point by which it is found."""
    _copy_package(roots()[point.module.partition(".")[0]], folder)
    about = folder / f"{point.name}-0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {point.name}\nVersion: 0\n")
    (about / "entry_points.txt").write_text(f"[{GROUP}]\n{point.name} = {point.value}\n")


def _copy_library(name: str, folder: Path) -> None:
    for file in distribution(name).files or ():
        parts = file.parts
        if file.suffix not in (".py", ".dat") or parts[0] == "..":
            continue
        if file.as_posix().startswith(UNUSED_PARTS):
            continue
        if "locale-data" in parts and file.stem not in LANGUAGES:
            continue
        target = folder / file
        target.parent.mkdir(parents=True, exist_ok=True)
        source = SHORTENED.get(file.as_posix())
        data = Path(str(file.locate())).read_bytes() if source is None else source.encode()
        target.write_bytes(_shortened(data) if file.suffix == ".dat" else data)


def _shortened(data: bytes) -> bytes:
    """A file of babel's data without what no page asks for."""
    known = pickle.loads(data)
    return pickle.dumps({name: value for name, value in known.items() if name not in UNREAD}, 4)


def _compile_templates(web: Path) -> None:
    """Replace the templates of pages by modules, which a browser need not compile."""
    compiled = web / templates.COMPILED.name
    templates.environment(SOURCE).compile_templates(compiled, zip=None, ignore_errors=False)
    shutil.rmtree(web / "templates")


def _drop_builder(site: Path) -> None:
    """Drop what builds the site, and its scripts."""
    for path in site.iterdir():
        if path.name not in NEEDED_FILES:
            shutil.rmtree(path) if path.is_dir() else path.unlink()


def _compile_catalogues(folder: Path) -> None:
    """Replace the catalogues of languages by compiled ones."""
    for source in folder.rglob("LC_MESSAGES/*.po"):
        with source.open("rb") as file, source.with_suffix(".mo").open("wb") as compiled:
            write_mo(compiled, read_po(file))
        source.unlink()


def compile_packages(folder: Path) -> None:
    """Compile all modules in a folder with the Python that will run them, and drop their sources.

    See `bytecode`. Raises NotFetched if that Python does not run here.
    """
    source = Path(bytecode.__file__).read_text("utf-8")
    _in_pyodide(
        folder, COMPILE.format(source=source, sourced=SOURCED, annotated=ANNOTATED, traced=TRACED)
    )


def compress(file: Path) -> None:
    """Compress a file as its name with `SQUEEZED`, which takes a quarter less than gzip, and remove it.

    Raises NotFetched if Pyodide does not run here.
    """
    _in_pyodide(file.parent, COMPRESS.format(name=file.name, ending=SQUEEZED))
    file.unlink()


def _in_pyodide(folder: Path, code: str) -> None:
    """Run code in Pyodide, where the folder is `/app`."""
    address = (fetched() / "pyodide.mjs").as_uri()
    script = RUN.format(pyodide=address, app=json.dumps(str(folder)), code=json.dumps(code))
    run("node", "--input-type=module", "--eval", script, at=folder)


def licences(games: Iterable[Game] = ()) -> str:
    """The licences of all that the site contains, as the packages bring them."""
    homes = {game.home for game in games}
    points = [point for point in entry_points(group=GROUP) if point.module in homes]
    outside = [point.dist for point in points if point.dist]
    found = [distribution(name) for name in ("diablerie", "msgspec", *LIBRARIES)] + outside
    return "\n\n".join([NAMED, *(text for one in found for text in _licence(one))]) + "\n"


def _licence(package: Distribution) -> Iterator[str]:
    about = package.metadata
    named = (
        about["License-Expression"]
        or about["License"]
        or ", ".join(
            line.rpartition(" :: ")[2]
            for line in about.get_all("Classifier") or ()
            if "License" in line
        )
    )
    yield f"{package.name} {package.version}: {named.strip().partition(chr(10))[0]}"
    for file in package.files or ():
        if file.name.upper().startswith(("LICENSE", "LICENCE", "COPYING", "NOTICE")):
            yield Path(str(file.locate())).read_text("utf-8", "replace")


def write_standard_library(folder: Path) -> None:
    """Write the standard library into a folder, without what no page needs. Raises NotFetched."""
    with zipfile.ZipFile(fetched() / "python_stdlib.zip") as packed:
        wanted = [name for name in packed.namelist() if not name.startswith(UNUSED_MODULES)]
        packed.extractall(folder, wanted)
