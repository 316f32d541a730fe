"""Learn a game by playing against oneself: masked PPO in JAX, on a batch of games.

    python examples/ppo.py --game tails --minutes 6 --out learnt

It shows how to learn on a batch, not how to play well: it does not beat `sensible`, the game's own
advice. With `--steps 425984 --looks 5 --games 600` it took 2.6 minutes on two shared cores (52 s of
processor time), and then won 75.3 % [73.5, 77.0] against random and 30.0 % [28.2, 31.9] against
`sensible`, of 2,400 games each.

Needs `pip install --editable ".[learn]"` in a clone. It plays on as the bot of learnt_bot.py.
"""

import argparse
import json
import sys
import time
from functools import partial
from importlib import import_module
from math import sqrt
from pathlib import Path
from typing import NamedTuple

import jax
import jax.numpy as jnp
import matplotlib.pyplot as plt
import numpy as np
import optax

import diablerie

FORBIDDEN = -1e9  # the logit of an illegal action: in float32 its probability is 0
CLIP, CRITIC, NORM = 0.2, 0.5, 0.5  # of PPO, the weight of the critic's loss, of gradients
FEW = 24  # values: a number that takes no more is read as one-hot
OTHERS = ("random", "sensible")  # whom it is measured against, played inside the batch
WEIGHTS = jax.nn.initializers.he_normal()


class Settings(NamedTuple):
    games: int = 512  # that step together
    steps: int = 32  # decisions in each, from update to update
    passes: int = 3  # over what was played
    size: int = 1024  # decisions of a minibatch
    rate: float = 2e-3  # of learning, in the end 0
    entropy: float = 0.01  # its weight
    trace: float = 0.8  # lambda of the advantages
    width: int = 32  # of the network


class Network:
    """Two hidden layers on the observation, for any game: nothing in it knows which.

    `see` makes what it reads, `apply` logits of all actions and what each seat may expect, counted
    from the one that reads. shown: observations of random play, which tell how to read numbers:
    as one-hot, or as logarithms.
    """

    def __init__(self, game, seats, width, shown):
        self.shape = (width, game.actions, seats)
        values = [np.unique(column) for column in shown.T]
        few = [(k, v) for k, found in enumerate(values) if len(found) <= FEW for v in found[1:]]
        self.entries, self.values = (np.array(x) for x in zip(*few, strict=True))
        self.many = np.array([k for k, found in enumerate(values) if len(found) > FEW], int)

    def see(self, states, seats, observation):
        few, many = observation[:, self.entries] == self.values, observation[:, self.many]
        logs = np.sign(many) * np.log2(1 + np.abs(many)) / 8
        return np.hstack([few, logs, np.ones((len(logs), 1))], dtype=np.float32)

    def init(self, key):
        (w, actions, seats), inputs = self.shape, len(self.entries) + len(self.many) + 1
        sizes = {"first": (inputs, w), "second": (w, w), "act": (w, actions), "judge": (w, seats)}
        keys = jax.random.split(key, len(sizes))
        return {name: WEIGHTS(k, sizes[name]) for name, k in zip(sizes, keys, strict=True)}

    def apply(self, p, x):
        h = jax.nn.relu(x @ p["first"])
        h += jax.nn.relu(h @ p["second"])
        return h @ p["act"] / 10, h @ p["judge"] / 10


def network(game):
    """The class of a game's network: what a file beside this one has for it, or the plain one."""
    if not (Path(__file__).parent / f"ppo_{game}.py").exists():
        return Network
    sys.path.append(str(Path(__file__).parent))
    return import_module(f"ppo_{game}").Network


class Decisions(NamedTuple):
    """What is learnt from; first axis: decisions."""

    x: object  # what was seen
    mask: np.ndarray
    action: np.ndarray
    log: np.ndarray  # its log probability then
    gain: np.ndarray  # its advantage
    target: np.ndarray  # every seat's utility, counted from the one that decides


def policy(net, params, x, mask):
    """The log probabilities of all actions, and every seat's utility, of sum 0."""
    logits, values = net.apply(params, x)
    logs = jax.nn.log_softmax(jnp.where(mask, logits, FORBIDDEN))
    return logs, values - values.mean(-1, keepdims=True)


judge = jax.jit(policy, static_argnums=0)


def seen(net, params, batch):
    """What the network reads of a batch, and what it makes of it."""
    x = net.see(batch.states, batch.observer, batch.observation)
    return x, *map(np.asarray, judge(net, params, x, batch.mask))


def counted(values, seats):
    """Numbers by seat, counted from the given seats instead; from -seats it is the way back."""
    turned = (np.arange(values.shape[-1]) + seats[..., None]) % values.shape[-1]
    return np.take_along_axis(values, turned, -1)


def play(net, params, batch, rng, chosen):
    """Let the network decide for all seats; the Decisions that were a choice."""
    rows, after = [], []
    for _ in range(chosen.steps):
        x, logs, values = seen(net, params, batch)
        action = (logs + rng.gumbel(size=logs.shape)).argmax(1)  # drawn by its chances
        log = np.take_along_axis(logs, action[:, None], 1)[:, 0]
        seat, mask, free = batch.seat.copy(), batch.mask.copy(), batch.count > 1
        rows.append((x, mask, action, log, seat, free, counted(values, -seat)))
        batch.step(action)
        after.append((batch.rewards.copy(), ~batch.terminated[:, None]))
    ahead = counted(seen(net, params, batch)[2], -batch.seat)
    x, mask, action, log, seat, free, values = jax.tree.map(lambda *each: np.stack(each), *rows)
    gains = advantages(values, ahead, after, chosen.trace)
    gain = np.take_along_axis(gains, seat[..., None], 2)[..., 0]
    whole = Decisions(x, mask, action, log, gain, counted(gains + values, seat))
    return jax.tree.map(lambda a: a.reshape(-1, *a.shape[2:])[free.ravel()], whole)


def advantages(values, ahead, after, trace):
    """What each decision changed for each seat (GAE): (steps, games, seats).

    All seats' values are known at each decision, whoever makes it: one chain serves them all.
    """
    gains, gain = np.zeros_like(values), np.zeros_like(ahead)
    for t in reversed(range(len(values))):
        rewards, on = after[t]
        gain = rewards + on * (ahead + trace * gain) - values[t]
        gains[t], ahead = gain, values[t]
    return gains


def loss(params, net, some, entropy):
    logs, values = policy(net, params, some.x, some.mask)
    ratio = jnp.exp(jnp.take_along_axis(logs, some.action[:, None], 1)[:, 0] - some.log)
    gain = (some.gain - some.gain.mean()) / (some.gain.std() + 1e-8)
    actor = -jnp.minimum(ratio * gain, jnp.clip(ratio, 1 - CLIP, 1 + CLIP) * gain).mean()
    critic = ((values - some.target) ** 2).sum(1).mean()
    spread = -(jnp.exp(logs) * jnp.where(some.mask, logs, 0)).sum(1).mean()
    total = actor + CRITIC * critic - entropy * spread
    return total, {"loss": total, "critic": critic, "entropy": spread}


ADAM = optax.chain(optax.clip_by_global_norm(NORM), optax.scale_by_adam(eps=1e-5))


@partial(jax.jit, static_argnums=0, donate_argnums=(1, 2))
def improve(net, params, state, some, rate, entropy):
    (_, told), slope = jax.value_and_grad(loss, has_aux=True)(params, net, some, entropy)
    step, state = ADAM.update(slope, state)
    return jax.tree.map(lambda x, by: x - rate * by, params, step), state, told


class Learner:
    """A network, and the games that it plays against itself."""

    def __init__(self, game, seats=None, seed=1, chosen=None):
        self.chosen = chosen or Settings()
        self.batch = diablerie.batch(game, self.chosen.games, seats=seats, seed=seed)
        self.rng = np.random.default_rng(seed)
        shown = random_play(self.batch, self.rng)
        self.net = network(game)(self.batch.game, self.batch.seats, self.chosen.width, shown)
        self.params = self.net.init(jax.random.key(seed))
        self.state, self.decisions, self.told = ADAM.init(self.params), 0, {}

    def update(self, left=1.0):
        """Play and learn from it. left: of the time, from 1 to 0."""
        chosen = self.chosen
        played = play(self.net, self.params, self.batch, self.rng, chosen)
        size = min(chosen.size, len(played.log))
        for _ in range(chosen.passes):
            order = self.rng.permutation(len(played.log))
            for low in range(0, len(order) - size + 1, size):
                some = jax.tree.map(lambda x, at=order[low : low + size]: x[at], played)
                self.params, self.state, self.told = improve(
                    self.net, self.params, self.state, some, chosen.rate * left, chosen.entropy
                )
        self.decisions += chosen.games * chosen.steps


def random_play(batch, rng):
    """Observations of random play; the games are then at all stages."""
    batch.reset(seed=int(rng.integers(2**62)))
    shown = []
    for _ in range(150):
        batch.step(batch.sample())
        batch.reset(chosen=rng.random(batch.n) < 0.01)
        shown.append(batch.observation[:64].copy())
    return np.concatenate(shown)


def wilson(won, games, z=1.96):
    """A share and its interval of 95 %: value, low, high."""
    middle, whole = won + z * z / 2, games + z * z
    half = z * sqrt(won * (1 - won / games) + z * z / 4)
    return won / games, (middle - half) / whole, (middle + half) / whole


def share(net, params, game, seats, other, games, seed=1_000_000):
    """What it wins (value, low, high) by its likeliest actions, from every seat equally often.

    other: who plays all other seats. Winners share a game. With one seed, the same games.
    """
    won, each = 0.0, games // seats
    for seat in range(seats):
        players = [other if k != seat else "" for k in range(seats)]
        chosen = {"players": players, "autoreset": "disabled", "seed": seed + seat}
        batch = diablerie.batch(game, each, seats=seats, **chosen)
        batch.reset()
        returns = batch.rewards.copy()
        while (batch.seat >= 0).any():
            batch.step(seen(net, params, batch)[1].argmax(1))
            returns += batch.rewards
        won += np.where(returns.any(1), returns[:, seat].clip(min=0), 1 / seats).sum()
    return wilson(float(won), each * seats)


def save(learner, told, folder):
    """Keep the network, what was told of it on the way, and a picture of that."""
    folder.mkdir(parents=True, exist_ok=True)
    np.savez(folder / "learnt.npz", **learner.params)
    (folder / "learnt.json").write_text(json.dumps(told, indent=1), "utf-8")
    figure, axes = plt.subplots(figsize=(7, 4.2), layout="constrained")
    at = [one["decisions"] / 1e6 for one in told["curve"]]
    for other, marker in zip(OTHERS, "os", strict=True):
        value, low, high = zip(*(one[other] for one in told["curve"]), strict=True)
        (line,) = axes.plot(at, value, marker=marker, label=f"against {other}")
        axes.fill_between(at, low, high, alpha=0.2, color=line.get_color())
    axes.axhline(1 / told["seats"], color="grey", linestyle=":", label="fair share")
    axes.set(xlabel="million decisions of self-play", ylabel="share of games", ylim=(0, 1))
    axes.legend()
    figure.savefig(folder / "curve.svg")


def look(learner, told, games):
    """Measure it, and say so."""
    one = {"decisions": learner.decisions, **{k: float(x) for k, x in learner.told.items()}}
    one |= {k: share(learner.net, learner.params, told["game"], told["seats"], k, games)
            for k in OTHERS}  # fmt: skip
    shares = (f"{k} {v:.1%} [{low:.1%}, {high:.1%}]" for k in OTHERS for v, low, high in [one[k]])
    print(f"{one['decisions']:9,} decisions; against", *shares, end="; ", flush=True)
    return one


def read_options():
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--game", default="tails", choices=list(diablerie.GAMES))
    options.add_argument("--seats", type=int)
    options.add_argument("--minutes", type=float, default=6, help="of learning")
    options.add_argument("--steps", type=int, help="decisions instead, so that it is reproducible")
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--looks", type=int, default=6, help="at how good it is, on the way")
    options.add_argument("--games", type=int, default=1000, help="of a look, against each")
    options.add_argument("--out", type=Path, default=Path("learnt"))
    return options.parse_args()


def main():
    told = vars(read_options())
    out, looks, games = (told.pop(name) for name in ("out", "looks", "games"))
    learner = Learner(told["game"], told["seats"], told["seed"])
    told |= {"seats": learner.batch.seats, "settings": learner.chosen._asdict(), "curve": []}
    spent, worked, done = 0.0, 0.0, 0.0
    while True:
        if done * looks >= len(told["curve"]):
            one = look(learner, told, games * (4 if done >= 1 else 1))
            told["curve"].append({**one, "minutes": spent / 60, "processor": worked})
            print(f"{spent / 60:.2f} min, {worked:.0f} s of processor time", flush=True)
            save(learner, told, out)
        if done >= 1:
            return
        begun, cpu = time.perf_counter(), time.process_time()
        learner.update(1 - done)
        jax.block_until_ready(learner.params)
        spent, worked = spent + time.perf_counter() - begun, worked + time.process_time() - cpu
        done = learner.decisions / told["steps"] if told["steps"] else spent / 60 / told["minutes"]


if __name__ == "__main__":
    main()
