"""Write the playthroughs of tests/envs again: what OpenSpiel sees of the golden games of two.

A file has the first steps, which can be read, and a digest of all.

.venv/bin/python tools/playthroughs.py
"""

import re
from hashlib import sha256
from pathlib import Path

import pyspiel
from open_spiel.python.algorithms.generate_playthrough import playthrough

import diablerie.envs.open_spiel
from diablerie.games import OURS

TESTS = Path(__file__).resolve().parent.parent / "tests"
STEPS_SHOWN = 40


def golden_actions(name: str) -> list[int]:
    """The decisions and outcomes of a golden game, as OpenSpiel numbers them."""
    path = TESTS / "games" / name / "golden" / f"{name}-2.jsonl"
    state = pyspiel.load_game(f"diablerie_{name}").new_initial_state()
    for event in diablerie.load(path).events:
        state.apply_action(state.string_to_action(state.current_player(), event.text))
    found: list[int] = state.history()
    return found


def shown(name: str) -> str:
    """The head and the first steps of a game's playthrough, and the digest of the whole."""
    whole = playthrough(f"diablerie_{name}", golden_actions(name), seed=1)
    beginning = re.split(rf"^# State {STEPS_SHOWN}$", whole, flags=re.MULTILINE)[0]
    return f"{beginning}# The whole has the SHA-256 {sha256(whole.encode()).hexdigest()}\n"


def main() -> None:
    """Write them all."""
    folder = TESTS / "envs" / "playthroughs"
    folder.mkdir(exist_ok=True)
    for game in OURS:
        (folder / f"{game.name}.txt").write_text(shown(game.name), "utf-8")
        print(game.name)


if __name__ == "__main__":
    main()
