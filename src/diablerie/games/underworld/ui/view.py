"""What one seat sees of UNDERWORLD, as plain data, and the text of a position."""

from typing import Any

from diablerie.engine.game import Amount
from diablerie.engine.record import Record
from diablerie.engine.text import Line, say
from diablerie.games.underworld.rules import play as rules
from diablerie.games.underworld.rules.board import FACE, IVY, SIDE, SPACES, size
from diablerie.games.underworld.rules.notation import CARD_NAMES, COLUMNS, LETTER_NAMES, SPACE_NAMES
from diablerie.games.underworld.rules.state import (
    ABSENT,
    DEVIL,
    LETTERS,
    Node,
)
from diablerie.games.underworld.rules.targets import layable, spaces, swappable, takeable
from diablerie.games.underworld.ui.paths import paths
from diablerie.games.underworld.ui.preview import fate
from diablerie.games.underworld.ui.text.buttons import MOVING, label
from diablerie.games.underworld.ui.text.log import narrate
from diablerie.games.underworld.ui.text.prompts import prompt

__all__ = ["amount", "label", "look", "narrate", "panel", "prompt", "sketch"]


def look(s: Record, viewer: int) -> dict[str, Any]:
    """The board as `viewer` sees it; spaces row by row."""
    seats = range(int(s.seats))
    actor = rules.actor(s)
    return {
        "node": Node(int(s.node)).name.lower(),
        "viewer": viewer,
        "turn": int(s.turn) if s.node not in (Node.FIRST, Node.OVER) else None,
        "actor": actor if actor >= 0 else None,
        "spaces": [_space(s, i, viewer) for i in range(SPACES)],
        "targets": _targets(s),
        "plan": _plan(s),
        "pegs": int(s.pegs),
        "seats": [_seat(s, i) for i in seats],
        "down": size(int(s.down)),
        "hidden": _hidden(s),
        "turns": int(s.turns),
        "idle": int(s.idle),
        "moved": _names(int(s.moved)),
        "struck": int(s.struck) if s.struck >= 0 else None,
    }


def _space(s: Record, i: int, viewer: int) -> dict[str, Any]:
    up, down = bool(s.up >> i & 1), bool(s.down >> i & 1)
    card = int(s.card[i])
    ground = "face" if i == FACE else "ivy" if i in IVY else "plain"
    return {
        "name": SPACE_NAMES[i],
        "ground": ground,
        "side": "up" if up else "down" if down else None,
        "card": _card(card) if card >= 0 else None,
        "seen_by": [seat for seat in range(int(s.seats)) if s.known[i] >> seat & 1],
        "disks": [seat for seat in range(int(s.seats)) if s.disk[seat] == i],
    }


def _card(card: int) -> dict[str, Any]:
    if card >= DEVIL:
        return {"kind": CARD_NAMES[card], "letter": None, "colour": None}
    return {
        "kind": "letter",
        "letter": LETTER_NAMES[card % LETTERS],
        "colour": card // LETTERS,
    }


def _targets(s: Record) -> dict[str, dict[str, Any]]:
    """Where the one to move can go, by what way, and what that would bring."""
    if s.node not in MOVING:
        return {}
    seat = int(s.turn)
    return {
        SPACE_NAMES[there]: fate(s, seat, there).data() | {"path": [SPACE_NAMES[i] for i in way]}
        for there, way in sorted(paths(s, seat).items())
    }


def _plan(s: Record) -> dict[str, Any]:
    """The choices so far in a swap, a rearrangement or a loss, and the spaces that go on with it.

    `cards` are those that may be swapped or taken, `free` those that may be laid on.
    """
    node, seat = s.node, int(s.turn)
    swapping, taking = node in (Node.SWAP1, Node.SWAP2), node in (Node.TAKE, Node.LAY)
    cards = swappable(s, seat) if swapping else takeable(s) if taking else 0
    return {
        "last": SPACE_NAMES[s.last] if node == Node.SWAP2 else None,
        "cards": _names(cards),
        "taken": _names(int(s.taken)),
        "free": _names(layable(s)) if node == Node.LAY else [],
        "laid": _names(int(s.laid)) if node == Node.LAY else [],
        "count": int(s.todo),
        "choices": _names(spaces(s)) if node not in MOVING else [],
    }


def _names(found: int) -> list[str]:
    return [SPACE_NAMES[i] for i in range(SPACES) if found >> i & 1]


def _letters(mask: int) -> str:
    return "".join(letter for i, letter in enumerate(LETTER_NAMES) if mask >> i & 1)


def _seat(s: Record, i: int) -> dict[str, Any]:
    held = int(s.letters[i])
    return {
        "disk": SPACE_NAMES[s.disk[i]] if s.disk[i] != ABSENT else None,
        "letters": _letters(held),
        "missing": _letters(~held),
        "possessed": bool(s.devil[i]),
        "left": int(s.gone[i]),
    }


def _hidden(s: Record) -> dict[str, int]:
    """Cards not face up, by name, that the viewer has not seen."""
    letters = {CARD_NAMES[c]: 1 for c in range(DEVIL) if s.loose >> c & 1}
    return letters | {"devil": int(s.loose_devils), "tower": int(s.loose_towers)}


def sketch(view: dict[str, Any]) -> str:
    """The position in a few lines of text: `##` a back, `*0` the disk of seat 0."""
    rows = ["   " + "".join(f"{c:<8}" for c in COLUMNS)]
    for r in range(SIDE):
        cells = view["spaces"][r * SIDE : (r + 1) * SIDE]
        rows.append(f"{r + 1}  " + "".join(f"{_cell(c):<8}" for c in cells))
    return "\n".join(row.rstrip() for row in [*rows, *_sketch_seats(view)])


def _cell(space: dict[str, Any]) -> str:
    disks = "".join(f"*{seat}" for seat in space["disks"])
    card = space["card"]
    name = "" if card is None else card["kind"] if card["letter"] is None else (
        f"{card['letter']}{card['colour']}"
    )  # fmt: skip
    if space["side"] == "down":
        return f"#{name or '#'}{disks}"
    blank = {"face": "(face)", "ivy": "~", "plain": "."}[space["ground"]]
    return (name or blank) + disks


def _sketch_seats(view: dict[str, Any]) -> list[str]:
    lines = [f"{view['node']}, {view['down']} face down, {view['pegs']} devils on the face"]
    for i, seat in enumerate(view["seats"]):
        mark = "→" if i == view["actor"] else " "
        where = f"left {seat['left']}" if seat["left"] else seat["disk"] or "-"
        devil = " devil" if seat["possessed"] else ""
        lines.append(f"{mark} {i}  {where}  {seat['letters'] or '-'}{devil}")
    return lines


def panel(view: dict[str, Any], seat: int) -> list[Line]:
    """What stands beside a player's name."""
    own = view["seats"][seat]
    if own["left"]:
        return [say("out as number {n}", "U26", n=own["left"])]
    shown = [say("needs {letters}", "U26", letters=own["missing"])] if own["missing"] else []
    if own["possessed"]:
        shown.append(say("possessed", "U20"))
    return shown


def amount(s: Record, seat: int) -> Amount | None:
    """No number is ever chosen."""
    return None
