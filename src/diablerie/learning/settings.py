"""What fixes how a network learns."""

import msgspec

SHARDS = 8  # of a learner: see `shards`


class LearnerSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How a network learns. Nothing here depends on the machine."""

    seats: tuple[int, ...] = (
        2,
    )  # the sizes of tables, played in turn, one named twice twice as often
    options: dict[str, str] = {}  # of the game; the others are as usual
    decisions: int = 20_000_000  # that are learnt from, in all
    seed: int = 1
    wide: int = 64  # the first layer
    narrow: int = 64  # the second
    round: int = 16_384  # decisions that are played before they are learnt from
    passes: int = 2  # over them
    batches: int = 4  # steps of the optimizer in a pass
    rate: float = 1e-3  # of learning; it falls linearly to a twentieth
    entropy: float = 0.01  # the weight of the policy's entropy; it falls likewise
    trace: float = 0.9  # λ of the advantages
    longest: float = 0.5  # a longer gradient is shortened to this
    against: str = ""  # the bots on the other seats; "": the network plays all
    share: tuple[float, ...] = (1.0,)  # of games with these bots, for all `seats` or for each
    begin: str = ""  # the hash of the policy that it begins with; "": with nothing learnt
