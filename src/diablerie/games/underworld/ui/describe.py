"""The position of UNDERWORLD in sentences, for those who do not see the picture."""

from collections.abc import Iterator

from diablerie.engine.text import Line, Section, listed, say, says
from diablerie.games.underworld.rules.notation import COLUMNS, LETTER_NAMES
from diablerie.games.underworld.rules.state import DEVIL, LETTERS, SIDE, TOWER
from diablerie.games.underworld.ui.log import card_word
from diablerie.games.underworld.ui.view import Card, Player, Space, View

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
            Section(say("{who}", who=i), list(_player(view, own)))
            for i, own in enumerate(view.seats)
        ),
        *(_row(view, row) for row in range(SIDE)),
    ]


def _row(view: View, row: int) -> Section:
    spaces = view.spaces[SIDE * row : SIDE * (row + 1)]
    return Section(say("Row {n}", n=row + 1), [_space(view, space) for space in spaces])


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
        return say("You have seen every card")
    return say(
        "Not seen yet: {cards}, including {devils} and {towers}",
        cards=says("{n} card", "{n} cards", sum(hidden.values())),
        devils=says("{n} devil", "{n} devils", hidden["devil"]),
        towers=says("{n} tower", "{n} towers", hidden["tower"]),
    )


def _player(view: View, own: Player) -> Iterator[Line]:
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


def _space(view: View, space: Space) -> Line:
    disks = (say("{who}’s disk", who=seat) for seat in space.disks)
    here = [*_ground(view, space), *_card(view, space), *disks]
    what = listed(here) if here else say("empty")
    return say("{place}: {what}", place=space.name, what=what)


def _ground(view: View, space: Space) -> Iterator[Line]:
    if space.ground == "ivy":
        yield say("ivy", "U2")
    elif space.ground == "face":
        yield say("the devil’s face", "U1")
        yield says("{n} devil", "{n} devils", view.pegs)


def _card(view: View, space: Space) -> Iterator[Line]:
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
