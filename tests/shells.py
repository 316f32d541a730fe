"""A shell in which nothing is prepared, and clones and environments as their users have them.

Nothing is fetched: what pip installs here is linked, or packed again, from what the tests run on.
"""

import os
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Iterable, Iterator
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from pathlib import Path

from packaging.requirements import Requirement

from diablerie.engine.sources import cache_root

ROOT = Path(__file__).parent.parent
SYSTEM = "/usr/local/bin:/usr/bin:/bin"
# What else the isolated builds of pip, of a wheel and of an editable one, ask for.
BUILDING = ("hatchling", "editables")


def shell(script: str, folder: Path, **variables: str) -> subprocess.CompletedProcess[str]:
    """Run a script in a new bash in `folder`, with nothing of this process's environment.

    No PYTHONPATH, no activated environment, a home of its own; only compiled rules are shared.
    """
    home = folder / "home"
    home.mkdir(exist_ok=True)
    known = {
        "PATH": SYSTEM,
        "HOME": str(home),
        "LANG": "C.UTF-8",
        "COLUMNS": "160",
        "DIABLERIE_CACHE": str(cache_root()),
        "PIP_DISABLE_PIP_VERSION_CHECK": "1",
    }
    return subprocess.run(
        ["bash", "--noprofile", "--norc", "-e", "-c", script],
        cwd=folder, env=known | variables, capture_output=True, text=True, check=False,
    )  # fmt: skip


def offline(wheels: Path) -> dict[str, str]:
    """The variables that let pip install from a folder of wheels and from nowhere else."""
    return {"PIP_NO_INDEX": "1", "PIP_FIND_LINKS": str(wheels), "PIP_CONFIG_FILE": os.devnull}


def clone(folder: Path) -> Path:
    """A copy of this working tree: what commands read and what pip builds from."""
    folder.mkdir(parents=True, exist_ok=True)
    for name in ("pyproject.toml", "constraints.txt", "README.md", "LICENSE"):
        shutil.copy2(ROOT / name, folder)
    for name in ("src", "examples"):
        shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
    (folder / "tests").symlink_to(ROOT / "tests")
    return folder


def environment(venv: Path, *names: str) -> Path:
    """A virtual environment that holds pip and these distributions with all they depend on."""
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", venv], check=True)
    (folder,) = venv.glob("lib/python*/site-packages")
    for found in closure(("pip", *names)):
        link(found, folder)
    pip = venv / "bin" / "pip"
    pip.write_text(f"#!/bin/sh\nexec '{venv}/bin/python' -m pip \"$@\"\n")
    pip.chmod(0o755)
    return venv


def link(found: Distribution, folder: Path) -> None:
    """Put a distribution of this environment into the site-packages of another.

    An old pip without wheel, as Debian's, leaves `.egg-info`, which is not among the files.
    """
    names = {file.parts[0] for file in found.files or ()} - {"..", "__pycache__"}
    home, stem = Path(str(found.locate_file(""))), found.name.replace("-", "_")
    for name in names | {egg.name for egg in home.glob(f"{stem}-{found.version}*.egg-info")}:
        source, target = Path(str(found.locate_file(name))), folder / name
        if source.exists() and not target.exists():
            target.symlink_to(source)


def closure(names: Iterable[str]) -> list[Distribution]:
    """The distributions of these requirements and all that they need, with the extras they name."""
    found: dict[str, Distribution] = {}
    seen: set[str] = set()  # with their extras
    todo = list(names)
    while todo:
        wanted = Requirement(todo.pop())
        whole = f"{wanted.name} {sorted(wanted.extras)}"
        if whole not in seen and (one := installed(wanted.name)):
            seen.add(whole)
            found[wanted.name] = one
            todo += needs(one, *wanted.extras)
    return list(found.values())


def installed(name: str) -> Distribution | None:
    """A distribution of this environment, if it is there."""
    try:
        return distribution(name)
    except PackageNotFoundError:
        return None


def needs(found: Distribution, *extras: str) -> Iterator[str]:
    """What a distribution requires here with these extras."""
    for text in found.requires or ():
        marker = Requirement(text).marker
        if marker is None or any(marker.evaluate({"extra": one}) for one in ("", *extras)):
            yield text


def pack(folder: Path, *names: str) -> Path:
    """A folder with wheels of these distributions and all that they need, as they are here."""
    folder.mkdir(parents=True, exist_ok=True)
    for found in closure(names):
        tags = (found.read_text("WHEEL") or "").partition("\nTag: ")[2].splitlines()
        name = f"{found.metadata['Name'].replace('-', '_')}-{found.version}-{tags[0]}.whl"
        with zipfile.ZipFile(folder / name, "w") as wheel:
            for file in found.files or ():
                if file.parts[0] != ".." and "__pycache__" not in file.parts:
                    wheel.write(str(found.locate_file(file)), str(file))
    return folder
