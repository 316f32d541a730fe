"""What the process does once of which all others are forks, see `compiling.forks`."""

import os

from diablerie.compiling import LOWEST_PRIORITY

os.nice(LOWEST_PRIORITY)  # before the imports: they take as long as those of the server that starts

import numba  # noqa: E402

from diablerie.compiling import units as units  # noqa: E402
from diablerie.engine.compile_notice import SHOWN_NOTICE  # noqa: E402

SHOWN_NOTICE.quiet = True  # the server or the command tells what is compiled
if not numba.config.DISABLE_JIT:
    numba.njit(lambda: 0).compile(())  # what Numba makes at its first use
