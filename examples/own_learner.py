"""PPO with torch by self-play, on what `train` reads too: own_learner.py underworld 200 (rounds)"""

import sys
import time

import numpy as np
import torch
from torch import nn

import diablerie

GAMES, STEPS, EPOCHS, RATE, ENTROPY, TRIALS = 1024, 32, 2, 3e-3, 8e-3, 2000


def judge(net, position, kinds, marks, count):  # logarithms of probabilities, and the value
    out, m = net(position), marks.shape[2]  # the value, the weights of marks, a logit of each kind
    logits = out[:, m + 1 :].gather(1, kinds) + torch.bmm(marks, out[:, 1 : m + 1, None])[..., 0]
    logits[torch.arange(kinds.shape[1]) >= count[:, None]] = -1e9
    return logits.log_softmax(1), out[:, 0]


def outputs(games):  # of a network: see `judge`
    return 1 + games.inputs.marks.shape[2] + games.inputs.kind_count


def seen(games):
    most, read = max(1, int(games.count.max())), games.inputs
    kinds, marks = torch.tensor(read.kinds[:, :most]).long(), torch.tensor(read.marks[:, :most])
    told = np.hstack([read.position, games.history.reshape(games.n, -1)])  # a history may be empty
    return torch.tensor(told, dtype=torch.float32), kinds, marks, torch.tensor(games.count)


def learn(games, net, optimiser, left):
    rows, gain, learnt, each = [], torch.zeros(games.n), [], np.arange(games.n)
    with torch.no_grad():
        for _ in range(STEPS):
            x, who = seen(games), games.seat.copy()
            logs, value = judge(net, *x)
            choice = (logs - torch.empty_like(logs).exponential_().log()).argmax(1)  # a draw
            games.step(games.actions[each, choice.numpy()])
            sign = torch.tensor(np.where(games.seat == who, 1, -1) * ~games.terminated)  # zero sum
            rows.append((x, choice, logs[each, choice], value, games.rewards[each, who], sign))
        ahead = judge(net, *seen(games))[1]
    for x, choice, log, value, reward, sign in reversed(rows):
        gain, ahead = torch.tensor(reward) + sign * (ahead + 0.9 * gain) - value, value  # GAE
        learnt.append((x, choice, log, gain, gain + value))
    optimiser.param_groups[0]["lr"] = RATE * left
    for number in (torch.randperm(EPOCHS * STEPS) % STEPS).tolist():
        x, choice, log, gain, target = learnt[number]
        logs, value = judge(net, *x)
        ratio, gain = (logs[each, choice] - log).exp(), gain / (gain.std() + 1e-6)
        actor = torch.minimum(ratio * gain, ratio.clip(0.8, 1.2) * gain).mean()
        actor = actor - ENTROPY * left * (logs.exp() * logs).sum(1).mean()
        optimiser.zero_grad()
        (0.5 * (value - target).square().mean() - actor).backward()
        optimiser.step()


def wins(name, net, **more):
    won, chosen = 0.0, {"inputs": True, "mask": "none", "autoreset": "disabled", **more}
    for seat, players in enumerate([("", "sensible"), ("sensible", "")]):
        games = diablerie.batch(name, TRIALS // 2, seed=2, players=players, **chosen)
        games.reset()
        while games.count.any():
            likeliest = judge(net, *seen(games))[0].argmax(1).numpy()
            games.step(games.actions[np.arange(games.n), likeliest])
            won += games.rewards[:, seat].sum()  # 1, 0 or -1, when a game ends
    return (1 + won / TRIALS) / 2


def main(name="underworld", rounds=200, checks=10):
    games = diablerie.batch(name, GAMES, seed=1, inputs=True, mask="none")
    games.reset()
    layers = nn.Linear(games.inputs.position.shape[1], 64), nn.ReLU(), nn.Linear(64, 64), nn.ReLU()
    net = nn.Sequential(*layers, nn.Linear(64, outputs(games)))
    optimiser, each = torch.optim.Adam(net.parameters()), GAMES * STEPS
    for n in range(1, rounds + 1):
        learn(games, net, optimiser, 1 - 0.95 * n / rounds)
        if n % (rounds // checks) == 0:
            print(f"{n * each:,} decisions: {wins(name, net):.1%}, {time.process_time():.0f} s")


if __name__ == "__main__":
    torch.manual_seed(1)
    main(*sys.argv[1:2], *map(int, sys.argv[2:]))
