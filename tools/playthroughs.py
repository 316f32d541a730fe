"""Write the playthroughs of tests/envs again: what OpenSpiel sees of the golden games of two.

.venv/bin/python tools/playthroughs.py
"""

from pathlib import Path

import pyspiel
from open_spiel.python.algorithms.generate_playthrough import playthrough

import diablerie.envs.open_spiel
from diablerie.games import OURS

TESTS = Path(__file__).resolve().parent.parent / "tests"


def golden_actions(name: str) -> list[int]:
    """The decisions and outcomes of a golden game, as OpenSpiel numbers them."""
    path = TESTS / "games" / name / "golden" / f"{name}-2.jsonl"
    state = pyspiel.load_game(f"diablerie_{name}").new_initial_state()
    for event in diablerie.load(path).events:
        state.apply_action(state.string_to_action(state.current_player(), event.text))
    found: list[int] = state.history()
    return found


def main() -> None:
    """Write them all."""
    folder = TESTS / "envs" / "playthroughs"
    folder.mkdir(exist_ok=True)
    for game in OURS:
        text = playthrough(f"diablerie_{game.name}", golden_actions(game.name), seed=1)
        (folder / f"{game.name}.txt").write_text(text, "utf-8")
        print(game.name)


if __name__ == "__main__":
    main()
