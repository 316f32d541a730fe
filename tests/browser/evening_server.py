"""`diablerie serve` on a machine whose address in the network is 127.0.0.2: `serve` and options.

That is an address of its own, but no other machine reaches it. The tables' keys are the same
whenever it runs, so that the games are as long.
"""

from itertools import count

from diablerie.cli import main
from diablerie.engine.fair import DiceStream
from diablerie.web.html import reach

NEAR = "127.0.0.2"
SEEDS = count(1)


def keyed() -> DiceStream:
    """A stream with a known key and no nonces yet, another one each time."""
    return DiceStream(DiceStream.seeded(next(SEEDS)).key)


if __name__ == "__main__":
    reach.network_address = lambda: NEAR
    DiceStream.fresh = keyed  # type: ignore[method-assign]
    main()
