"""The first pass: every law on one game, uncompiled, with a sentence for each that fails.

`python -m diablerie.testing coasters` takes seconds for a small game. Further arguments are
pytest's: `-k witness` holds some laws only, `-x` stops at the first that fails. The exit status is
pytest's, too: 0 if the game keeps all laws.

Without Numba a mistake in the rules shows itself where it stands, and NumPy checks every index.
"""

import os
import subprocess
import sys

import numba
import pytest

USAGE = "usage: python -m diablerie.testing GAME [PYTEST-ARGUMENTS]"


def main(arguments: list[str]) -> int:
    """Run the first pass: here, if nothing is compiled here, else in a process of its own."""
    if not arguments or arguments[0].startswith("-"):
        print(USAGE, file=sys.stderr)
        return 2
    if not numba.config.DISABLE_JIT:
        command = [sys.executable, "-m", "diablerie.testing", *arguments]
        environment = {**os.environ, "NUMBA_DISABLE_JIT": "1"}
        return subprocess.run(command, check=False, env=environment).returncode
    game, *rest = arguments
    os.environ["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"
    plugins = ["-p", "no:terminal", "-p", "no:cacheprovider", "-p", "diablerie.testing.first_pass"]
    alone = ["-c", os.devnull, "--rootdir", os.curdir, "--noconftest", "-W", "error"]
    laws = ["--pyargs", "diablerie.testing.contract", "--game", game]
    return int(pytest.main([*plugins, *alone, *laws, *rest]))


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
