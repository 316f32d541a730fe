"""Python for browsers: Pyodide and msgspec, downloaded by version and digest with npm and pip."""

import base64
import hashlib
import shutil
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path
from tempfile import TemporaryDirectory

from diablerie.engine.checked_files import tell_damage
from diablerie.engine.sources import cache_root
from diablerie.site.modules import CannotBuild

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
