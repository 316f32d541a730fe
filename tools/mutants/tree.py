"""The copy of the tree that everything runs in: no mutant ever meets the checkout."""

import os
import shutil
import subprocess
from pathlib import Path

from tools.mutants.places import ROOT


def copied(to: Path) -> Path:
    """All that git would keep of the checkout, in a new folder `to`."""
    shutil.rmtree(to, ignore_errors=True)
    listing = ("git", "ls-files", "--cached", "--others", "--exclude-standard", "-z")
    names = subprocess.run(listing, cwd=ROOT, capture_output=True, check=True).stdout
    for name in filter(None, names.decode().split("\0")):
        if (ROOT / name).is_file():
            (to / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, to / name)
    (to / ".venv").symlink_to(ROOT / ".venv")
    return to


def surroundings(tree: Path) -> dict[str, str]:
    """What a process is told that runs in the copy: its sources first, none of the checkout's."""
    return {
        **os.environ,
        "PYTHONPATH": os.pathsep.join([str(tree / "src"), str(tree)]),
        "PYTHONHASHSEED": "0",
    }
