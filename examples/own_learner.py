"""PPO with torch on what the built-in learner reads, against `sensible`: own_learner.py coals 20 (minutes)"""

import sys
import time

import torch
from torch import distributions, nn

import diablerie

GAMES, STEPS, EPOCHS = 256, 64, 2


class Net(nn.Module):
    def __init__(self, size, kinds, marks, units=64):
        super().__init__()
        layers = nn.Linear(size, units), nn.ReLU(), nn.Linear(units, units), nn.ReLU()
        self.body = nn.Sequential(*layers)
        self.kinds, self.marks = nn.Linear(units, kinds), nn.Linear(units, marks, bias=False)
        self.value = nn.Linear(units, 1)

    def forward(self, position, kinds, marks, count):
        x = self.body(position)  # an action's logit: its kind's, and its marks weighed by position
        logits = self.kinds(x).gather(1, kinds) + (marks * self.marks(x)[:, None]).sum(2)
        logits[torch.arange(kinds.shape[1]) >= count[:, None]] = -1e9
        return distributions.Categorical(logits=logits), self.value(x)[:, 0]


def seen(games):
    most, read = int(games.count.max()), games.inputs
    kinds, marks = torch.tensor(read.kinds[:, :most]).long(), torch.tensor(read.marks[:, :most])
    return torch.tensor(read.position), kinds, marks, torch.tensor(games.count)


@torch.no_grad()
def play(games, net, steps, greedy=False):
    rows = []
    for _ in range(steps):
        x = seen(games)
        chances, value = net(*x)
        choice = chances.probs.argmax(1) if greedy else chances.sample()
        games.step(games.actions[range(games.n), choice.numpy()])
        after = torch.tensor(games.rewards[:, 0]), torch.tensor(games.terminated)
        rows.append((x, choice, chances.log_prob(choice), value, *after))
    return rows


def learn(games, net, optimiser):
    rows, gain, learnt = play(games, net, STEPS), torch.zeros(games.n), []
    ahead = net(*seen(games))[1].detach()
    for x, choice, log, value, reward, ended in reversed(rows):
        gain, ahead = reward + (~ended).float() * (ahead + 0.9 * gain) - value, value  # GAE
        learnt.append((x, choice, log, gain, gain + value))
    spread = torch.cat([row[3] for row in learnt]).std()
    for number in torch.cat([torch.randperm(STEPS) for _ in range(EPOCHS)]).tolist():
        x, choice, log, gain, target = learnt[number]
        (chances, value), gain = net(*x), gain / spread
        ratio = (chances.log_prob(choice) - log).exp()
        actor = -torch.minimum(ratio * gain, ratio.clip(0.8, 1.2) * gain).mean()
        loss = actor + 0.5 * (value - target).square().mean() - 0.01 * chances.entropy().mean()
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()


def main(name="coals", minutes=20.0, checks=10):
    chosen = {"inputs": True, "mask": "none", "players": ("", "sensible")}
    games, trial = (diablerie.batch(name, GAMES, seed=seed, **chosen) for seed in (1, 2))
    games.reset(), trial.reset()
    net = Net(games.inputs.position.shape[1], *games.inputs.inputs[3:5])
    optimiser, began = torch.optim.Adam(net.parameters(), 1e-3), time.process_time()
    for check in range(int(checks)):
        while time.process_time() - began < 60 * minutes * (check + 1) / checks:
            learn(games, net, optimiser)
        won = torch.cat([row[4][row[5]] > 0 for row in play(trial, net, 400, greedy=True)])
        print(f"{time.process_time() - began:.0f} s: {won.float().mean():.1%}", flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:2], *map(float, sys.argv[2:]))
