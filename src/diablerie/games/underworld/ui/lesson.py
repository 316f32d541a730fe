"""The lesson of UNDERWORLD: the last turns of a game, three letters, a devil, and the way out."""

from diablerie.engine.lesson import Figure, Glance, Lesson, LessonStep, Scene
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
    State,
)
from diablerie.games.underworld.rules.turns import begin
from diablerie.games.underworld.ui.choices import names

CORNERS = ("t1", "z7", "z1", "t7")
DISKS = ("u3", "y6")
OVER_F = "x6"
HELD = ("ABC", "ABD")
TOWER_AT = "t3"
SECRET = "v4"
LAST = {"v2": "A3", "x5": "E4"}  # the cards that lie face down before day breaks
OPEN = {"u2": "A0", "v3": "B0", "u4": "D0", "w3": "C1", "y2": "E0", "y5": "A1", "x6": "F0"}


def late(s: State) -> None:
    """Some turns have been played: the learner lacks D, E and F."""
    for seat, (disk, letters) in enumerate(zip(DISKS, HELD, strict=True)):
        s.disk[seat] = SPACE_NAMES.index(disk)
        s.letters[seat] = sum(1 << LETTER_NAMES.index(letter) for letter in letters)
    for name, card in OPEN.items():
        _lay_open(s, SPACE_NAMES.index(name), CARD_NAMES.index(card))
    begin(s)


def tower(s: State) -> None:
    """As `late`, and a tower lies open beside the learner."""
    late(s)
    _lay_open(s, SPACE_NAMES.index(TOWER_AT), TOWER)


def placed(s: State) -> None:
    """All disks have just been placed, as far apart as U6 wants."""
    s.disk[: len(CORNERS)] = [SPACE_NAMES.index(corner) for corner in CORNERS]
    begin(s)


def possessed(s: State) -> None:
    """As `late`, but the learner is possessed, and the other disk stands on the learner's F."""
    late(s)
    s.disk[1] = SPACE_NAMES.index(OVER_F)
    s.pegs -= 1
    s.devil[0] = 1


def daybreak(s: State) -> None:
    """The learner is out, the others are not, and two cards still lie face down."""
    s.gone[0] = 1
    s.letters[0] = ALL_LETTERS
    s.disk[0] = ABSENT
    for seat, (disk, letters) in enumerate((("w6", "ABE"), ("t5", "BCDF")), 1):
        s.disk[seat] = SPACE_NAMES.index(disk)
        s.letters[seat] = sum(1 << LETTER_NAMES.index(letter) for letter in letters)
    kinds = sorted([*range(DEVIL), *[DEVIL] * DEVILS, *[TOWER] * TOWERS], key=lambda k: k * 11 % 37)
    for card in LAST.values():
        kinds.remove(CARD_NAMES.index(card))
    for space in names(s.down):
        if space not in LAST:
            _lay_open(s, SPACE_NAMES.index(space), kinds.pop())
    begin(s)


def _lay_open(s: State, space: int, kind: int) -> None:
    clear(s, space)
    fix(s, kind)
    s.card[space] = kind
    put(s, space, True)


SCENES = {
    "last turns": Scene(seats=2, arrange=late),
    "tower": Scene(seats=2, arrange=tower),
    "daybreak": Scene(seats=3, arrange=daybreak),
}

OTHER_CARDS = say("You may swap those too, but here swap the E on y2 and the card on u6.")

STEPS = (
    LessonStep(
        say("Six letters set you free"),
        say(
            "Collect the letters A to F in your colour, yellow, and you may leave the "
            "underworld. The last player left in it loses. Your disk is on u3, and you have "
            "A, B and C."
        ),
        scene="last turns",
    ),
    LessonStep(
        say("Take a letter"),
        say(
            "You may move any distance over empty spaces and letters you already have. You "
            "still need the yellow D below you: move onto it, and it is yours."
        ),
        say("Move to the D on u4."),
        ("move u4",),
        say("You may go there, but the D is very near: move to u4."),
        "1 move x7, card B3, 1 stop",
    ),
    LessonStep(
        say("Swap instead"),
        say(
            "Your E lies face up on y2, out of reach. Instead of moving you may swap two "
            "cards, if each is face down or a letter of your own colour."
        ),
        say("Choose “Swap two cards”."),
        ("swap",),
        say("You may move, but let us fetch the E. Choose “Swap two cards”."),
    ),
    LessonStep(
        say("The first card"),
        say("Choose the card that you want nearer."),
        say("Choose your E on y2."),
        ("exchange y2",),
        OTHER_CARDS,
    ),
    LessonStep(
        say("And the second"),
        say("Now choose where it should go: two steps below you."),
        say("Choose the face-down card on u6."),
        ("with u6",),
        OTHER_CARDS,
        "1 move w7, card A3, 1 stop",
    ),
    LessonStep(
        say("A face-down card"),
        say(
            "On a face-down card you stop and reveal it. If it shows a letter you have, of "
            "any colour, you may go on; anything else ends your turn."
        ),
        say("Move to the face-down card on u5."),
        ("move u5",),
        say("You may go there, but the E is this way: move to u5."),
        "card B4",
    ),
    LessonStep(
        say("Lucky!"),
        say("It is a B of another colour. You have a B, so you may go on."),
        say("Move on to your E on u6."),
        ("move u6",),
        say("You may, but the E is waiting: move on to u6."),
        "1 move w6, card C3",
    ),
    LessonStep(
        say("There are devils too"),
        say(
            "You have five letters! Only the F is missing, far away on x6. Some cards are "
            "devils: whoever reveals one is possessed and cannot leave. But a devil has its "
            "uses."
        ),
        say("Be bold: reveal the card on t6."),
        ("move t6",),
        say("You may, but there is something to learn on t6."),
        "card devil, 1 move x6",
    ),
    LessonStep(
        say("Possessed"),
        say(
            "With a devil you may cross face-down cards, and you may end your move on another "
            "disk. Its owner must then take your devil. Cinder stands on your F, which lies "
            "face up."
        ),
        say("Move to Cinder’s disk on x6. You give the devil away and take the F."),
        ("move x6",),
        say("You may, but then you stay possessed. Cinder’s disk on x6 is within reach."),
    ),
    LessonStep(
        say("You are out and have won"),
        say(
            "Cinder has the devil, you have the F, and with six letters you leave at once. "
            "Cinder is alone and loses. Two things are left to see: a tower and daybreak."
        ),
    ),
    LessonStep(
        say("A tower"),
        say(
            "Two of the cards are towers. Whoever ends a move on one secretly looks at a "
            "card. A possessed player may first put the devil back."
        ),
        say("Move to the tower on t3."),
        ("move t3",),
        say("You may go there, but the tower is beside you: move to t3."),
        scene="tower",
    ),
    LessonStep(
        say("A secret look"),
        say("Nobody else knows what you see now, and you need not reveal it."),
        say("Look at the face-down card on v4."),
        ("peek v4",),
        say("You may look at that one, but here look at the card on v4."),
        "card C0",
    ),
    LessonStep(
        say("Out, but still playing"),
        say(
            "This is another game, with three players: you are out and safe. The strip above "
            "the board counts the cards that are still face down. When all cards are face up, "
            "day breaks, and everybody still in the underworld loses. So in each of your "
            "turns you reveal two cards."
        ),
        say("Reveal the last two cards: begin with v2."),
        ("reveal v2",),
        say("You may, but begin with the card on v2."),
        then="card A3, 0 reveal x5, card E4",
        scene="daybreak",
    ),
    LessonStep(
        say("Day breaks"),
        say(
            "Every card lies face up. Cinder and Ash are left behind, and you have won. Do "
            "not stay too long. Now you can play UNDERWORLD."
        ),
    ),
)

GLANCE = (
    Glance(
        say("The goal"),
        say(
            "Collect the letters A to F of your own colour and leave the underworld. Only the "
            "last player left in it loses."
        ),
        1,
    ),
    Glance(
        say("A turn"),
        say(
            "Move over empty spaces and over face-up letters you have. A letter you lack ends "
            "the move, and if it has your colour it is yours. On a face-down card you stop "
            "and reveal it; if it is a letter you have, you may go on. Instead of moving you "
            "may swap two cards that are face down or your own letters."
        ),
        6,
    ),
    Glance(
        say("Devils and towers"),
        say(
            "Whoever reveals a devil is possessed. A possessed player may cross face-down "
            "cards and disks, and hands over the devil by ending a move on another disk. A "
            "second devil costs you both devils and two letters. At a tower you may put a "
            "devil back and look at one card."
        ),
        9,
    ),
    Glance(
        say("The end"),
        say(
            "With six letters and no devil you leave at once. When only one player is left, "
            "that player loses. When every card is face up, day breaks, and everybody still "
            "there loses. Players who are out reveal two cards in each of their turns."
        ),
        13,
    ),
)

FIGURES = (
    Figure(
        "U5",
        Scene(4, arrange=placed),
        say(
            "The start: the devil’s face with its four pegs in the middle, six ivy spaces, 42 cards "
            "face down, and the players’ disks."
        ),
    ),
    Figure(
        "U10",
        Scene(2, arrange=late),
        say(
            "Yellow, on u3, has A, B and C. The A on u2, the B on v3 and the C on w3 are open, "
            "whatever their colours. On u4 yellow takes the D and stops; on t3 yellow stops and "
            "reveals the card."
        ),
    ),
    Figure(
        "U22",
        Scene(2, arrange=possessed),
        say(
            "Yellow is possessed: face-down cards are open, and so is the disk on x6. If yellow "
            "ends the move there, it gives its devil away and takes its F."
        ),
    ),
)

LESSON = Lesson(("Cinder", "Ash"), SCENES, STEPS, GLANCE, FIGURES)
