"""Make golden games: `python tools/golden.py GAME [FOLDER]`, one advised game per player count.

Run it only when a change of the rules is meant: these files are what guards against others.
What is told and drawn of them is written by `make golden`.
"""

import sys
from pathlib import Path

import diablerie
from diablerie.engine import verbs
from diablerie.engine.queries import redacted
from diablerie.engine.rng import seeded

GAMES = Path(__file__).parent.parent / "tests" / "games"
NAMES = ("Ann", "Bo", "Cleo", "Dov", "Eda", "Finn")


def main() -> None:
    """Write tests/games/GAME/golden/GAME-SEATS.jsonl, each with its log."""
    name, *elsewhere = sys.argv[1:]
    folder = Path(*elsewhere) if elsewhere else GAMES / name / "golden"
    folder.mkdir(parents=True, exist_ok=True)
    game = diablerie.GAMES[name]
    for seats in game.seats:
        match = advised(name, seats)
        file = folder / f"{name}-{seats}.jsonl"
        diablerie.save(match, file)
        told = "".join(f"{line}\n" for line in match.log())  # what a watcher reads
        file.with_suffix(".log").write_text(told, "utf-8")


def advised(name: str, seats: int) -> diablerie.Match:
    """A whole match after the game's advice."""
    match = diablerie.start(name, seats=seats, seed=seats, names=NAMES[:seats])
    rng = seeded(seats)
    while not match.over:
        seat = match.actor
        action = verbs.advise(redacted(match.state, seat), seat, rng)
        match.play(match.game.notation.format_action(match.state, seat, action), seat)
    return match


if __name__ == "__main__":
    main()
