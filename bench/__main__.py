"""`python -m bench`: all benchmarks, or those named."""

import signal
import sys

from bench import (
    attack,
    batch,
    first_start,
    hints,
    learning,
    load,
    others,
    playouts,
    policies,
    release,
    search,
    server,
    site,
    watching,
)
from bench.timing import machine, note, title

JOBS = {
    "playouts": playouts.all_games,
    "coals": playouts.coals_against_c_and_openspiel,
    "twins": playouts.twins,
    "batch": batch.decisions,
    "memory": batch.memory,
    "others": others.side_by_side,
    "openspiel": others.openspiel,
    "search": search.everything,
    "hints": hints.everything,
    "first_start": first_start.everything,
    "server": server.everything,
    "site": site.everything,
    "learning": learning.decisions,
    "policies": policies.wins,
    "load": load.everything,
    "release": release.everything,
    "attack": attack.everything,
    "watching": watching.everything,
}


def main() -> int:
    """Run the benchmarks named in the command line, or all; a few have arguments of their own."""
    names, options = sys.argv[1:] or list(JOBS), []
    if names[0] in ("load", "attack", "policies", "watching"):
        names, options = names[:1], names[1:]
    if unknown := [name for name in names if name not in JOBS]:
        print(f"bench: there is no {unknown[0]}; there are {', '.join(JOBS)}", file=sys.stderr)
        return 2
    # Whoever ends this leaves neither servers nor attackers behind.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    note(machine())
    for name in names:
        title(name)
        try:
            JOBS[name](*([options] if options else []))
        except KeyboardInterrupt:
            note("stopped")
            return 130
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
