"""Does memory help? PPO with and without the last events: learner_with_memory.py underworld 20 5

The learner is that of own_learner.py. Its network also reads the last events that its seat may know
(`history=`), the oldest first, through a small recurrent layer (GRU). Beside it learns the same network
on the same dice, to which nothing of that is passed on. Arguments: the game, rounds, trainings of each.
"""

import sys
import time

import numpy as np
import torch
from own_learner import STEPS, learn, outputs, wins
from torch import nn

import diablerie

GAMES, EVENTS = 256, 8
STUDENT = {2: 12.71, 3: 4.30, 4: 3.18, 5: 2.78, 6: 2.57, 7: 2.45, 8: 2.36}  # 95 %, by trainings


class Remembering(nn.Module):
    """A network of position and history; with `passes` 0 it learns without the history."""

    def __init__(self, games, passes, units=32):
        super().__init__()
        self.size, self.passes = games.inputs.position.shape[1], passes
        # Numbers of a row begin at -1, for nothing: one row of weights for each number.
        sizes = [highest + 2 for highest in games.remembered.highest]
        self.columns = nn.ModuleList(nn.Embedding(size, units) for size in sizes)
        self.recurrent = nn.GRU(units, units, batch_first=True)
        first = nn.Linear(self.size + units, 64)
        rest = nn.ReLU(), nn.Linear(64, 64), nn.ReLU(), nn.Linear(64, outputs(games))
        self.decides = nn.Sequential(first, *rest)

    def forward(self, read):
        position, told = read[:, : self.size], read[:, self.size :].long() + 1
        rows = told.view(len(read), -1, len(self.columns)).flip(1)  # the newest event last
        events = sum(column(rows[..., j]) for j, column in enumerate(self.columns))
        _, remembered = self.recurrent(events)
        return self.decides(torch.cat([position, self.passes * remembered[0]], 1))


def trained(name, rounds, seed, passes):
    """The share that a network wins against `sensible` after so many rounds."""
    torch.manual_seed(seed)
    games = diablerie.batch(name, GAMES, seed=seed, inputs=True, mask="none", history=EVENTS)
    games.reset()
    net = Remembering(games, passes)
    optimiser = torch.optim.Adam(net.parameters())
    for n in range(1, rounds + 1):
        learn(games, net, optimiser, 1 - 0.95 * n / rounds)
    return wins(name, net, history=EVENTS)


def main(name="underworld", rounds=20, trainings=5):
    found = []
    for seed in range(1, trainings + 1):
        found.append([trained(name, rounds, seed, passes) for passes in (1, 0)])
        shares = "{:.1%} with memory, {:.1%} without".format(*found[-1])
        print(f"training {seed}: {shares}; {time.process_time():.0f} s", flush=True)
    gains = np.array(found) @ [1, -1]
    # Over trainings, not over games: how one training ends is luck, too.
    width = STUDENT[trainings] * gains.std(ddof=1) / trainings**0.5
    low, high = gains.mean() - width, gains.mean() + width
    clear = "memory helps" if low > 0 else "memory harms" if high < 0 else "no clear difference"
    decisions = f"{rounds * GAMES * STEPS:,} decisions"
    print(f"memory gains {gains.mean():+.1%} [{low:+.1%}, {high:+.1%}] after {decisions}: {clear}")


if __name__ == "__main__":
    torch.set_num_threads(1)
    main(*sys.argv[1:2], *map(int, sys.argv[2:]))
