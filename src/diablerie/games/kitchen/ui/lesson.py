"""The lesson of KITCHEN: a pot delivered, a duel, a flight, and the dish that wins."""

from diablerie.engine.lesson import Glance, Lesson, LessonStep, Scene
from diablerie.engine.record import Record
from diablerie.engine.text import say
from diablerie.games.kitchen.rules.board import NAMES
from diablerie.games.kitchen.rules.notation import POT_NAMES
from diablerie.games.kitchen.rules.state import DEVILS, SIGNS, Node

YELLOW, BLUE = 0, 2
CARDS = {YELLOW: (0, 1, 3, 5), BLUE: (1, 3, 0, 5)}
DEVILS_AT = {YELLOW: ("e3", "b1", "a1"), BLUE: ("c1", "f6", "e6")}
POTS_AT = {
    "yellow-flame": "a4",
    "yellow-eye": "e4",
    "yellow-bone": "e3",
    "yellow-star": "e5",
    "blue-flame": "c5",
    "blue-eye": "c1",
    "blue-bone": "f3",
    "blue-star": "d6",
}
SERVED = 5  # the star's card, on yellow's grill already


def evening(s: Record) -> None:
    """Some turns have been played: yellow, the learner, has five points and is to roll."""
    for colour, cards in CARDS.items():
        for sign, value in enumerate(cards):
            s.card[SIGNS * colour + sign] = value
        for devil in range(DEVILS):
            s.devil[colour, devil] = NAMES.index(DEVILS_AT[colour][devil])
    for pot, place in POTS_AT.items():
        s.pot[POT_NAMES.index(pot)] = NAMES.index(place)
    s.score[YELLOW] = SERVED
    s.node = Node.ROLL


SCENES = {
    "beginning": Scene(seats=2),
    "evening": Scene(seats=2, arrange=evening, script="roll 1 2"),
}

STEPS = (
    LessonStep(
        say("Ten points win"),
        say(
            "You are yellow, with three devils in the corner a1 and four pots. Ten points of food "
            "on your own grill, across the kitchen at e5, and you win at once."
        ),
        scene="beginning",
    ),
    LessonStep(
        say("What is in the pots"),
        say(
            "At the beginning you secretly assign a card to each of your pots: milk, 1, 3 and 5. "
            "Nobody else knows which. Milk is worth nothing, and the devil that brings it is out."
        ),
        say("Put them in this order: flame milk, eye 1, bone 3, star 5."),
        ("menu 0 1 3 5",),
        say("Any way will do in a game. Here: flame milk, eye 1, bone 3, star 5."),
    ),
    LessonStep(
        say("Carry a pot"),
        say(
            "Some turns later: your star is on the grill, 5 points. You have rolled 1 and 2: three "
            "steps. A devil that leaves a place can take one pot along, for nothing."
        ),
        say("Devil 1 and the bone pot, one step down to e4."),
        ("go 1 e4 yellow-bone",),
        say("You may, but here devil 1 carries the pot with the bone to e4."),
        scene="evening",
    ),
    LessonStep(
        say("On to the grill"),
        say(
            "You have two steps left, and the grill is next to you. Nobody enters it without "
            "a pot. On the grill the card is turned up: your bone is worth 3."
        ),
        say("Devil 1 and the bone pot down to your grill, e5."),
        ("go 1 e5 yellow-bone",),
        say("You may, but the bone is worth 3: serve it on the grill at e5."),
    ),
    LessonStep(
        say("Pick a quarrel"),
        say(
            "Eight points! Devil 1 is back in the corner, and one step is left. Of your first "
            "three pots one must be somebody else’s. Cinder’s devil guards a blue one on c1."
        ),
        say("Attack it: devil 2, one step right to c1."),
        ("go 2 c1",),
        say("You may, but without a pot of Cinder’s you cannot win. Devil 2 to c1."),
        "1 fight, quiet, quiet, jump",
    ),
    LessonStep(
        say("The stove decides"),
        say(
            "You pressed the stove’s button once, Cinder twice, then you again, and out jumped "
            "the Oberteufel: you have won the duel. Cinder’s devil loses its cap and goes home. "
            "The winner gets one extra step."
        ),
        say("Carry the blue pot on: devil 2, one step right to d1."),
        ("go 2 d1 blue-eye",),
        say("You may, but then the blue pot stays behind. Take it along to d1."),
        "roll 1 wing, 1 go 3 f5, roll wing wing",
    ),
    LessonStep(
        say("Two wings: fly!"),
        say(
            "Your turn again, and the dice show two wings. One devil may fly to any cooking place "
            "where none of your own devils stands, and take one pot along."
        ),
        say("Fly devil 2 with the blue pot to e4, above your grill."),
        ("go 2 e4 blue-eye",),
        say("What a flight! But here devil 2 takes the blue pot to e4."),
        "roll 1 wing, 1 go 3 e6, roll 1 1",
    ),
    LessonStep(
        say("Dinner is served"),
        say(
            "Nobody could stop you. Two pots of your own are on the grill, so a third one would be "
            "refused: try it. What is in the blue one, only Cinder knows."
        ),
        say("Devil 2 and the blue pot down to your grill, e5."),
        ("go 2 e5 blue-eye",),
        say("You may, but you are so near: devil 2 to e5, with the blue pot."),
    ),
    LessonStep(
        say("You have won"),
        say(
            "A 3! With 11 points you are past ten, and the kitchen is yours. It might have been "
            "milk. You know KITCHEN now."
        ),
    ),
)

GLANCE = (
    Glance(
        say("The goal"),
        say(
            "Bring pots to your own grill, across the kitchen. Each pot has a secret card: milk, "
            "1, 3 or 5. Ten points win at once."
        ),
        1,
    ),
    Glance(
        say("A turn"),
        say(
            "Roll two dice and share the steps among your devils. Whoever leaves a place can take "
            "one pot along, whosever it is. Two wings: one devil flies to any cooking place where "
            "you have none."
        ),
        3,
    ),
    Glance(
        say("Duels"),
        say(
            "Step onto another player’s devil and there is a duel, unless it refuses and goes "
            "home. You press the stove in turn, one press more each time; whoever makes the "
            "Oberteufel jump wins. The loser goes home without its cap. Without a cap to lose it "
            "is out, unless it is its owner’s last."
        ),
        6,
    ),
    Glance(
        say("What counts"),
        say(
            "A pot on your grill counts what its card says. Of your first three pots at least one "
            "must be another player’s. Milk counts nothing and costs you the devil."
        ),
        8,
    ),
    Glance(
        say("The end"),
        say(
            "Ten points win at once. If only one player has devils left, that player wins; if "
            "nobody can reach ten any more, the most points do."
        ),
        9,
    ),
)

LESSON = Lesson(("Cinder",), SCENES, STEPS, GLANCE)
