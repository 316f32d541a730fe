"""One mutant and its tests in a process of their own, which imports the house with the mistake."""

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

SITE = Path(__file__).parent / "site"


def tried(tests: list[str], limit: float) -> dict[str, Any]:
    """What comes of the tests in a new process that `DIABLERIE_MUTANT` tells of the mistake."""
    flags = ("-x", "-p", "no:cacheprovider", "--tb=line", "-m", "")
    command = (sys.executable, "-m", "pytest", *flags, *tests)
    try:
        done = subprocess.run(
            command, env=told(), capture_output=True, text=True, timeout=limit, check=False
        )
    except subprocess.TimeoutExpired:
        return {"state": "killed", "why": "time"}
    if done.returncode == 0:
        return {"state": "survived"}
    said = [line for line in done.stdout.splitlines() if line.startswith(("FAILED ", "ERROR "))]
    test, _, why = (
        (said or ["  the house cannot be imported"])[0].partition(" ")[2].partition(" - ")
    )
    found = {"state": "killed", "why": (why or done.stdout[-200:]).replace("\n", " ")}
    return found | ({"test": test} if test in tests else {})


def told() -> dict[str, str]:
    """The surroundings of processes that are to meet the mistake."""
    paths = [str(SITE), *filter(None, os.environ.get("PYTHONPATH", "").split(os.pathsep))]
    return {**os.environ, "PYTHONPATH": os.pathsep.join(dict.fromkeys(paths))}
