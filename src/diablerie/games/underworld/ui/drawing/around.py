"""Round the board: above it the night, below it wooden signs or the odds, and the players."""

from functools import cache, lru_cache

from diablerie.art import marks
from diablerie.art.svg import (
    Parted,
    Svg,
    at,
    circle,
    element,
    group,
    parted,
    path,
    placed,
    rect,
    shortened,
    svg_text,
)
from diablerie.engine.game import Moves, Translate
from diablerie.engine.text import Line, say, says
from diablerie.games.underworld.rules.notation import ACTION_TEXTS, LETTER_NAMES
from diablerie.games.underworld.rules.state import DEALT
from diablerie.games.underworld.ui.drawing.cards import face, use
from diablerie.games.underworld.ui.prompts import WORDS
from diablerie.games.underworld.ui.view import Card, Player, View

# -- the night ---------------------------------------------------------------------------------


NIGHT_HEIGHT = 52  # height
CARDS = DEALT.bit_count()
LETTER_WIDTH = 11.5  # width of a letter of the count, above which neither sun nor stars are drawn
DAYBREAK_NEAR = 20  # turns to daybreak by the clock from which on it is shown
STARS = ((60, 14), (118, 26), (171, 10), (226, 22), (262, 12), (318, 24), (366, 11), (30, 30))


def night(view: View, t: Translate) -> Svg:
    """The sun climbs with every card that is turned up."""
    counted = view.turns_left <= DAYBREAK_NEAR and view.node != "over"
    return _night(view.down, view.turns_left if counted else None, t)


@lru_cache(256)
def _night(down: int, turns: int | None, t: Translate) -> Svg:
    done = (CARDS - down) / CARDS
    count = _count(down, turns, t)
    end = 586 - LETTER_WIDTH * len(count) - 20
    sun = 30 + (end - 30) * done
    note = say(
        "Day breaks when every card is face up. Everybody still in the underworld then loses.",
        "U28",
    )
    return group(
        element("title", t(note)),
        rect(2, 2, 596, NIGHT_HEIGHT - 6, "sky", rx=10),
        rect(2, 2, 596, NIGHT_HEIGHT - 6, "dawn", rx=10, opacity=round(done * done, 3)),
        *(circle(x, y, 1.6, "star") for x, y in STARS if sun + 16 < x < end + 16),
        _sun(sun, 40 - 18 * done),
        svg_text(586, 30, count, "night-count kept-clear", 18.5),
        id="uw-night",
        class_="night day" if done > 0.7 else "night",
    )


def _sun(x: float, y: float) -> Svg:
    rays = "".join(f"M{x} {y}L{x * 1.35:.1f} {y * 1.35:.1f}" for x, y in RAYS)
    return placed(x, y, path(rays, "rays"), circle(0, 0, 11, "sun"), id="uw-sun")


RAYS = ((0, -14), (10, -10), (14, 0), (-10, -10), (-14, 0), (10, 10), (-10, 10), (0, 14))


def _count(down: int, turns: int | None, t: Translate) -> str:
    """Cards to daybreak, or turns if these run out first."""
    if turns is not None:
        line = says("daybreak in {n} turn", "daybreak in {n} turns", turns, "U29")
    else:
        line = says("{n} card to daybreak", "{n} cards to daybreak", down, "U28")
    return t(line)


# -- the row under the board -------------------------------------------------------------------


SIGNS_HEIGHT = 56  # height
SIGN_HEIGHT = 40


DEVIL, TOWER = (face(Card(kind), 0, False) for kind in ("devil", "tower"))


def signs(view: View, moves: Moves, t: Translate, top: float) -> Svg:
    """What can be decided here besides spaces; else the odds."""
    if moves and view.reveals > 1:
        return group(_any_two(moves, view.turns, t, top), id="uw-signs")
    words = [text for text in moves if ACTION_TEXTS.parse(text) in WORDS]
    if not words:
        return group(placed(24, top, _odds(tuple(view.hidden.items()), t)), id="uw-signs")
    row = []
    x = 24.0
    for action in words:
        label = t(WORDS[ACTION_TEXTS.parse(action)])
        row.append(_sign(action, label, x, top + 9))
        x += _wide(label) + 12
    return group(*row, id="uw-signs")


def _any_two(moves: Moves, turns: int, t: Translate, top: float) -> Svg:
    """Both cards of who is out in one tap; which, does not matter to them (U8)."""
    one = moves[turns % len(moves)]
    other = moves[(turns + len(moves) // 2) % len(moves)]
    label = t(say("Reveal any two cards", "U8"))
    return _sign(f"{one}; {other}", label, 24.0, top + 9, "any-two")


def _wide(label: str) -> float:
    return 34 + 9.6 * len(label)


def _sign(action: str, label: str, x: float, y: float, name: str = "") -> Svg:
    wide = _wide(label)
    grain = f"M10 11H{wide - 12:.0f}M16 {SIGN_HEIGHT - 10}H{wide - 20:.0f}"
    return placed(
        x,
        y,
        rect(0, 0, wide, SIGN_HEIGHT, "sign ink-line", rx=5),
        path(grain, "grain"),
        svg_text(wide / 2, 26, label, "sign-word", 18.5),
        class_="spot can sign-spot",
        data_action=action,
        data_light=action,
        id=f"uw-sign-{name or action.replace(' ', '-')}",
    )


@lru_cache(256)
def _odds(cards: tuple[tuple[str, int], ...], t: Translate) -> Svg:
    """What the backs may still be, as far as the viewer can tell."""
    hidden = dict(cards)
    if not sum(hidden.values()):
        done = t(say("Every card has been seen"))
        return svg_text(0, 35, done, "odds", 18.5)
    line = say(
        "Not seen yet: {cards}, including {devils} and {towers}",
        cards=says("{n} card", "{n} cards", sum(hidden.values())),
        devils=says("{n} devil", "{n} devils", hidden["devil"]),
        towers=says("{n} tower", "{n} towers", hidden["tower"]),
    )
    # In the picture numbers beside small cards; the sentence is their title.
    kinds = (
        (use("back-0"), sum(hidden.values())),
        (DEVIL, hidden["devil"]),
        (TOWER, hidden["tower"]),
    )
    return group(
        element("title", t(line)),
        *(
            placed(
                100 * k,
                8,
                group(icon, transform="scale(.56)"),
                svg_text(52, 29, number, "odds", 24),
            )
            for k, (icon, number) in enumerate(kinds)
        ),
    )


# -- the players: the letters everyone has and still needs -------------------------------------


PLACE_ROW = 84
PLACE_WIDTH = 292
PLACE_HEIGHT = 78
SLOT = 34
LONGEST_NAME = 18  # letters that fit
LONGEST_BESIDE_NOTE = 12


def players_height(view: View) -> int:
    """How much room the players take."""
    return (len(view.seats) + 1) // 2 * PLACE_ROW


def players(view: View, moves: Moves, t: Translate, top: float) -> Parted:
    """Two in a row, by seat."""
    cards = ((space.card, space.name) for space in view.spaces if space.card)
    lying = {(card.colour, card.letter): name for card, name in cards}
    places = []
    for i, own in enumerate(view.seats):
        can = tuple(move for move in moves if move == f"from {i}" or move.startswith("lose "))
        lying_at = tuple(lying.get((i, letter), "") for letter in LETTER_NAMES)
        words = _state_words(view, i)
        places.append(
            _player(own, i, _state(view, i), t(words) if words else "", can, lying_at, top, t)
        )
    return parted("g", *places, id="uw-players")


def _state(view: View, i: int) -> str:
    if view.seats[i].left:
        return "out"
    if view.node == "over":
        return "lost"
    return "turn" if view.actor == i else ""


@lru_cache(1024)
def _player(
    own: Player,
    i: int,
    state: str,
    note: str,
    moves: tuple[str, ...],
    lying_at: tuple[str, ...],
    top: float,
    t: Translate,
) -> Svg:
    """lying_at: the space where each letter lies for all (or for the viewer) to see, or ""."""
    name = shortened(t(say("{who}", who=i)), LONGEST_BESIDE_NOTE if note else LONGEST_NAME)
    ways = {"data_action": f"from {i}", "class_": "spot can"} if f"from {i}" in moves else {}
    # The whole place can be chosen, to take a letter from its owner.
    held = group(
        rect(0, 0, PLACE_WIDTH, PLACE_HEIGHT, "place", rx=9),
        placed(22, 21, marks.token(i, 11)),
        svg_text(42, 27, name, "place-name", 18.5),
        svg_text(282, 27, note, "place-note", 18.5),
        *(_slot(own, i, k, moves, lying_at[k], t) for k in range(len(LETTER_NAMES))),
        _devil(own, i, t),
        **ways,
    )
    return group(
        held,
        id=f"uw-player-{i}",
        data_player=i,
        class_=f"player-place seat-{i} {state}".strip(),
        transform=at(4 + i % 2 * 300, top + i // 2 * PLACE_ROW),
    )


def _state_words(view: View, i: int) -> Line | None:
    own = view.seats[i]
    if own.left:
        return say("out: no. {n}", "U26", n=own.left)
    if view.node == "over":
        return say("left behind", "U28")
    return say("possessed", "U20") if own.possessed else None


def _slot(own: Player, i: int, k: int, moves: Moves, lying_at: str, t: Translate) -> Svg:
    """One letter: a peg if it is held, else its outline."""
    letter = LETTER_NAMES[k]
    place = at(10 + k * (SLOT + 5), 37)
    if letter in own.letters:
        return _held(i, letter, f"lose {letter}" in moves, place)
    return missing(lying_at, letter, t, place)


def _held(i: int, letter: str, losing: bool, place: str) -> Svg:
    action = f"lose {letter}" if losing else None
    return group(
        *peg(letter),
        rect(-2, -2, SLOT + 4, SLOT + 4, "ring-spot", rx=8) if losing else None,
        transform=place,
        id=f"uw-letter-{i}-{letter}",
        data_enter="pop",
        class_="slot spot can" if losing else "slot",
        data_action=action,
        data_light=action,
    )


@cache
def peg(letter: str) -> tuple[Svg, Svg]:
    """A letter in the colour of the seat around it, SLOT wide from its top left corner."""
    return (
        rect(0, 0, SLOT, SLOT, "seat-fill ink-line", rx=6),
        svg_text(SLOT / 2, 25, letter, "seat-text", 23),
    )


def missing(lying_at: str, letter: str, t: Translate, place: str) -> Svg:
    """Its corner is folded in the owner's colour if the letter lies open somewhere."""
    note = say("{letter} lies face up at {space}", letter=letter, space=lying_at)
    return group(
        element("title", t(note)) if lying_at else None,
        rect(1, 1, SLOT - 2, SLOT - 2, "slot-empty", rx=6),
        svg_text(SLOT / 2, 25, letter, "slot-letter", 21),
        path(f"M{SLOT - 12} 0L{SLOT} 0L{SLOT} 12Z", "slot-seen") if lying_at else None,
        transform=place,
        class_="slot missing",
    )


def _devil(own: Player, i: int, t: Translate) -> Svg | None:
    if not own.possessed:
        return None
    note = element("title", t(say("{who} has a devil", "U20", who=i)))
    return group(
        note,
        placed(266, 70, use("head-wild"), scale=0.26, class_="devil"),
        id=f"uw-possessed-{i}",
        data_enter="shock",
    )
