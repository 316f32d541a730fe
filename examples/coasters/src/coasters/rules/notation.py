"""The notation of COASTERS: `lay flower`, `bid 3`, `pass`, `turn 2` (a seat), `drop skull`."""

from coasters.rules.state import MOST, SEATS, Node
from diablerie.engine.notation import TableNotation, Texts

KINDS = ("flower", "skull")
ACTION_TEXTS = Texts(
    [
        *(f"lay {kind}" for kind in KINDS),
        "pass",
        *(f"bid {n + 1}" for n in range(MOST)),
        *(f"turn {seat}" for seat in range(SEATS)),
        *(f"drop {kind}" for kind in KINDS),
    ],
    "“lay”, “bid”, “pass”, “turn” or “drop”, and what",
)
NOTATION = TableNotation(
    ACTION_TEXTS,
    {
        Node.FIRST: Texts([f"first {seat}" for seat in range(SEATS)]),
        Node.LOT: Texts([f"lost {kind}" for kind in KINDS]),
    },
)
