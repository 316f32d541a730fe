"""A game made to try the table: secret bids at once, plans, walks, a trap only some have seen.

Everybody bids in secret; then each seat in turn walks. The step onto space 2 springs the trap,
which throws one back or does not; who looked at it before knows, and the others see only that he
looked. Whether chance decides at the step or has decided at the look must not show.
"""

from enum import IntEnum
from types import SimpleNamespace
from typing import Annotated, Any

from diablerie.engine import verbs
from diablerie.engine.game import Game
from diablerie.engine.notation import NotationError
from diablerie.engine.record import Record, Row, i8, record
from diablerie.engine.rng import below
from diablerie.engine.text import SeatRef, say

SEATS, ROUNDS, TRAP = 4, 3, 2
UNSET, SECRET, UNSEEN = -1, -2, -1
WORDS = [*(f"bid {n}" for n in range(5)), "step", "rest", "look", "swap"]
WORDS += [*(f"pick {n}" for n in range(4)), "go"]
STEP, REST, LOOK, SWAP, PICK, GO = 5, 6, 7, 8, 9, 13


class Node(IntEnum):
    BID, GO, WALK, SWAP1, SWAP2, PEEK, SPRING, OVER = range(8)


@record
class State(Record):
    node: i8
    seats: i8
    turn: i8
    rounds: i8
    bid: Annotated[Row, i8, 4]
    at: Annotated[Row, i8, 4]
    trap: i8  # UNSEEN, 0 shut, 1 open
    looked: i8  # mask of the seats that know it
    first: i8  # of a swap
    marks: Annotated[Row, i8, 4]


def start(seats: int, options: Any) -> Any:
    s = State.zero()
    s.seats, s.bid[:], s.trap = seats, UNSET, UNSEEN
    return s


def actor(s: Any) -> int:
    if s.node == Node.OVER:
        return verbs.OVER
    if s.node in (Node.PEEK, Node.SPRING):
        return verbs.CHANCE
    return min(i for i in range(s.seats) if pending(s) >> i & 1)


def pending(s: Any) -> int:
    if s.node == Node.BID:
        return sum(1 << i for i in range(s.seats) if s.bid[i] == UNSET)
    return 0 if s.node in (Node.PEEK, Node.SPRING, Node.OVER) else 1 << int(s.turn)


def forbids(s: Any, seat: int, action: int) -> int:
    if not pending(s) >> seat & 1:
        return 2
    allowed = {
        Node.BID: range(5),
        Node.GO: [GO],
        Node.WALK: [STEP, REST, SWAP] + [LOOK] * (not s.looked >> seat & 1),
        Node.SWAP1: range(PICK, PICK + 3),
        Node.SWAP2: range(PICK + int(s.first) + 1, PICK + 4),
    }[Node(int(s.node))]
    return 0 if action in allowed else 3


def legal(s: Any, seat: int, out: Any) -> int:
    found = [a for a in range(len(WORDS)) if forbids(s, seat, a) == 0]
    out[: len(found)] = found
    return len(found)


def chance(s: Any, out: Any, p: Any) -> int:
    out[:2], p[:2] = (0, 1), 0.5
    return 2


def apply(s: Any, seat: int, action: int) -> None:
    node = s.node
    if node == Node.BID:
        s.bid[seat] = action
        if not pending(s):
            s.turn = -1
            turn_of_next(s)
    elif node == Node.GO:
        s.node = Node.WALK
    elif node == Node.PEEK:
        s.trap, s.looked, s.node = action, s.looked | 1 << int(s.turn), Node.WALK
    elif node == Node.SPRING:
        spring(s, action)
    elif node == Node.SWAP1:
        s.first, s.node = action - PICK, Node.SWAP2
    elif node == Node.SWAP2:
        s.marks[s.first] += 1
        s.marks[action - PICK] += 1
        s.first = 0
        turn_of_next(s)
    else:
        walk(s, action)


def walk(s: Any, action: int) -> None:
    if action == REST:
        turn_of_next(s)
    elif action == SWAP:
        s.node = Node.SWAP1
    elif action == LOOK and s.trap != UNSEEN:
        s.looked |= 1 << int(s.turn)
    elif action == LOOK:
        s.node = Node.PEEK
    else:
        s.at[s.turn] += 1
        if s.at[s.turn] % 4 == TRAP:
            s.node = Node.SPRING
            if s.trap != UNSEEN:
                spring(s, int(s.trap))


def spring(s: Any, outcome: int) -> None:
    s.trap, s.looked, s.node = UNSEEN, 0, Node.WALK
    if outcome:
        s.at[s.turn] = 0
        turn_of_next(s)


def turn_of_next(s: Any) -> None:
    s.turn += 1
    if s.turn < s.seats:
        s.node = Node.GO if s.bid[s.turn] == 0 else Node.WALK
        return
    s.rounds += 1
    s.turn, s.bid[:] = 0, UNSET
    s.node = Node.OVER if s.rounds == ROUNDS else Node.BID


def returns(s: Any, out: Any) -> None:
    best = max(s.at[: s.seats])
    out[: s.seats] = [1.0 if at == best else -1.0 for at in s.at[: s.seats]]


def witness(s: Any) -> int:
    if s.node == Node.PEEK:
        return 1 << int(s.turn)
    return 0 if s.node == Node.BID else verbs.EVERYONE


def redact(s: Any, seat: int) -> None:
    if s.node == Node.BID:
        for i in range(s.seats):
            if i != seat and s.bid[i] != UNSET:
                s.bid[i] = SECRET
    if seat < 0 or not s.looked >> seat & 1:
        s.trap = UNSEEN


def guess(s: Any, seat: int, rng: Any) -> None:
    for i in range(s.seats):
        if s.bid[i] == SECRET:
            s.bid[i] = below(rng, 5)
    if s.looked and s.trap == UNSEEN:
        s.trap = below(rng, 2)


def advise(s: Any, seat: int, rng: Any) -> int:
    return {Node.BID: 2, Node.GO: GO, Node.SWAP1: PICK, Node.SWAP2: PICK + 3}.get(
        Node(int(s.node)), REST
    )


def value(s: Any, out: Any) -> None:
    out[:] = 0


def format_action(s: Any, seat: int, action: int) -> str:
    return WORDS[action]


def parse_action(s: Any, seat: int, text: str) -> int:
    if text not in WORDS:
        raise NotationError(text, "a word of the toy")
    return WORDS.index(text)


def format_outcome(s: Any, outcome: int) -> str:
    return ("shut", "open")[outcome]


def parse_outcome(s: Any, text: str) -> int:
    return ("shut", "open").index(text)


def look(s: Any, viewer: int) -> dict[str, Any]:
    found: dict[str, Any] = s.asdict()
    return found


def sketch(view: dict[str, Any]) -> str:
    return str(view)


def narrate(before: Any, seat: int, action: int | None, after: Any, viewer: int) -> list[Any]:
    who = SeatRef(before.turn)
    if before.node == Node.BID:
        shown = "" if after.node == Node.BID else f": {[int(b) for b in after.bid]}"
        return [say("{who} has bid{all}.", who=SeatRef(seat), all=shown)]
    if before.node == Node.PEEK:
        return [] if action is None else [say("It is {what}.", what=("shut", "open")[action])]
    if action == LOOK:
        told = [say("{who} looks.", who=who)]
        known = after.node == Node.WALK and after.trap != UNSEEN
        return told + [say("It is {what}.", what=("shut", "open")[after.trap])] * bool(known)
    if before.node == Node.SPRING or (action == STEP and (before.at[who] + 1) % 4 == TRAP):
        if after.node == Node.SPRING:
            return []
        thrown = after.at[who] == 0
        return [say("{who} is thrown back.", who=who)] if thrown else [say("{who} steps.", who=who)]
    return [say("{who} does {what}.", who=who, what=WORDS[action or 0])]


UI = SimpleNamespace(
    look=look,
    sketch=sketch,
    narrate=narrate,
    panel=lambda *_: [],
    label=lambda *at: say("{word}", word=WORDS[at[2]]),
    prompt=lambda *_: say("What now?"),
    draw=lambda *_: "<svg></svg>",
)


class _Toy(Game):
    text = "**Z2** In turn.\n**Z3** Only what there is to do.\n"


HERE: Any = SimpleNamespace(**globals(), ACTIONS=len(WORDS), OUTCOMES=2)
HERE.NOTATION = HERE
TOY = _Toy(
    home=__package__,
    name="toy",
    title=say("TOY"),
    tagline=say("Look before you step."),
    clauses="Z",
    seats=(2, 3, 4),
    minutes=1,
    poster="",
    rules=HERE,
    policy=HERE,
    ui=UI,  # type: ignore[arg-type]
    plan=frozenset({Node.SWAP1, Node.SWAP2}),
    forced=frozenset({Node.GO}),
)
