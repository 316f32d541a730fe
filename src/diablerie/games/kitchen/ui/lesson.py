"""The lesson of KITCHEN: a pot delivered, a duel, a flight, and the dish that wins."""

from diablerie.engine.lesson import Figure, Glance, Lesson, LessonStep, Scene
from diablerie.engine.text import say
from diablerie.games.kitchen.rules.board import NAMES
from diablerie.games.kitchen.rules.notation import POT_NAMES
from diablerie.games.kitchen.rules.state import DEVILS, SIGNS, Node, State

YELLOW = 0
BLUE = 2
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


def evening(s: State) -> None:
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


def both_exits(s: State) -> None:
    """The same, but two yellow devils stand on the exits of their start, as in example 5."""
    evening(s)
    for devil, place in enumerate(("b1", "a2", "a1")):
        s.devil[YELLOW, devil] = NAMES.index(place)


SCENES = {
    "beginning": Scene(seats=2),
    "evening": Scene(seats=2, arrange=evening, script="roll 1 2"),
}

STEPS = (
    LessonStep(
        say("Ten points win"),
        say(
            "You are yellow. You have four pots, and three devils in the corner a1. Serve ten "
            "points of food on your own grill, across the kitchen at e5, and you win at once."
        ),
        scene="beginning",
    ),
    LessonStep(
        say("What is in the pots"),
        say(
            "At the beginning you secretly assign a card to each of your pots: milk, 1, 3 and "
            "5. Nobody else knows which is which. Milk is worth nothing, and the devil that "
            "serves it is out of the game."
        ),
        say("Assign them in this order: flame milk, eye 1, bone 3, star 5."),
        ("menu 0 1 3 5",),
        say("In a game you may assign them as you like. Here: flame milk, eye 1, bone 3, star 5."),
    ),
    LessonStep(
        say("Carry a pot"),
        say(
            "Some turns later your star pot is on the grill, worth 5 points. You have rolled "
            "1 and 2, so you have three movement points. A devil that leaves a place may take "
            "one pot along at no cost."
        ),
        say("Move devil 1 and the bone pot one step down to e4."),
        ("go 1 e4 yellow-bone",),
        say("You may, but here devil 1 should carry the bone pot to e4."),
        scene="evening",
    ),
    LessonStep(
        say("On to the grill"),
        say(
            "You have two movement points left, and the grill is next to you. No devil enters "
            "it without a pot. On the grill the card is revealed: your bone pot is worth 3."
        ),
        say("Move devil 1 and the bone pot down to your grill at e5."),
        ("go 1 e5 yellow-bone",),
        say("You may, but the bone pot is worth 3: serve it on the grill at e5."),
    ),
    LessonStep(
        say("Start a duel"),
        say(
            "You have eight points! Devil 1 is back in the corner, and you have one movement "
            "point left. One of your first three pots must be another player’s. Cinder’s "
            "devil guards a blue one on c1."
        ),
        say("Attack it: move devil 2 one step right to c1."),
        ("go 2 c1",),
        say("You may, but without one of Cinder’s pots you cannot win. Move devil 2 to c1."),
        "1 fight, quiet, quiet, jump",
    ),
    LessonStep(
        say("Press the red button"),
        say(
            "Cinder fights! You press the stove’s button once, then Cinder twice, then you three "
            "times, until the Oberteufel jumps out: whoever has pressed last wins. When it is your "
            "turn, tap the red button as often as that."
        ),
    ),
    LessonStep(
        say("The stove decides"),
        say(
            "You pressed the stove’s button once, Cinder twice, then you again, and the "
            "Oberteufel jumped out: you have won the duel. Cinder’s devil loses its cap and "
            "goes back to its start. The attacker who wins gets one extra point."
        ),
        say("Carry the blue pot on: move devil 2 one step right to d1."),
        ("go 2 d1 blue-eye",),
        say("You may, but then the blue pot stays behind. Take it along to d1."),
        "roll 1 wing, 1 go 3 f5, roll wing wing",
    ),
    LessonStep(
        say("Two wings: fly!"),
        say(
            "It is your turn again, and the dice show two wings. One devil may fly to any "
            "cooking place where none of your own devils stands, and take one pot along."
        ),
        say("Fly devil 2 with the blue pot to e4, above your grill."),
        ("go 2 e4 blue-eye",),
        say("What a flight! But here devil 2 takes the blue pot to e4."),
        "roll 1 wing, 1 go 3 e6, roll 1 1",
    ),
    LessonStep(
        say("Dinner is served"),
        say(
            "Nobody could stop you. Two of your own pots are on the grill, so you could not "
            "serve a third one of your own. Only Cinder knows what is in the blue one: try "
            "it."
        ),
        say("Move devil 2 and the blue pot down to your grill at e5."),
        ("go 2 e5 blue-eye",),
        say("You may, but you are so close: move devil 2 to e5 with the blue pot."),
    ),
    LessonStep(
        say("You have won"),
        say(
            "It is a 3! You have 11 points, more than ten, so you win. It might have been "
            "milk. Now you can play KITCHEN."
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
            "Roll two dice and divide the movement points among your devils. "
            "A devil that leaves a place may take one pot along, whoever owns it. "
            "If you roll two wings, one devil may fly to any cooking place where you have none."
        ),
        3,
    ),
    Glance(
        say("Duels"),
        say(
            "If you step onto another player’s devil, there is a duel, unless its owner "
            "refuses and the devil goes to its start. You press the stove’s button in turn, "
            "one press more each time; whoever makes the Oberteufel jump wins. The loser’s "
            "devil goes to its start without its cap. Without a cap to lose it is out of the "
            "game, unless it is its owner’s last."
        ),
        6,
    ),
    Glance(
        say("What counts"),
        say(
            "A pot on your grill scores what its card says. At least one of your first three "
            "pots must be another player’s. Milk scores nothing and costs you the devil."
        ),
        9,
    ),
    Glance(
        say("The end"),
        say(
            "Ten points win at once. If only one player has devils left, that player wins. If "
            "nobody can reach ten any more, the player with the most points wins."
        ),
        10,
    ),
)

FIGURES = (
    Figure(
        "K4",
        Scene(4, "0 menu 0 1 3 5, 1 menu 0 1 3 5, 2 menu 0 1 3 5, 3 menu 0 1 3 5"),
        say("Starts in the corners, a grill near each, cooking places, paths, and the stove."),
    ),
    Figure(
        "K15",
        Scene(2, "roll 1 1", arrange=both_exits),
        say(
            "With two movement points yellow’s devil 3 can leave over devil 1 or 2; with one it "
            "cannot."
        ),
    ),
)

LESSON = Lesson(("Cinder",), SCENES, STEPS, GLANCE, FIGURES)
