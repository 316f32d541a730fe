"""What one seat sees of KITCHEN: as data, in a few words, as lines of text, and in sentences."""

from collections.abc import Iterator
from functools import cache, lru_cache

import msgspec
import numpy as np

from diablerie.engine import verbs
from diablerie.engine.text import Line, Section, listed, say, says
from diablerie.games.kitchen.rules import notation
from diablerie.games.kitchen.rules.board import COLOURS, GRILLS, HOLE, NAMES, SIDE, SPACES, STARTS
from diablerie.games.kitchen.rules.legality import choosing
from diablerie.games.kitchen.rules.notation import COLOUR_NAMES, SIGN_NAMES
from diablerie.games.kitchen.rules.state import (
    ACTIONS,
    BANISHED,
    HAND,
    NONE,
    POT,
    POTS,
    SIGNS,
    Duel,
    Node,
    State,
    colour_of,
    defender,
    delivered,
    seat_of,
)
from diablerie.games.kitchen.ui.log import card_word, pot_word
from diablerie.games.kitchen.ui.walks import walks


class DevilView(msgspec.Struct, frozen=True):
    """A devil of one colour."""

    at: str | None  # its cell; None when it is out
    cap: bool
    milk: bool  # out by K31


class ColourView(msgspec.Struct, frozen=True):
    """A colour and its three devils; `seat` and `score` are None where nobody plays it."""

    name: str
    seat: int | None
    devils: tuple[DevilView, ...]
    score: int | None
    own: bool  # the viewer's
    chosen: bool  # the menu


class PotView(msgspec.Struct, frozen=True):
    """A pot: `colour` and `sign` by number, `at` a cell, `card` None where it is a secret."""

    colour: int
    sign: int
    at: str | None
    hand: bool
    delivered: bool
    card: int | None


class DuelView(msgspec.Struct, frozen=True):
    """The duel at hand, or the one that the last move led to; pairs are attacker, defender."""

    id: str  # another one for every duel of a game
    state: str  # see rules.state.Duel
    colours: tuple[int, int]
    devils: tuple[int, int]  # their numbers, from 0
    caps: tuple[bool, bool]
    seats: tuple[int, int]  # who presses
    bursts: int  # told so far

    @property
    def decided(self) -> bool:
        """Whether the Oberteufel has jumped."""
        return self.state in ("won", "lost")

    @property
    def fighters(self) -> tuple[tuple[int, int], tuple[int, int]]:
        """Attacker and defender as colour and number."""
        return (self.colours[0], self.devils[0]), (self.colours[1], self.devils[1])


class WalkView(msgspec.Struct, frozen=True):
    """Moves, in notation, that bring a devil, with a pot or none, from where it is to a cell."""

    devil: int
    pot: int | None
    to: str
    cost: int  # points; 0 for a flight
    duel: bool  # it ends in one
    actions: tuple[str, ...]


class View(msgspec.Struct, frozen=True):
    """The kitchen as one viewer sees it."""

    node: str  # see rules.state.Node
    viewer: int  # seat or WATCHER
    turn: int | None
    turns: int  # ended
    stove: int
    dice: tuple[int, ...] | None
    points: int
    extra: int | None  # the devil with the point of K22
    wings: bool
    obliged: int | None  # the devil that has to walk on (K15)
    colours: tuple[ColourView, ...]
    pots: tuple[PotView, ...]
    duel: DuelView | None
    walks: tuple[WalkView, ...]  # of the viewer
    puts: tuple[int, ...]  # signs of the pots that the viewer may put out now
    winners: tuple[int, ...]

    @property
    def own(self) -> int | None:
        """The viewer's colour, by number; None for a watcher."""
        return next((c for c, colour in enumerate(self.colours) if colour.own), None)


def look(s: State, viewer: int) -> View:
    """The kitchen as `viewer` sees it, from a redacted state."""
    moving = s.node in (Node.MOVE, Node.DEFEND, Node.STOVE)
    deciding = viewer >= 0 and bool(verbs.pending(s) >> viewer & 1)
    return View(
        node=Node(s.node).name.lower(),
        viewer=viewer,
        turn=s.turn if s.node not in (Node.MENU, Node.FIRST, Node.OVER) else None,
        turns=s.turns,
        stove=s.stove,
        # Dice lie only as long as their points are used; walks and places are for who decides.
        dice=tuple(s.dice.tolist()) if moving else None,
        points=s.points,
        extra=s.mover if s.extra else None,
        wings=bool(s.wings),
        obliged=s.obliged if s.obliged != NONE else None,
        colours=_colours(s, viewer),
        pots=_pots(s),
        duel=_duel(s) if s.duel != Duel.NONE else None,
        walks=_walks(s) if deciding else (),
        puts=_puts(s, viewer) if deciding and s.node == Node.POT else (),
        winners=tuple(i for i in range(s.seats) if s.winner[i]),
    )


def _colours(s: State, viewer: int) -> tuple[ColourView, ...]:
    # Fields are read once, for each look at one takes its time.
    devils = s.devil.tolist()
    caps = s.cap.tolist()
    scores = s.score.tolist()
    seats = s.seats
    found = []
    for c in range(COLOURS):
        seat = seat_of(s, c)
        playing = seat < seats and colour_of(s, seat) == c
        colour = ColourView(
            name=notation.COLOUR_NAMES[c],
            seat=seat if playing else None,
            devils=tuple(map(_devil, devils[c], caps[c])),
            score=scores[c] if playing else None,
            own=playing and seat == viewer,
            chosen=playing and not choosing(s, seat),
        )
        found.append(colour)
    return tuple(found)


@cache
def _devil(at: int, cap: int) -> DevilView:
    return DevilView(at=NAMES[at] if at >= 0 else None, cap=bool(cap), milk=at == BANISHED)


def _pots(s: State) -> tuple[PotView, ...]:
    places = s.pot.tolist()
    cards = s.card.tolist()
    return tuple(_pot(n, places[n], cards[n], bool(delivered(s, n))) for n in range(POTS))


@lru_cache(4096)
def _pot(number: int, at: int, card: int, brought: bool) -> PotView:
    return PotView(
        colour=number // SIGNS,
        sign=number % SIGNS,
        at=NAMES[at] if at >= 0 else None,
        hand=at == HAND,
        delivered=brought,
        card=card if card >= 0 else None,
    )


def _duel(s: State) -> DuelView:
    state = Duel(s.duel)
    done = state in (Duel.WON, Duel.LOST)
    colour = colour_of(s, s.attacker)
    other = s.foe_colour
    devil = s.fighter
    foe = s.foe
    return DuelView(
        id=f"{s.turns}-{s.points}-{other}{foe}",
        state=state.name.lower(),
        colours=(colour, other),
        devils=(devil, foe),
        caps=(bool(s.cap[colour, devil]), bool(s.cap[other, foe])),
        seats=(s.attacker, defender(s)),
        bursts=s.burst - (0 if done else 1) if s.burst else 0,
    )


def _walks(s: State) -> tuple[WalkView, ...]:
    return tuple(
        WalkView(
            devil=walk.devil,
            pot=walk.load - 1 if walk.load else None,
            to=NAMES[walk.to],
            cost=0 if s.wings else len(walk.actions),
            duel=walk.duel,
            actions=tuple(map(notation.ACTION_TEXTS.format, walk.actions)),
        )
        for walk in walks(s)
    )


def _puts(s: State, viewer: int) -> tuple[int, ...]:
    out = np.empty(ACTIONS, np.int64)
    legal = out[: verbs.legal(s, viewer, out)]
    return tuple(sorted({(int(action) - POT) // len(SPACES) for action in legal}))


# -- in words ----------------------------------------------------------------------------------


def _row_text(view: View, row: int) -> str:
    cells = range(row * SIDE, (row + 1) * SIDE)
    return " ".join(f"{_cell_text(view, cell):<9}" for cell in cells).rstrip()


def sketch(view: View) -> str:
    """The kitchen as text: devils by colour and number (small without cap), pots by signs."""
    rows = [_row_text(view, row) for row in range(SIDE)]
    state = f"{view.node}, turn {view.turns + 1}"
    if view.node == "move":
        state += f", {view.points} points left"
    scores = "  ".join(
        f"{colour.name} {colour.score}" for colour in view.colours if colour.seat is not None
    )
    return "\n".join([state, scores, *rows])


def _cell_text(view: View, at: int) -> str:
    if at in HOLE:
        return "##"
    marks = [
        (colour.name[0].upper() if devil.cap else colour.name[0]) + str(d + 1)
        for colour in view.colours
        for d, devil in enumerate(colour.devils)
        if devil.at == NAMES[at]
    ]
    marks += [
        COLOUR_NAMES[pot.colour][0] + SIGN_NAMES[pot.sign][0]
        for pot in view.pots
        if pot.at == NAMES[at]
    ]
    return "".join(marks) or ("." if at in SPACES else "_")


def panel(view: View, seat: int) -> list[Line]:
    """What stands beside a player's name."""
    own = next(colour for colour in view.colours if colour.seat == seat)
    if view.node == "menu":
        return [say("tray filled", "K8")] if own.chosen else []
    left = [devil for devil in own.devils if devil.at]
    return [
        says("{n} point", "{n} points", own.score or 0),
        says("{n} devil", "{n} devils", len(left)),
        says("{n} cap", "{n} caps", sum(devil.cap for devil in left), "K24"),
    ]


# -- in sentences, for those who do not see the picture ----------------------------------------


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
        yield from _tell_duel(view, view.duel)


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


def _tell_duel(view: View, duel: DuelView) -> Iterator[Line]:
    (c, d), (other, foe) = duel.fighters
    one = _name_devil(view.colours[c], d)
    two = _name_devil(view.colours[other], foe)
    yield say("Duel: {one} against {other}", "K19", one=one, other=two)
    yield DUELS[duel.state]
    if duel.bursts:
        counts = map(str, range(1, duel.bursts + 1))  # by attacker and defender in turn (K21)
        yield say("Presses so far: {counts}", counts=", ".join(counts))


def _name_devil(colour: ColourView, d: int) -> Line:
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
            yield say("{place}: {what}", place=where, what=_name_pot(pot))


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


def _name_pot(pot: PotView) -> Line:
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
            _name_devil(colour, d)
            for colour in view.colours
            for d, devil in enumerate(colour.devils)
            if devil.at == cell
        ]
        here += [_name_pot(pot) for pot in view.pots if pot.at == cell]
        if here:
            lines.append(say("{place}: {what}", place=_place(view, cell), what=listed(here)))
    return [*lines, say("The other places are empty.")]
