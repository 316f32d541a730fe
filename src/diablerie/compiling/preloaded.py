"""What the process does once of which all others are forks, see `compiling.forks`."""

import numba

from diablerie.compiling import units as units
from diablerie.engine.compile_notice import SHOWN_NOTICE

SHOWN_NOTICE.quiet = True  # the server or the command tells what is compiled
if not numba.config.DISABLE_JIT:
    numba.njit(lambda: 0).compile(())  # what Numba makes at its first use
