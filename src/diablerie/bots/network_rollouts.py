"""Rollouts of a learnt policy: its likely actions are played on by the policy, and judged by it.

The policy proposes the actions. For one guess after another at what the seat cannot see, each of
them is played on with the same luck (common random numbers): the seat that thinks takes its
likeliest actions, the others draw by the policy, or follow the game's advice in a share of the
guesses. At one of its next decisions the network says what the seat may expect. So the policy is
prior and playout, and its value judges.

Source: Tesauro and Galperin 1996, "On-line policy improvement using Monte-Carlo search".
"""

from typing import NamedTuple

import numpy as np

from diablerie.engine import verbs
from diablerie.engine.compile import Floats, Ints, Records, summing
from diablerie.engine.game import Game
from diablerie.engine.record import Record
from diablerie.engine.rng import Rng, bits, unit, weighted
from diablerie.engine.verbs import CHANCE, OVER
from diablerie.learning.network import Activations, PolicyNetwork
from diablerie.learning.rollout import EnvWorker, advised, forward, likeliest, sample

# of NetworkRolloutArrays.states
ROLLOUT_START = 0
ROLLOUT_GUESS = 1
ROLLOUT_STATE = 2
BREADTH = 6  # actions that are tried at most


class NetworkRolloutArrays(NamedTuple):
    """The arrays of the rollouts of one decision."""

    states: Records  # three: as the seat sees it; with a guess at the rest; where a rollout stands
    actions: Ints  # (BREADTH,): those that are tried, the policy's own first
    returns: Floats  # (BREADTH,): of the last guess
    worth: Floats  # (BREADTH,): sums of the returns
    ahead: Floats  # (BREADTH,): sums of the returns, less those of the first action
    squares: Floats  # (BREADTH,): sums of the squares of these differences
    luck: Rng  # of what happens after each action


def rollout_arrays(game: Game) -> NetworkRolloutArrays:
    """Arrays for one thread."""
    return NetworkRolloutArrays(
        verbs.no_states(game.state, 3),
        np.zeros(BREADTH, np.int64),
        np.zeros(BREADTH),
        np.zeros(BREADTH),
        np.zeros(BREADTH),
        np.zeros(BREADTH),
        np.zeros(1, np.uint64),
    )


@summing
def roll_out(
    net: PolicyNetwork,
    w: EnvWorker,
    a: Activations,
    r: NetworkRolloutArrays,
    me: int,
    n: int,
    guesses: int,
    decisions: int,
    share: float,
    rng: Rng,
) -> None:
    """Add up what the first n of `r.actions` bring the seat `me`, for so many guesses.

    decisions: choices of the seat in a rollout before the network judges. share: of the guesses, in
    which the other seats follow the game's advice.
    """
    for _ in range(guesses):
        follow = unit(rng) < share
        r.states[ROLLOUT_GUESS] = r.states[ROLLOUT_START]
        verbs.guess(r.states[ROLLOUT_GUESS], me, rng)
        # The same guess and the same luck for all actions, so that differences vary less than returns.
        luck = bits(rng)
        for i in range(n):
            r.luck[0] = luck
            r.states[ROLLOUT_STATE] = r.states[ROLLOUT_GUESS]
            verbs.apply(r.states[ROLLOUT_STATE], me, r.actions[i])
            r.returns[i] = play_to_value(
                net, w, a, r.states[ROLLOUT_STATE], me, decisions, follow, r.luck
            )
            # The first action is the policy's own: the others are judged by how far they are ahead of it.
            ahead = r.returns[i] - r.returns[0]
            r.worth[i] += r.returns[i]
            r.ahead[i] += ahead
            r.squares[i] += ahead * ahead


@summing
def play_to_value(
    net: PolicyNetwork,
    w: EnvWorker,
    a: Activations,
    s: Record,
    me: int,
    decisions: int,
    follow: bool,
    luck: Rng,
) -> float:
    """Play `s` on to a choice of the seat `me` after so many others, or the end: its return.

    follow: whether the other seats follow the game's advice.
    """
    while True:
        who = verbs.actor(s)
        if who == OVER:
            verbs.returns(s, w.returns)
            return float(w.returns[me])
        if who == CHANCE:
            action = w.out[weighted(luck, w.odds, verbs.chance(s, w.out, w.odds))]
        elif follow and who != me:
            action = advised(w, s, who, luck)
        else:
            n = verbs.legal(s, who, w.out)
            action = w.out[0]
            if n > 1:
                value = forward(net, w, a, s, who, n, 0)
                # The seat itself plays its likeliest actions, the others draw: nobody knows what they do.
                if who == me:
                    if decisions == 0:
                        return float(value)
                    decisions -= 1
                    action = w.out[likeliest(a.policy, n)]
                else:
                    action = w.out[sample(a.policy, n, luck)]
        verbs.apply(s, who, action)
