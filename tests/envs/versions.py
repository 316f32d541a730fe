"""What a learner meets, as a digest for each game: `python -m tests.envs.versions` writes new ones.

Who has learnt on an environment must find the same one under its name (`-v2`): what a seat
observes, which actions it has, and what follows from them. While the version stays, so do these.
"""

import hashlib
import json
import sys
from collections.abc import Iterator
from pathlib import Path

import diablerie
from diablerie.envs.gymnasium import VERSION

KEPT = Path(__file__).parent / "versions.json"
GAMES, STEPS = 16, 400


def digests() -> Iterator[tuple[str, str]]:
    """Everything that some random games show, for every game and number of players."""
    for game in sorted(diablerie.GAMES.values(), key=lambda game: game.name):
        for seats in game.seats:
            batch = diablerie.batch(game.name, GAMES, seats=seats, seed=1)
            batch.reset()
            told = hashlib.sha256(batch.layout.table().encode())
            for _ in range(STEPS):
                shown = batch.observation, batch.mask, batch.rewards, batch.terminated, batch.seat
                for array in shown:
                    told.update(array.tobytes())
                batch.step(batch.sample())
            batch.close()
            yield f"{game.name}-{seats}", told.hexdigest()[:16]


def main() -> int:
    """Write them, with the version they belong to; not under one that others were written for."""
    found = dict(digests())
    before = json.loads(KEPT.read_text("utf-8")) if KEPT.exists() else {"version": None}
    if before["version"] == VERSION and before["digests"] != found:
        print("versions: raise VERSION in envs/gymnasium.py before", file=sys.stderr)
        return 2
    KEPT.write_text(json.dumps({"version": VERSION, "digests": found}, indent=1) + "\n", "utf-8")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
