"""What the system allows: open files (a connection is one), and connections that wait."""

import logging

from diablerie.table.presence.hub import LISTENERS

log = logging.getLogger("diablerie.web")
BACKLOG = 512  # connections that wait to be accepted
WANTED = LISTENERS + 1024  # a stream for each listener, and the rest


def raise_limit(wanted: int = WANTED) -> int:
    """Raise this process's limit of open files to `wanted`, as far as it may; return the limit.

    Logs a warning if it stays below. Returns `wanted` on systems without such a limit.
    """
    try:
        import resource
    except ImportError:  # Windows
        return wanted
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    unlimited = resource.RLIM_INFINITY
    if soft != unlimited and soft < wanted:
        soft = wanted if hard == unlimited else min(wanted, hard)
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    if soft != unlimited and soft < wanted:
        log.warning("only %d files may be open at once, %d are wanted: see ulimit -n", soft, wanted)
    return soft if soft != unlimited else wanted
