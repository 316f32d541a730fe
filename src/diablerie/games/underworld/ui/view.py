"""What one seat sees of UNDERWORLD: as data, in a few words, lines or sentences, and of a plan."""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Literal

import msgspec

from diablerie.engine import verbs
from diablerie.engine.game import Planned
from diablerie.engine.text import Line, Section, listed, say, says
from diablerie.games.underworld.rules import actions as base
from diablerie.games.underworld.rules.actions import BASES, NOWHERE
from diablerie.games.underworld.rules.deck import holds, lacks
from diablerie.games.underworld.rules.notation import (
    ACTION_TEXTS,
    CARD_NAMES,
    COLUMNS,
    LETTER_NAMES,
    SPACE_NAMES,
)
from diablerie.games.underworld.rules.state import (
    ABSENT,
    DEVIL,
    FACE,
    IVY,
    LETTERS,
    SIDE,
    SPACES,
    TOWER,
    Node,
    State,
    size,
)
from diablerie.games.underworld.rules.turns import turns_left
from diablerie.games.underworld.ui.choices import (
    MOVING,
    Preview,
    Selection,
    names,
    paths,
    preview,
    selection,
)
from diablerie.games.underworld.ui.log import card_word

Ground = Literal["plain", "ivy", "face"]
Side = Literal["up", "down"]


class Card(msgspec.Struct, frozen=True):
    """A card that the viewer knows."""

    kind: Literal["letter", "devil", "tower"]
    letter: str | None = None
    colour: int | None = None  # the seat whose colour it has, if that is taken
    held: bool = False  # the viewer, still on the board, has its letter (U10)
    wanted: bool = False  # or lacks it, of the viewer's own colour (U12)


class Space(msgspec.Struct, frozen=True):
    """A space and what is on it."""

    name: str
    ground: Ground
    side: Side | None  # of the card there
    card: Card | None
    seen_by: tuple[int, ...]  # seats that have looked at the card face down
    disks: tuple[int, ...]  # seats
    action: str | None  # what choosing this space is in notation, where one is asked for


class Player(msgspec.Struct, frozen=True):
    """A seat's disk, letters and devil."""

    disk: str | None  # the name of its space
    letters: str  # held
    missing: str
    possessed: bool
    left: int  # 1 for the first who left, …; 0 while in the game


class View(msgspec.Struct, frozen=True):
    """The board as the viewer sees it."""

    node: str
    viewer: int | None  # None: nobody's seat
    turn: int | None
    actor: int | None
    spaces: list[Space]  # row by row
    targets: dict[str, Preview]  # where the one to move can go, by name of the space
    ways: dict[str, list[str]]  # and the way there, with both its ends
    selection: Selection
    pegs: int  # devils on the face
    seats: list[Player]
    down: int  # cards face down
    hidden: dict[str, int]  # cards by name, not face up, that the viewer has not seen
    turns: int  # ended
    idle: int  # of these, in a row without a card turned up or a letter taken
    turns_left: int  # until day breaks by the clock (U29)
    reveals: int  # cards that the one to move, who is out, still turns up
    moved: list[str]  # spaces where cards were swapped or laid in the last turn
    struck: int | None  # the seat that met a second devil in the last turn


def look(s: State, viewer: int) -> View:
    """The board as `viewer` sees it, from a state that is redacted for the same viewer."""
    actor = verbs.actor(s)
    moving = s.node in MOVING
    ways = sorted(paths(s, s.turn).items()) if moving else []
    return View(
        node=Node(s.node).name.lower(),
        viewer=viewer if viewer >= 0 else None,
        turn=s.turn if s.node not in (Node.FIRST, Node.OVER) else None,
        actor=actor if actor >= 0 else None,
        spaces=_spaces(s, viewer),
        targets={SPACE_NAMES[i]: preview(s, s.turn, i) for i, _ in ways},
        ways={SPACE_NAMES[i]: list(map(SPACE_NAMES.__getitem__, way)) for i, way in ways},
        selection=selection(s, viewer),
        pegs=s.pegs,
        seats=[_player(s, i) for i in range(s.seats)],
        down=size(s.down),
        hidden=_hidden(s),
        turns=s.turns,
        idle=s.idle,
        turns_left=turns_left(s),
        # No more can be revealed than lies face down.
        reveals=min(s.todo, size(s.down)) if s.node == Node.REVEAL else 0,
        moved=names(s.moved),
        struck=s.struck if s.struck >= 0 else None,
    )


def _seats_of(bits: int, seats: int) -> tuple[int, ...]:
    return tuple(seat for seat in range(seats) if bits >> seat & 1)


def _spaces(s: State, viewer: int) -> list[Space]:
    # Fields are read once, for each look at one takes its time.
    base = BASES[s.node]
    up = s.up
    down = s.down
    cards = s.card.tolist()
    known = s.known.tolist()
    standing = s.disk.tolist()
    disks = dict[int, tuple[int, ...]]()
    for seat in range(s.seats):
        disks[standing[seat]] = (*disks.get(standing[seat], ()), seat)
    return [
        _space(
            i,
            _side(up >> i & 1, down >> i & 1),
            _card(s, cards[i], viewer) if cards[i] >= 0 else None,
            _seats_of(known[i], s.seats) if known[i] else (),
            disks.get(i, ()),
            base,
        )
        for i in range(SPACES)
    ]


def ground_of(space: int) -> Ground:
    """What a space is, whatever lies there."""
    if space == FACE:
        return "face"
    return "ivy" if space in IVY else "plain"


def _side(up: int, down: int) -> Side | None:
    """Which side a space shows; None where nothing lies."""
    if up:
        return "up"
    return "down" if down else None


@lru_cache(4096)
def _space(
    i: int,
    side: Side | None,
    card: Card | None,
    seen_by: tuple[int, ...],
    disks: tuple[int, ...],
    base: int,
) -> Space:
    return Space(
        name=SPACE_NAMES[i],
        ground=ground_of(i),
        side=side,
        card=card,
        seen_by=seen_by,
        disks=disks,
        action=ACTION_TEXTS.format(base + i) if base != NOWHERE else None,
    )


def _card(s: State, card: int, viewer: int) -> Card:
    if card >= DEVIL:
        return Card("devil" if card == DEVIL else "tower")
    playing = viewer >= 0 and not s.gone[viewer] and s.node != Node.OVER
    return Card(
        "letter",
        LETTER_NAMES[card % LETTERS],
        card // LETTERS,
        held=playing and bool(holds(s, viewer, card)),
        wanted=playing and bool(lacks(s, viewer, card)),
    )


def _player(s: State, i: int) -> Player:
    held = int(s.letters[i])
    return Player(
        disk=SPACE_NAMES[s.disk[i]] if s.disk[i] != ABSENT else None,
        letters=letters(held),
        missing=letters(~held),
        possessed=bool(s.devil[i]),
        left=int(s.gone[i]),
    )


def letters(held: int) -> str:
    """The letters of a bit mask."""
    return "".join(letter for i, letter in enumerate(LETTER_NAMES) if held >> i & 1)


def _hidden(s: State) -> dict[str, int]:
    loose = {CARD_NAMES[c]: 1 for c in range(DEVIL) if s.loose >> c & 1}
    return loose | {"devil": s.loose_devils, "tower": s.loose_towers}


def panel(view: View, seat: int) -> list[Line]:
    """What stands beside a player's name."""
    own = view.seats[seat]
    if own.left:
        return [say("out: number {n}", "U26", n=own.left)]
    lines = [say("needs {letters}", "U26", letters=own.missing)] if own.missing else []
    if own.possessed:
        lines.append(say("possessed", "U20"))
    return lines


BLANK = {"face": "(face)", "ivy": "~", "plain": "."}


def sketch(view: View) -> str:
    """The board: `##` a back, `B2` a letter, `*0` the disk of seat 0. Then the players."""
    rows = ["   " + "".join(f"{c:<8}" for c in COLUMNS)]
    for r in range(SIDE):
        cells = view.spaces[r * SIDE : (r + 1) * SIDE]
        rows.append(f"{r + 1}  " + "".join(f"{_cell(c):<8}" for c in cells))
    return "\n".join(row.rstrip() for row in [*rows, *_players(view)])


def _cell(space: Space) -> str:
    disks = "".join(f"*{seat}" for seat in space.disks)
    card = space.card
    name: str = card.kind if card else ""
    if card and card.letter:
        name = f"{card.letter}{card.colour}"
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


# -- in sentences, for those who do not see the picture ----------------------------------------


GRID = say(
    "Columns {first} to {last} from the left, rows 1 to {rows} from the top.",
    first=COLUMNS[0],
    last=COLUMNS[-1],
    rows=SIDE,
)


def describe(view: View) -> list[Section]:
    """What everybody has, and what lies on every space, row by row."""
    return [
        Section(say("Now"), list(_now(view))),
        *(
            Section(say("{who}", who=i), list(_tell_player(view, own)))
            for i, own in enumerate(view.seats)
        ),
        *(_row(view, row) for row in range(SIDE)),
    ]


def _row(view: View, row: int) -> Section:
    spaces = view.spaces[SIDE * row : SIDE * (row + 1)]
    return Section(say("Row {n}", n=row + 1), [_tell_space(view, space) for space in spaces])


def _now(view: View) -> Iterator[Line]:
    yield GRID
    if view.node == "over":
        yield say("The game is over.")
    elif view.turn is not None:
        yield say("It is {who}’s turn.", who=view.turn)
    yield says("{n} card to daybreak", "{n} cards to daybreak", view.down, "U28")
    yield says("daybreak in {n} turn", "daybreak in {n} turns", view.turns_left, "U29")
    yield _unseen(view.hidden)
    if view.struck is not None:
        yield say("{who} has just met a second devil.", "U24", who=view.struck)
    if view.moved:
        yield say("Cards placed in the last turn: {spaces}", spaces=", ".join(view.moved))
    chosen = view.selection
    if picked := [*chosen.taken, *([chosen.first] if chosen.first else [])]:
        yield say("Cards chosen: {spaces}", spaces=", ".join(picked))
    if chosen.laid:
        yield say("To be placed at: {spaces}", spaces=", ".join(chosen.laid))


def _unseen(hidden: dict[str, int]) -> Line:
    if not sum(hidden.values()):
        return say("Every card has been seen")
    return say(
        "Not seen yet: {cards}, including {devils} and {towers}",
        cards=says("{n} card", "{n} cards", sum(hidden.values())),
        devils=says("{n} devil", "{n} devils", hidden["devil"]),
        towers=says("{n} tower", "{n} towers", hidden["tower"]),
    )


def _tell_player(view: View, own: Player) -> Iterator[Line]:
    if own.left:
        yield say("out: number {n}", "U26", n=own.left)
    elif view.node == "over":
        yield say("left behind in the underworld", "U28")
    if own.disk:
        yield say("The disk: at {space}", space=own.disk)
    elif not own.left:
        yield say("The disk: not on the board yet")
    if own.possessed:
        yield say("possessed", "U20")
    yield (
        say("has {letters}", letters=" ".join(own.letters)) if own.letters else say("no letter yet")
    )
    if own.missing:
        yield say("needs {letters}", "U26", letters=" ".join(own.missing))


# -- by place --------------------------------------------------------------------------------------


def _tell_space(view: View, space: Space) -> Line:
    disks = (say("{who}’s disk", who=seat) for seat in space.disks)
    here = [*_ground(view, space), *_tell_card(view, space), *disks]
    what = listed(here) if here else say("empty")
    return say("{place}: {what}", place=space.name, what=what)


def _ground(view: View, space: Space) -> Iterator[Line]:
    if space.ground == "ivy":
        yield say("ivy", "U2")
    elif space.ground == "face":
        yield say("the devil’s face", "U1")
        yield says("{n} devil", "{n} devils", view.pegs)


def _tell_card(view: View, space: Space) -> Iterator[Line]:
    if space.side is None:
        return
    if space.card is None:
        yield say("a card face down")
    elif space.side == "down":
        card = card_word(_number(space.card), len(view.seats))
        yield say("{card} face down", card=card)
    else:
        yield card_word(_number(space.card), len(view.seats))
    for seat in space.seen_by:
        yield say("{who} has looked at this card", "U15", who=seat)


def _number(card: Card) -> int:
    """The card's number in the rules."""
    if card.letter is None or card.colour is None:
        return DEVIL if card.kind == "devil" else TOWER
    return LETTERS * card.colour + LETTER_NAMES.index(card.letter)


# -- a whole plan, a swap or a shuffle, until its player sends it ------------------------------


def planned(before: State, actions: Sequence[int], after: State, viewer: int) -> Planned:
    """The cards as they would lie, but the turn is still the viewer's."""
    view = msgspec.structs.replace(
        look(after, viewer),
        node=Node(before.node).name.lower(),
        turn=before.turn,
        actor=viewer,
        targets={},
        ways={},
        turns=before.turns,
        idle=before.idle,
        turns_left=turns_left(before),
    )
    return Planned(view, _plan_in_words(actions))


def _plan_in_words(actions: Sequence[int]) -> Line:
    taken = _spaces_named(actions, base.TAKE)
    laid = _spaces_named(actions, base.LAY)
    if taken and laid:
        return say(
            "Shuffle the cards on {taken} and place them face down on {laid}?",
            "U21",
            taken=", ".join(taken),
            laid=", ".join(laid),
        )
    swapped = [*_spaces_named(actions, base.EXCHANGE), *_spaces_named(actions, base.WITH)]
    if len(swapped) == 2:
        return say("Swap {one} with {other}?", "U19", one=swapped[0], other=swapped[1])
    return say("Is this your plan?")


def _spaces_named(actions: Sequence[int], kind: int) -> list[str]:
    """The spaces that actions of a kind name, in order."""
    return [SPACE_NAMES[action - kind] for action in actions if kind <= action < kind + SPACES]
