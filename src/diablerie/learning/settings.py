"""The settings of a training: each once, with its bounds and its help; those of an exploitation."""

from typing import Annotated, Any

import msgspec
from msgspec import Meta
from msgspec.structs import FieldInfo

ENV_WORKERS = 8  # of a learner, however many threads there are


class TrainingSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How a network learns, and how that is measured. Nothing here depends on the machine."""

    seats: Annotated[
        tuple[int, ...],
        Meta(
            description="Sizes of tables, played in turn; the smallest if left out. A size may be"
            " repeated.",
            extra={"metavar": "N[,N…]"},
        ),
    ] = ()
    options: Annotated[
        dict[str, str],
        Meta(description="An option of the game; may be repeated.", extra={"flags": ["--option"]}),
    ] = {}
    decisions: Annotated[int, Meta(ge=1, le=10**12, description="Decisions to learn from.")] = (
        20_000_000
    )
    hidden: Annotated[
        tuple[Annotated[int, Meta(ge=1, le=1024)], Annotated[int, Meta(ge=1, le=1024)]],
        Meta(description="Units of the two hidden layers.", extra={"metavar": "N,N"}),
    ] = (64, 64)
    rollout: Annotated[
        int,
        Meta(
            ge=64 * ENV_WORKERS,
            le=2**20,
            description="Decisions that are played before they are learnt from.",
        ),
    ] = 16_384
    epochs: Annotated[
        int, Meta(ge=1, le=100, description="How often a rollout is learnt from.")
    ] = 2
    minibatches: Annotated[
        int, Meta(ge=1, le=1000, description="Steps of the optimizer in an epoch.")
    ] = 4
    learning_rate: Annotated[
        float,
        Meta(ge=0.0, le=1.0, description="The learning rate, which falls linearly to a twentieth."),
    ] = 1e-3
    entropy: Annotated[
        float,
        Meta(
            ge=0.0, le=10.0, description="The weight of the policy's entropy, which falls likewise."
        ),
    ] = 0.01
    gae_lambda: Annotated[float, Meta(ge=0.0, le=1.0, description="The λ of the advantages.")] = 0.9
    max_grad_norm: Annotated[
        float, Meta(ge=0.0, le=1e6, description="A longer gradient is shortened to this.")
    ] = 0.5
    against: Annotated[
        tuple[str, ...],
        Meta(
            description="Learn to beat these bots, which have all other seats, instead of"
            " self-play; self: what the policy was before.",
            extra={"metavar": "SPEC[,SPEC…]"},
        ),
    ] = ()
    weights: Annotated[
        tuple[Annotated[float, Meta(ge=0.0, le=1e6)], ...],
        Meta(
            description="How often each of these bots plays; equally often if left out.",
            extra={"metavar": "W[,W…]"},
        ),
    ] = ()
    snapshot_every: Annotated[
        int,
        Meta(ge=1, le=10**6, description="Keep the policy for `self` every so many rollouts."),
    ] = 50
    share: Annotated[
        tuple[Annotated[float, Meta(ge=0.0, le=1.0)], ...],
        Meta(
            description="The share of games against bots, at all sizes of tables or at each;"
            " the others are self-play.",
            extra={"metavar": "SHARE[,SHARE…]"},
        ),
    ] = (1.0,)
    begin: Annotated[  # in a config the hash of that policy
        str,
        Meta(
            description="Begin with the policy of this file; own: with the game's.",
            extra={"metavar": "FILE"},
        ),
    ] = ""
    evaluations: Annotated[
        int,
        Meta(ge=1, le=1000, description="How often to evaluate the policy while it learns."),
    ] = 10
    games: Annotated[
        int,
        Meta(ge=2, le=1_000_000, description="Games per evaluation and number of seats."),
    ] = 1000
    seed: Annotated[
        int, Meta(ge=0, le=2**63 - 1, description="The seed of the weights, the dice and the bots.")
    ] = 1


# The bot is the argument of the command, and has all other seats in all games.
LEFT_OUT = {"against", "share", "weights", "snapshot_every"}
# A short training that begins with a policy which plays well: found by trying on all four games.
EXPLOIT_DEFAULTS = {"decisions": 500_000, "rollout": 8192, "begin": "own", "games": 2000}


def _field(one: FieldInfo) -> tuple[str, Any, Any]:
    factory = one.default_factory
    default = one.default if factory is msgspec.NODEFAULT else factory()
    return one.name, one.type, EXPLOIT_DEFAULTS.get(one.name, default)


# How a bot is exploited: not written out, so that each setting stands in `TrainingSettings` alone.
ExploitSettings = msgspec.defstruct(
    "ExploitSettings",
    [_field(one) for one in msgspec.structs.fields(TrainingSettings) if one.name not in LEFT_OUT],
    frozen=True,
    forbid_unknown_fields=True,
)
