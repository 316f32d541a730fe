"""What one seat sees of TAILS, as plain data, and the words on buttons."""

from typing import Any

from diablerie.engine.game import Amount
from diablerie.engine.record import Record, copy
from diablerie.engine.text import Line, Seat, say, says
from diablerie.games.tails.rules import play as rules
from diablerie.games.tails.rules.board import CELLS, LETTERS, ROWS, TWIN, half_width
from diablerie.games.tails.rules.scoring import side_of, sides
from diablerie.games.tails.rules.state import PASS, ROTATIONS, TURN, Node
from diablerie.games.tails.ui.text.log import (
    TURNS,
    cell_name,
    choosing,
    narrate,
    side_name,
    side_points,
)
from diablerie.games.tails.ui.tracing import OPEN, SCORED, Tail, finished, tails

__all__ = ["amount", "label", "look", "narrate", "panel", "prompt", "sketch"]


def look(s: Record, viewer: int) -> dict[str, Any]:
    """The table as `viewer` sees it; what he may not choose, and the tile in hand, for him."""
    deciding = rules.actor(s) == viewer
    lines = tails(s)
    return {
        "node": Node(int(s.node)).name.lower(),
        "viewer": viewer,
        "deciding": deciding,
        "turn": int(s.turn) if s.node not in (Node.FIRST, Node.OVER) else None,
        "sides": [int(side_of(s, seat)) for seat in range(int(s.seats))],
        "tiles": [_tile(int(laid)) for laid in s.laid],
        "cell": int(s.cell),
        "forced": bool(s.forced),
        "last": int(s.last),
        "next": _next(s),
        "left": CELLS - int(s.count),
        "codes": _codes(s) if deciding and s.node == Node.CELL else [],
        "hand": _hand(s, lines, deciding) if s.node == Node.ROTATION else [],
        "tails": [_data(tail) for tail in lines],
        "scores": side_points(s),
        "open": [_open(lines, side) for side in range(int(sides(s)))],
    }


def _tile(laid: int) -> list[int] | None:
    return [laid // 3, laid % 3] if laid >= 0 else None


def _next(s: Record) -> int:
    """The cell that will be forced after the one in hand (T10), or -1."""
    if s.seats == 3 or s.cell < 0 or s.forced:
        return -1
    return TWIN[int(s.cell)]


def _codes(s: Record) -> list[int]:
    """What forbids each cell, 0 for those that may be chosen."""
    return [int(rules.forbids(s, int(s.turn), cell)) for cell in range(CELLS)]


def _data(tail: Tail) -> dict[str, Any]:
    return {**tail._asdict(), "letter": tail.letter, "pieces": [list(p) for p in tail.pieces]}


def _open(lines: list[Tail], side: int) -> list[int]:
    """The lengths of a side's open tails, the longest first; those not begun are left out."""
    own = [tail.length for tail in lines if tail.side == side and tail.state == OPEN]
    return sorted((n for n in own if n), reverse=True)


def _hand(s: Record, now: list[Tail], deciding: bool) -> list[dict[str, Any]]:
    """The tile in hand in its rotations, each with the tails it would change."""
    kind = int(s.kind)
    return [
        {"tile": [kind, turn], "tails": _changed(now, tails(_laid(s, turn)))}
        for turn in range(ROTATIONS[kind] if deciding else 1)
    ]


def _laid(s: Record, rotation: int) -> Record:
    after = copy(s)
    rules.apply(after, int(s.turn), TURN + rotation)
    return after


def _changed(before: list[Tail], after: list[Tail]) -> list[dict[str, Any]]:
    return [_data(b) for a, b in zip(before, after, strict=True) if a != b]


def sketch(view: dict[str, Any]) -> str:
    """The position in a few lines of text: tiles as kind and rotation, 1a to 7c."""
    words = [f"{t[0] + 1}{'abc'[t[1]]}" if t else " ." for t in view["tiles"]]
    if view["cell"] >= 0:
        words[view["cell"]] = " *"
    shown = [f"{view['node']}, {view['left']} cells free"]
    for row in range(ROWS):
        count = 2 * half_width(row) + 1
        shown.append("   " * (ROWS - 1 - half_width(row)) + " ".join(words[:count]))
        del words[:count]
    for side, score in enumerate(view["scores"]):
        mark = "→" if view["turn"] is not None and view["sides"][view["turn"]] == side else " "
        shown.append(f"{mark} side {side}  {score}  open {view['open'][side]}")
    return "\n".join(shown)


def panel(view: dict[str, Any], seat: int) -> list[Line]:
    """What stands beside a player's name."""
    side = view["sides"][seat]
    shown = [says("{n} point", "{n} points", view["scores"][side], clause="T17")]
    if view["open"][side]:
        lengths = ", ".join(str(n) for n in view["open"][side])
        shown.append(say("open: {lengths}", lengths=lengths, clause="T19"))
    if len(view["sides"]) == 4:
        shown.append(say("with {who}", who=Seat((seat + 2) % 4), clause="T5"))
    return shown


# -- decisions ---------------------------------------------------------------------------------


def label(s: Record, seat: int, action: int) -> Line:
    """What the button of an action says."""
    if action == PASS:
        return say("Pass", clause="T14")
    if action < TURN:
        return say("Choose {cell}", clause=choosing(s), cell=cell_name(action))
    return _laying(s, action - TURN)


def _laying(s: Record, rotation: int) -> Line:
    closed = finished(tails(s), tails(_laid(s, rotation)))
    turned = say("Lay it {turned}", clause="T8a", turned=TURNS[rotation])
    if not closed:
        return turned
    return say("{laying}: {result}", "T8a", laying=turned, result=_results(closed))


def _results(closed: list[Tail]) -> Line:
    first, *rest = closed
    if first.state == SCORED:
        told = say("{letter} scores {n}", letter=first.letter, n=first.length)
    else:
        told = say("{one} meets {other}", one=first.letter, other=LETTERS[first.goal])
    return say("{first}, {rest}", first=told, rest=_results(rest)) if rest else told


def prompt(s: Record, viewer: int) -> Line:
    """What is going on, and what is asked of the viewer."""
    if s.node == Node.OVER:
        return _final(s)
    if rules.actor(s) < 0:
        return say("A tile is turned up.", clause="T8")
    if rules.actor(s) == viewer:
        return _question(s)
    who = Seat(s.turn)
    if s.node == Node.ROTATION:
        return say("{who} is turning the tile for {cell}.", who=who, cell=cell_name(int(s.cell)))
    return say("{who} is choosing a cell.", who=who)


def _final(s: Record) -> Line:
    points = side_points(s)
    best = [side for side, won in enumerate(points) if won == max(points)]
    if len(best) > 1:
        return say("The hexagon is full, and the win is shared.", clause="T18")
    side = side_name(int(s.seats), best[0])
    return say("The hexagon is full. The longest tails: {side}.", clause="T18", side=side)


def _question(s: Record) -> Line:
    if s.node == Node.PASS:
        return say("There is no cell you may choose.", clause="T14")
    if s.node == Node.CELL:
        clause = choosing(s)
        return say("Choose a cell. Its tile is turned up afterwards.", clause=clause)
    cell = cell_name(int(s.cell))
    if s.forced:
        return say("This tile has to go on {cell}. Turn it, and lay it.", clause="T10", cell=cell)
    return say("Turn the tile on {cell}, and lay it.", clause="T8a", cell=cell)


def amount(s: Record, seat: int) -> Amount | None:
    """No decision is a number."""
    return None
