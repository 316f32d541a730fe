"""Solve a small game by counterfactual regret minimisation, and draw how fast.

    python examples/solve.py --iterations 100 --picture exploitability.svg

The last round of COALS (C24) with three pieces in the furnace: two players bet in secret and pull.
Needs `pip install --editable ".[research]"` in a clone.
"""

import argparse
from pathlib import Path

import matplotlib.pyplot as plt
from open_spiel.python.algorithms import cfr, exploitability

from diablerie import GAMES
from diablerie.envs.open_spiel import game_from_state
from diablerie.games.coals.rules.settling import make_pacts, space_of
from diablerie.games.coals.rules.state import Node

FURNACE = "0,0,0,0,0,2,1"  # two pieces of 10 and a devil
SOLVERS = {"CFR": cfr.CFRSolver, "CFR+": cfr.CFRPlusSolver}


def last_round(mine, theirs):
    """COALS before the bets of its last round, as an OpenSpiel game; money in tens."""
    s = GAMES["coals"].start(2, {"furnace": FURNACE})
    s.node, s.rounds = Node.BET, 100
    for seat, money in enumerate((mine, theirs)):
        s.chips[seat], s.space[seat] = money, space_of(s, money)
    make_pacts(s)
    return game_from_state(GAMES["coals"], s, 2, {"furnace": FURNACE})


def curve(game, solver, iterations):
    """The number of iterations, and how much a best response still wins, at some twenty of them."""
    measured = sorted({round(iterations ** (k / 20)) for k in range(21)})
    values = []
    for n in range(1, iterations + 1):
        solver.evaluate_and_update_policy()
        if n in measured:
            values.append(exploitability.exploitability(game, solver.average_policy()))
    return measured, values


def strategy(game, solver):
    """What to bet, as text: the probabilities of the first player's stakes."""
    state = game.new_initial_state()
    chances = solver.average_policy().action_probabilities(state)
    seat = state.current_player()
    shown = sorted(chances.items(), key=lambda chance: -chance[1])
    return ", ".join(f"{state.action_to_string(seat, a)} {p:.0%}" for a, p in shown if p >= 0.005)


def main():
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--iterations", type=int, default=100)
    options.add_argument("--money", type=int, nargs=2, default=(20, 30), metavar="COINS")
    options.add_argument("--picture", type=Path, default=Path("exploitability.svg"))
    chosen = options.parse_args()
    game = last_round(*chosen.money)
    figure, axes = plt.subplots(figsize=(7, 4.2), layout="constrained")
    for (name, kind), marker in zip(SOLVERS.items(), "os", strict=True):
        solver = kind(game)
        counts, values = curve(game, solver, chosen.iterations)
        axes.loglog(counts, [max(x, 1e-12) for x in values], marker=marker, label=name)
        print(f"{name}: exploitability {values[-1]:.2g} after {counts[-1]} iterations")
        print(f"  who has {chosen.money[0]} plays: {strategy(game, solver)}")
    axes.set(xlabel="iterations", ylabel="exploitability (utility, −1 to 1)",
             title=f"COALS, last round: {chosen.money[0]} against {chosen.money[1]}")  # fmt: skip
    axes.grid(alpha=0.3)
    axes.legend()
    figure.savefig(chosen.picture)
    print(chosen.picture)


if __name__ == "__main__":
    main()
