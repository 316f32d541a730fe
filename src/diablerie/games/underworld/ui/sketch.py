"""The position in a few lines of text, for a terminal."""

from diablerie.games.underworld.rules.board import SIDE
from diablerie.games.underworld.rules.notation import COLUMNS
from diablerie.games.underworld.ui.view import Space, View

BLANK = {"face": "(face)", "ivy": "~", "plain": "."}


def sketch(view: View) -> str:
    """The board: `##` a back, `B2` a letter, `*0` the disk of seat 0. Then the players."""
    rows = ["   " + "".join(f"{c:<8}" for c in COLUMNS)]
    for r in range(SIDE):
        cells = view.spaces[r * SIDE : (r + 1) * SIDE]
        rows.append(f"{r + 1}  " + "".join(f"{_cell(c):<8}" for c in cells))
    return "\n".join(row.rstrip() for row in [*rows, *_players(view)])


def _cell(space: Space) -> str:
    disks, card = "".join(f"*{seat}" for seat in space.disks), space.card
    name = "" if card is None else f"{card.letter}{card.colour}" if card.letter else card.kind
    if space.side == "down":
        return f"#{name or '#'}{disks}"
    return (name or BLANK[space.ground]) + disks


def _players(view: View) -> list[str]:
    lines = [f"{view.node}, {view.down} face down, {view.pegs} devils on the face"]
    for i, seat in enumerate(view.seats):
        mark = "→" if i == view.actor else " "
        where = f"left {seat.left}" if seat.left else seat.disk or "-"
        devil = " devil" if seat.possessed else ""
        lines.append(f"{mark} {i}  {where}  {seat.letters or '-'}{devil}")
    return lines
