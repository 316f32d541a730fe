"""The position of KITCHEN in sentences, for those who do not see the picture."""

from collections.abc import Iterator

from diablerie.engine.text import Line, Section, listed, say, says
from diablerie.games.kitchen.rules.board import GRILLS, NAMES, SIDE, STARTS
from diablerie.games.kitchen.rules.state import SIGNS
from diablerie.games.kitchen.ui.log import card_word, pot_word
from diablerie.games.kitchen.ui.view import ColourView, DevilView, DuelView, PotView, View, panel

COLOUR_WORDS = (say("yellow"), say("violet"), say("blue"), say("green"))
DUELS = {
    "asked": say("The defender may still refuse."),
    "fought": say("The stove’s button is being pressed."),
    "refused": say("The duel was refused."),
    "won": say("The attacker has won."),
    "lost": say("The defender has won."),
}

GRID = say(
    "Columns {first} to {last} from the left, rows 1 to {rows} from the top.",
    first=NAMES[0][0],
    last=NAMES[-1][0],
    rows=SIDE,
)


def describe(view: View) -> list[Section]:
    """What everybody has, and what stands where."""
    return [
        Section(say("Now"), list(_now(view))),
        *(
            Section(_title(c, colour), list(_colour(view, c)))
            for c, colour in enumerate(view.colours)
            if _takes_part(colour)
        ),
        Section(say("By location"), _places(view)),
    ]


def _takes_part(colour: ColourView) -> bool:
    """Whether a seat plays it, or its neutral devils stand in the kitchen."""
    return colour.seat is not None or any(devil.at for devil in colour.devils)


def _title(c: int, colour: ColourView) -> Line:
    if colour.seat is None:
        return say("Neutral devils: {colour}", colour=COLOUR_WORDS[c])
    return say("{who}: {what}", who=colour.seat, what=COLOUR_WORDS[c])


# -- whose turn, dice, duel ------------------------------------------------------------------------


def _now(view: View) -> Iterator[Line]:
    if view.node == "over":
        yield say("The game is over.")
        yield from (say("{who} has won.", who=seat) for seat in view.winners)
    elif view.turn is None:
        yield say("Everybody is choosing the menus.", "K8")
    else:
        yield say("It is {who}’s turn.", who=view.turn)
    if view.dice is not None:
        one, other = (say("a wing") if not face else say("{n}", n=face) for face in view.dice)
        yield say("The dice: {one} and {other}", one=one, other=other)
        yield from _points(view)
    if view.duel:
        yield from _duel(view, view.duel)


def _points(view: View) -> Iterator[Line]:
    if view.wings:
        yield say("One devil may fly.", "K16")
    else:
        yield says("{n} movement point left", "{n} movement points left", view.points)
    if view.extra is not None:
        yield say(
            "Devil {number} has one extra point for its next step.", "K22", number=view.extra + 1
        )
    if view.obliged is not None:
        yield say("Devil {number} has to move on.", "K15", number=view.obliged + 1)


def _duel(view: View, duel: DuelView) -> Iterator[Line]:
    (c, d), (other, foe) = duel.fighters
    one = _devil(view.colours[c], d)
    two = _devil(view.colours[other], foe)
    yield say("Duel: {one} against {other}", "K19", one=one, other=two)
    yield DUELS[duel.state]
    if duel.bursts:
        counts = map(str, range(1, duel.bursts + 1))  # by attacker and defender in turn (K21)
        yield say("Presses so far: {counts}", counts=", ".join(counts))


def _devil(colour: ColourView, d: int) -> Line:
    if colour.seat is None:
        return say("A neutral devil")
    return say("Devil {number} of {who}", number=d + 1, who=colour.seat)


# -- by colour -------------------------------------------------------------------------------------


def _colour(view: View, c: int) -> Iterator[Line]:
    colour = view.colours[c]
    if colour.seat is not None:
        yield from panel(view, colour.seat)
        yield say("Start: {start}; grill: {grill}", start=NAMES[STARTS[c]], grill=NAMES[GRILLS[c]])
    for d, devil in enumerate(colour.devils):
        if colour.seat is not None or devil.at:
            yield _standing(devil, d, colour.seat is None)
    for pot in view.pots[SIGNS * c : SIGNS * (c + 1)]:
        if pot.at or pot.hand:
            where = _place(view, pot.at) if pot.at else say("not on the board yet")
            yield say("{place}: {what}", place=where, what=_pot(pot))


def _standing(devil: DevilView, d: int, neutral: bool) -> Line:
    number = d + 1
    if not devil.at and devil.milk:
        return say("Devil {number}: thrown out for serving milk", "K31", number=number)
    if not devil.at:
        return say("Devil {number}: out", "K24", number=number)
    if neutral:
        return say("Neutral devil {number}: at {place}", number=number, place=devil.at)
    if devil.cap:
        return say("Devil {number}: at {place}, with its cap", number=number, place=devil.at)
    return say("Devil {number}: at {place}, without a cap", number=number, place=devil.at)


def _pot(pot: PotView) -> Line:
    """A pot, and as much as the viewer knows of what is in it."""
    named = pot_word(pot.colour, pot.sign)
    if pot.card is None:
        return named
    return say("{pot} with {content}", pot=named, content=card_word(pot.card))


# -- by place --------------------------------------------------------------------------------------


def _place(view: View, cell: str) -> Line:
    """A cell, with what it is if it is no cooking place."""
    for c, colour in enumerate(view.colours):
        if cell == NAMES[GRILLS[c]] and colour.seat is not None:
            return say("{cell}, {who}’s grill", cell=cell, who=colour.seat)
        if cell == NAMES[STARTS[c]] and colour.seat is not None:
            return say("{cell}, {who}’s start", cell=cell, who=colour.seat)
    return say("{cell}", cell=cell)


def _places(view: View) -> list[Line]:
    lines = [GRID]
    for cell in NAMES:
        here = [
            _devil(colour, d)
            for colour in view.colours
            for d, devil in enumerate(colour.devils)
            if devil.at == cell
        ]
        here += [_pot(pot) for pot in view.pots if pot.at == cell]
        if here:
            lines.append(say("{place}: {what}", place=_place(view, cell), what=listed(here)))
    return [*lines, say("The other places are empty.")]
