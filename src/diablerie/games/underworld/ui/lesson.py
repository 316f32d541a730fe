"""The lesson of UNDERWORLD: the last turns of a game, three letters, a devil, and the way out."""

from diablerie.engine.lesson import Glance, Lesson, LessonStep, Scene
from diablerie.engine.record import Record
from diablerie.engine.text import say
from diablerie.games.underworld.rules.deck import clear, fix, put
from diablerie.games.underworld.rules.notation import CARD_NAMES, LETTER_NAMES, SPACE_NAMES
from diablerie.games.underworld.rules.state import (
    ABSENT,
    ALL_LETTERS,
    DEVIL,
    DEVILS,
    TOWER,
    TOWERS,
)
from diablerie.games.underworld.rules.turns import begin
from diablerie.games.underworld.ui.words import names

DISKS = ("u3", "y6")
HELD = ("ABC", "ABD")
TOWER_AT, SECRET = "t3", "v4"
LAST = {"v2": "A3", "x5": "E4"}  # the cards that lie face down before day breaks
OPEN = {"u2": "A0", "v3": "B0", "u4": "D0", "w3": "C1", "y2": "E0", "y5": "A1", "x6": "F0"}


def late(s: Record) -> None:
    """Some turns have been played: the learner lacks D, E and F."""
    for seat, (disk, letters) in enumerate(zip(DISKS, HELD, strict=True)):
        s.disk[seat] = SPACE_NAMES.index(disk)
        s.letters[seat] = sum(1 << LETTER_NAMES.index(letter) for letter in letters)
    for name, card in OPEN.items():
        _lay_open(s, SPACE_NAMES.index(name), CARD_NAMES.index(card))
    begin(s)


def tower(s: Record) -> None:
    """As `late`, and a tower lies open beside the learner."""
    late(s)
    _lay_open(s, SPACE_NAMES.index(TOWER_AT), TOWER)


def daybreak(s: Record) -> None:
    """The learner is out, the others are not, and two cards still lie face down."""
    s.gone[0], s.letters[0], s.disk[0] = 1, ALL_LETTERS, ABSENT
    for seat, (disk, letters) in enumerate((("w6", "ABE"), ("t5", "BCDF")), 1):
        s.disk[seat] = SPACE_NAMES.index(disk)
        s.letters[seat] = sum(1 << LETTER_NAMES.index(letter) for letter in letters)
    kinds = sorted([*range(DEVIL), *[DEVIL] * DEVILS, *[TOWER] * TOWERS], key=lambda k: k * 11 % 37)
    for card in LAST.values():
        kinds.remove(CARD_NAMES.index(card))
    for space in names(int(s.down)):
        if space not in LAST:
            _lay_open(s, SPACE_NAMES.index(space), kinds.pop())
    begin(s)


def _lay_open(s: Record, space: int, kind: int) -> None:
    clear(s, space)
    fix(s, kind)
    s.card[space] = kind
    put(s, space, True)


SCENES = {
    "last turns": Scene(seats=2, arrange=late),
    "tower": Scene(seats=2, arrange=tower),
    "daybreak": Scene(seats=3, arrange=daybreak),
}

OTHER_CARDS = say("You may swap those too, but here it is the E on y2 and the card on u6.")

STEPS = (
    LessonStep(
        say("Six letters lead out"),
        say(
            "Collect the letters A to F in your colour, yellow, and you may leave the underworld. "
            "Whoever is left alone stays for ever. Your disk is on u3, and you have A, B and C."
        ),
        scene="last turns",
    ),
    LessonStep(
        say("Take a letter"),
        say(
            "One moves over empty spaces and over letters one already has, as far as one likes. "
            "The yellow D below you is one you lack: step on it, and it is yours."
        ),
        say("Move to the D on u4."),
        ("move u4",),
        say("You may go there, but the D is so near: move to u4."),
        "1 move x7, card B3, 1 stop",
    ),
    LessonStep(
        say("Swap instead"),
        say(
            "Your E lies face up on y2, out of reach. Instead of moving you may let two cards "
            "change places, if each is face down or a letter of your own colour."
        ),
        say("Choose “Swap two cards”."),
        ("swap",),
        say("You may move, but let us fetch the E. Choose “Swap two cards”."),
    ),
    LessonStep(
        say("The first card"),
        say("The card that you want nearer."),
        say("Choose your E on y2."),
        ("exchange y2",),
        OTHER_CARDS,
    ),
    LessonStep(
        say("And the second"),
        say("Now where it is to go: two steps below you."),
        say("Choose the face-down card on u6."),
        ("with u6",),
        OTHER_CARDS,
        "1 move w7, card A3, 1 stop",
    ),
    LessonStep(
        say("A card face down"),
        say(
            "On a face-down card you stop and turn it up. If it shows a letter you have, of any "
            "colour, you may go on; anything else ends your turn."
        ),
        say("Move to the face-down card on u5."),
        ("move u5",),
        say("You may go there, but the E is this way: move to u5."),
        "card B4",
    ),
    LessonStep(
        say("Lucky!"),
        say("A B, in another’s colour, but you have a B: the way goes on."),
        say("Move on to your E on u6."),
        ("move u6",),
        say("You may, but the E is waiting: move on to u6."),
        "1 move w6, card C3",
    ),
    LessonStep(
        say("There are devils too"),
        say(
            "Five letters! Only the F is missing, far away on x6. Under some cards lie devils: "
            "whoever turns one is possessed, and cannot leave. But a devil has its uses."
        ),
        say("Be bold: turn the card on t6."),
        ("move t6",),
        say("You may, but there is something to learn on t6."),
        "card devil, 1 move x6",
    ),
    LessonStep(
        say("Possessed"),
        say(
            "With a devil you pass over face-down cards, and may end on another disk: then its "
            "owner must take your devil. Cinder stands on your F, face up."
        ),
        say("Move to Cinder’s disk on x6: give the devil away and take the F."),
        ("move x6",),
        say("You may, but then you stay possessed. Cinder’s disk on x6 is within reach."),
    ),
    LessonStep(
        say("You are out, and have won"),
        say(
            "The devil is Cinder’s, the F is yours, and with six letters you leave at once. "
            "Cinder is alone and loses. Two things are left to see: a tower, and the daybreak."
        ),
    ),
    LessonStep(
        say("A tower"),
        say(
            "Two cards are towers, a good surprise. Whoever ends a move on one looks at a card in "
            "secret, and the possessed may put their devil back first."
        ),
        say("Move to the tower on t3."),
        ("move t3",),
        say("You may go there, but the tower is beside you: move to t3."),
        scene="tower",
    ),
    LessonStep(
        say("A look in secret"),
        say("What you see now nobody else knows, and you need not turn it up."),
        say("Look at the face-down card on v4."),
        ("peek v4",),
        say("You may look at that one, but here it is the card on v4."),
        "card C0",
    ),
    LessonStep(
        say("Out, and still playing"),
        say(
            "Another game, for three: you are out and safe. The strip above the board counts the "
            "cards that still lie face down. When all lie face up, day breaks, and whoever is "
            "still in stays for ever. So in each of your turns you turn up two cards."
        ),
        say("Turn up the last two: the sign below the board does it at one go."),
        ("reveal v2",),
        say("That one too, but begin with the card on v2, or take the sign."),
        then="card A3, 0 reveal x5, card E4",
        scene="daybreak",
    ),
    LessonStep(
        say("Day breaks"),
        say(
            "Every card lies face up: Cinder and Ash stay for ever, and you have won. Whoever "
            "lingers is in danger. You know UNDERWORLD now."
        ),
    ),
)

GLANCE = (
    Glance(
        say("The goal"),
        say(
            "Collect the letters A to F of your own colour and leave the underworld. Whoever is "
            "left behind alone loses."
        ),
        1,
    ),
    Glance(
        say("A turn"),
        say(
            "Move over empty spaces and over face-up letters you have. A letter you lack ends the "
            "move, and if it has your colour it is yours. A face-down card is turned up: a letter "
            "you have lets you go on. Or swap two cards that are face down or your own."
        ),
        6,
    ),
    Glance(
        say("Devils and towers"),
        say(
            "Whoever turns a devil is possessed: one may walk over face-down cards and disks, and "
            "gives the devil away by ending on another disk. A second devil costs both, and two "
            "letters. A tower takes a devil back and shows you one card."
        ),
        9,
    ),
    Glance(
        say("The end"),
        say(
            "With six letters and no devil you leave at once. When one player is left, that one "
            "loses; when every card lies face up, day breaks and all who are still there do. "
            "Whoever is out turns up two cards in each turn."
        ),
        13,
    ),
)

LESSON = Lesson(("Cinder", "Ash"), SCENES, STEPS, GLANCE)
