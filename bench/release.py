"""What a decision costs, compared with the last release: 40 tables, both servers in turns."""

import subprocess
from pathlib import Path
from tempfile import TemporaryDirectory

from bench import load

LAST_RELEASE = "319bc41c"  # 0.3.0
HERE = Path(__file__).parent.parent
TABLES = ["--tables", "40", "--every", "1.5", "--on"]
NINE_PAIRS = ["--turns", "9", "--seconds", "5", "--idle", "0.3"]


def everything() -> None:
    """The ratio of the processor times, pair by pair."""
    with TemporaryDirectory() as folder:
        for command in (["clone", "--quiet", "--shared", str(HERE), folder],
                        ["-C", folder, "checkout", "--quiet", LAST_RELEASE]):  # fmt: skip
            subprocess.run(["git", *command], check=True)
        load.everything([*TABLES, *NINE_PAIRS, "--against", folder])
