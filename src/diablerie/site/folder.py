"""Build the static site: a folder that any web server can serve, at any address."""

import gzip
import hashlib
import json
import re
import shutil
import subprocess
import zipfile
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from importlib.resources import files
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

import diablerie
from diablerie.engine.game import Game
from diablerie.engine.sources import PACKAGE
from diablerie.games import ALL
from diablerie.site import packages, ready_made
from diablerie.site.modules import CannotBuild, module_of, write_rules
from diablerie.web.html import assets
from diablerie.web.people.language import available

SCRIPTS = (
    "earlier.js",
    "enter.js",
    "frame.js",
    "friends.js",
    "invitation.js",
    "lock.js",
    "meeting.js",
    "names.js",
    "python.js",
    "qr.js",
    "shell.css",
    "shell.js",
    "unscripted.css",
    "worker.js",
)
PYTHON = "python"
LIBRARY = "python_stdlib.zip"
UNSIGNED = (  # what a browser loads only if somebody wants it
    "pages/*/rules-*", "pages/*/learn-*", "pages/*/daily.html", "previews/*", "contents.html",
    "site.json", "sw.js", "licences.txt",
)  # fmt: skip
VERSION_PLACEHOLDER = "__VERSION__"  # in the service worker
CONTENTS = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta http-equiv="content-security-policy" content="{policy}">
<title>What this site contains · diablerie</title>
<link rel="stylesheet" href="{sheet}">
</head>
<body class="plain"><main class="sheet">
<h1>What this site contains</h1>
<p>diablerie {version}. Commit: <code>{commit}</code>.</p>
<p>Games: {games}. Languages: {languages}. Python: Pyodide {pyodide}.</p>
<p><a href="./">Play</a> · <a href="licences.txt">Licences of everything in it</a></p>
<table><thead><tr><th>File<th>Bytes</thead><tbody>
{files}
</tbody></table>
</main></body>
</html>
"""
SITE_ADDRESS = re.compile(r"https?://[^\s/?#@]+(/[^\s?#]*)?")
# what browsers do not take makes every invitation fail there, stun://HOST for one
ICE_HOST = r"(\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9._-]+)(:[0-9]{1,5})?"
STUN = re.compile(f"stuns?:{ICE_HOST}")
TURN = re.compile(rf"turns?:{ICE_HOST}(\?transport=(udp|tcp))?")
PUBLIC_POINT = re.compile(
    r"https?://[A-Za-z0-9._\[\]:-]+(/[A-Za-z0-9._~/-]*)?"
)  # as a policy may name it
Step = tuple[str, Callable[[], object]]  # what is done, in words, and how


class Ways(NamedTuple):
    """Servers by which friends find each other; "": nothing of that kind leaves the folder."""

    meet: str = ""  # the address of a meeting point
    stun: str = ""  # tells how a browser is reached from afar, stun:HOST
    turn: str = ""  # passes everything on where browsers do not reach each other, turn:HOST
    credential: str = ""  # NAME:PASSWORD of that, which every visitor of the site can read

    @property
    def ice(self) -> list[dict[str, str]]:
        """The servers as browsers take them (RTCIceServer)."""
        name, _, password = self.credential.partition(":")
        stun = [{"urls": self.stun}] if self.stun else []
        turn = [{"urls": self.turn, "username": name, "credential": password}] if self.turn else []
        return stun + turn

    def checked(self, address: str) -> "Ways":
        """Check them for a site of this address ("" if not known). Raises CannotBuild."""
        name, _, password = self.credential.partition(":")
        wrong = {
            f"{self.stun} is no STUN server: name one such as stun:stun.example.org:3478": (
                self.stun and not STUN.fullmatch(self.stun)
            ),
            f"{self.turn} is no TURN server: name one such as turn:turn.example.org:3478": (
                self.turn and not TURN.fullmatch(self.turn)
            ),
            "--turn and --turn-credential NAME:PASSWORD go together": (
                bool(self.turn) != bool(name and password)
            ),
            f"{self.meet} is no meeting point: name one such as https://meet.example.org": (
                self.meet and not PUBLIC_POINT.fullmatch(self.meet)
            ),
            f"a site with https cannot ask {self.meet}: the meeting point needs https, too": (
                address.startswith("https://") and self.meet.startswith("http://")
            ),
        }
        for why, found in wrong.items():
            if found:
                raise CannotBuild(why)
        return self._replace(meet=self.meet.rstrip("/"))


NO_WAYS = Ways()


def build_steps(
    folder: Path, games: Sequence[Game] = (), address: str = "", ways: Ways = NO_WAYS
) -> list[Step]:
    """What builds the site in a folder, which must be empty or not exist, one after the other.

    games: those that can be played there; all if none is named. address: the site's, for previews.
    Steps raise CannotBuild if something is missing that they need, and OSError. So does this.
    """
    if address and not SITE_ADDRESS.fullmatch(address):
        raise CannotBuild(f"{address} is no address: name one such as https://example.org/games/")
    ways = ways.checked(address)
    folder.mkdir(parents=True, exist_ok=True)
    if any(folder.iterdir()):
        raise CannotBuild(f"{folder} is not empty: name another folder, or remove it.")
    if not shutil.which("node"):  # last: what was asked for is judged on every machine
        raise CannotBuild("The site is built with node and npm, which are not installed.")
    address = address and f"{address.rstrip('/')}/"
    return list(_steps(folder, games or list(ALL.values()), address, ways))


def _steps(folder: Path, games: Sequence[Game], address: str, ways: Ways) -> Iterator[Step]:
    for game in games:
        yield f"compiling {game.name}", partial(module_of, game.name)
    yield "fetching Pyodide", packages.fetched
    yield "writing the rules", lambda: _add_rules(folder, games)
    yield "compiling Python's packages", lambda: _add_python(folder, games)
    yield "making the first pages", lambda: ready_made.write_pages(folder, games, address)
    yield "putting it together", lambda: _add_scripts(folder, games, ways)


def _add_rules(folder: Path, games: Sequence[Game]) -> None:
    (folder / PYTHON).mkdir(parents=True)
    with TemporaryDirectory() as work:
        write_rules(Path(work), games)
        pack(Path(work), folder / PYTHON / "rules.zip")
    packages.compress(folder / PYTHON / "rules.zip")


def _add_python(folder: Path, games: Sequence[Game]) -> None:
    """Pyodide without its standard library, which is packed anew, and the packages."""
    for name in packages.PYODIDE_FILES:
        if name != LIBRARY:
            deflate(
                (packages.fetched() / name).read_bytes(),
                folder / PYTHON / f"{name}{packages.DEFLATED}",
            )
    with TemporaryDirectory() as work:
        packed = Path(work) / LIBRARY
        _packages(packages.write_standard_library, packed)
        deflate(packed.read_bytes(), folder / PYTHON / f"{LIBRARY}{packages.DEFLATED}")
    _packages(lambda app: packages.write_packages(app, games), folder / PYTHON / "app.zip")
    packages.compress(folder / PYTHON / "app.zip")
    (folder / "licences.txt").write_text(packages.licences(games), "utf-8")


def _packages(write: Callable[[Path], None], archive: Path) -> None:
    """Pack modules, compiled."""
    with TemporaryDirectory() as work:
        write(Path(work))
        packages.compile_packages(Path(work))
        _take_libraries(Path(work), archive.with_suffix(""))
        pack(Path(work), archive)


def _take_libraries(folder: Path, into: Path) -> None:
    """Move what is compiled to WebAssembly out of a folder: it is loaded before Python runs."""
    for library in sorted(folder.rglob("*.so")):
        target = into / f"{library.relative_to(folder)}{packages.DEFLATED}"
        target.parent.mkdir(parents=True, exist_ok=True)
        deflate(library.read_bytes(), target)
        library.unlink()


def pack(folder: Path, archive: Path) -> None:
    """Put a folder's files into a zip archive, uncompressed: it is compressed as a whole."""
    with zipfile.ZipFile(archive, "w") as packed:
        for path in sorted(p for p in folder.rglob("*") if p.is_file()):
            packed.writestr(zipfile.ZipInfo(path.relative_to(folder).as_posix()), path.read_bytes())


def deflate(data: bytes, target: Path) -> None:
    """Write bytes compressed, always in the same way."""
    target.write_bytes(gzip.compress(data, 9, mtime=0))


def _add_scripts(folder: Path, games: Sequence[Game], ways: Ways) -> None:
    """Our own scripts, and last what tells of all files."""
    if ways.meet:
        ready_made.admit(folder, ways.meet)
    static = files("diablerie.site") / "static"
    for name in SCRIPTS:
        (folder / name).write_bytes((static / name).read_bytes())
    frame = (static / "frame.html").read_text("utf-8")
    (folder / "frame.html").write_text(frame.replace("__POLICY__", ready_made.SITE_POLICY), "utf-8")
    (folder / "contents.html").write_text(_contents(folder, games), "utf-8")
    sign(folder, games, ways)


def _contents(folder: Path, games: Sequence[Game]) -> str:
    """A page that tells what the folder contains, and what it was made from."""
    rows = [(f.relative_to(folder).as_posix(), f.stat().st_size) for f in folder.rglob("*")]
    files_told = "\n".join(
        f'<tr><td>{name}<td class="whole tabular">{size:,}'
        for name, size in sorted(rows)
        if (folder / name).is_file()
    )
    return CONTENTS.format(
        policy=ready_made.SITE_POLICY,
        sheet=assets.address(assets.HOUSE_SHEET)[1:],
        version=diablerie.__version__,
        commit=_commit() or "not known, since it was built from an installed package",
        games=", ".join(str(game.title) for game in games),
        languages=", ".join(available()),
        pyodide=packages.PYODIDE_VERSION,
        files=files_told,
    )


def _commit() -> str:
    """The commit that is built, and whether anything was changed since; "" outside of a clone."""
    git = ("git", "-C", str(PACKAGE))
    command = [*git, "describe", "--always", "--abbrev=40", "--dirty= with changes", "--exclude=*"]
    if not shutil.which("git"):
        return ""
    return subprocess.run(command, capture_output=True, text=True, check=False).stdout.strip()


def sign(folder: Path, games: Sequence[Game], ways: Ways = NO_WAYS) -> None:
    """Write what tells the digests of all files, and the service worker, which knows the version."""
    static = files("diablerie.site") / "static"
    data = ready_made.site_data(games) | {"files": digests(folder), "previews": _previews(folder)}
    data |= {"ice": ways.ice, "meet": ways.meet}
    digest = hashlib.sha256(json.dumps(data).encode()).hexdigest()[:12]
    version = f"{diablerie.__version__}-{digest}"
    data = {"version": version, **data}
    (folder / "site.json").write_text(json.dumps(data, ensure_ascii=False), "utf-8")
    worker = (static / "sw.js").read_text("utf-8")
    (folder / "sw.js").write_text(worker.replace(VERSION_PLACEHOLDER, version), "utf-8")


def _previews(folder: Path) -> list[str]:
    """The pages that have previews."""
    there = (folder / "previews").exists()
    return [f.relative_to(folder).as_posix() for f in folder.glob("pages/*/*.html") if there]


def digests(folder: Path) -> dict[str, dict[str, str | int]]:
    """Size and SHA-256 of each file that browsers keep, by its path in the folder."""
    return {
        path.relative_to(folder).as_posix(): {
            "size": path.stat().st_size,
            "digest": hashlib.sha256(path.read_bytes()).hexdigest(),
        }
        for path in sorted(folder.rglob("*"))
        if path.is_file() and not any(map(path.relative_to(folder).match, UNSIGNED))
    }
