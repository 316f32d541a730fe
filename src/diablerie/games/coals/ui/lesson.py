"""The lesson of COALS: two rounds of a small game, from the first stake to the last settlement."""

from diablerie.engine.lesson import Figure, Glance, Lesson, LessonStep, Scene
from diablerie.engine.text import say

ROUND = say("That is allowed, but follow the lesson here: it wants to show you something.")

SCENES = {"small game": Scene(seats=3, options={"goal": 500}, script="first 0")}

STEPS = (
    LessonStep(
        say("The richest player wins"),
        say(
            "Everybody begins with 200, and every pawn stands on 200. This short game ends "
            "when somebody owns 500 (usually 1600). The richest player wins."
        ),
        scene="small game",
    ),
    LessonStep(
        say("First you bet"),
        say(
            "In a moment everybody reaches into the furnace. Secretly stake how much coal you "
            "think the best haul will be worth. A stake higher than that is lost; any "
            "other stake pays."
        ),
        say("Stake 50."),
        ("bet 50",),
        say("You may stake that, but 50 is wiser here. Set 50 and stake it."),
        "1 bet 40, 2 bet 80",
    ),
    LessonStep(
        say("Now reach into the furnace"),
        say(
            "The fists are open, and everybody sees the stakes. It is your turn at the "
            "furnace. Nine of the 48 pieces are devils. You must pull one piece; what comes "
            "is luck."
        ),
        say("Pull a piece."),
        ("pull",),
        ROUND,
        "coal 25",
    ),
    LessonStep(
        say("Pull again, or stop?"),
        say(
            "25 is a good beginning, but less than the 50 you staked. A devil would burn your "
            "fingers and cost you the coal you have pulled."
        ),
        say("Risk it: pull again."),
        ("pull",),
        say("You may stop with 25, but then your 50 depends on what the others pull. Pull again."),
        "coal 50",
    ),
    LessonStep(
        say("Enough is enough"),
        say("You have pulled 75, more than your stake. One devil, and all of it would be gone."),
        say("Stop, and keep the 75."),
        ("stop",),
        say("That is bold! But 75 is plenty, and a devil would take it. Stop."),
        "1 pull, coal 10, 1 pull, coal devil, 2 pull, coal 20, 2 stop",
    ),
    LessonStep(
        say("The bets are settled"),
        say(
            "Nobody pulled more than your 75. Stakes up to 75 pay even money, burnt fingers "
            "or not; the stake of 80 was too high and is lost. You also get 50 for the most "
            "coal and 50 for the most pieces, so you own 350."
        ),
    ),
    LessonStep(
        say("A pact for the player in last place"),
        say(
            "Soot is alone in last place and therefore has a pact with the devil: in this "
            "round every devil that somebody else pulls pays Soot 50. In the new round there "
            "are new stakes. If the highest stake wins, it pays double."
        ),
        say("Be the boldest player: stake 100."),
        ("bet 100",),
        say("You may, but only the highest stake can pay double. Stake 100."),
        "1 bet 60, 2 bet 70, 1 pull, coal 50, 1 pull, coal devil, "
        "2 pull, coal 10, 2 pull, coal 75, 2 stop",
    ),
    LessonStep(
        say("Your turn is the last"),
        say(
            "Cinder has woken a devil and paid Soot 50. Soot stopped with 85. That is less "
            "than your 100, so now it depends on you."
        ),
        say("Pull a piece."),
        ("pull",),
        ROUND,
        "coal 20",
    ),
    LessonStep(
        say("All or nothing"),
        say("20 is not enough. The best haul so far is 85, so your stake of 100 would be lost."),
        say("Pull again."),
        ("pull",),
        say("You may stop, but then the best haul is 85 and your 100 is lost. Pull again."),
        "coal 100",
    ),
    LessonStep(
        say("A hundred!"),
        say("You have pulled 120. The best haul now reaches your stake, the highest of all."),
        say("Stop."),
        ("stop",),
        say("Quit while you are ahead. Stop."),
    ),
    LessonStep(
        say("You have won"),
        say(
            "Your 100 was the highest stake and it won, so it pays twice 100, and you get "
            "both bonuses. You have more than 500: the game ends, and you are the richest. "
            "Now you can play COALS."
        ),
    ),
)

GLANCE = (
    Glance(
        say("The goal"),
        say(
            "Own the most money. Whoever reaches the goal, the flag on the arch, ends the game; "
            "the pawns show roughly how much everybody has."
        ),
        1,
    ),
    Glance(
        say("A turn"),
        say(
            "First everybody secretly stakes how much coal the best haul will be worth. "
            "Then you take turns to pull pieces until you stop. A devil burns your fingers, "
            "and you lose the coal of your turn."
        ),
        4,
    ),
    Glance(
        say("Payment"),
        say(
            "A stake no higher than the best haul pays even money; the highest stake pays "
            "double if it wins. A higher stake is lost. The most coal and the most pieces pay "
            "50 each. A player who is alone in last place gets 50 in the next round for every "
            "devil the others pull."
        ),
        6,
    ),
    Glance(
        say("The end"),
        say("If somebody has 1600 after a round is settled, the richest player wins."),
        11,
    ),
)

# The round of the rules' first example
PULLED = """
    first 0, 0 bet 100, 1 bet 120, 2 bet 140, 3 bet 60,
    0 pull, coal 50, 0 pull, coal 20, 0 pull, coal 20, 0 pull, coal devil,
    1 pull, coal 100, 1 pull, coal 25, 1 pull, coal 10, 1 stop,
    2 pull, coal devil,
    3 pull, coal 20, 3 pull, coal 10, 3 pull, coal 10, 3 pull, coal 10
"""

FIGURES = (
    Figure(
        "C4",
        Scene(4, f"{PULLED}, 3 stop"),
        say(
            "After example 1: one pawn on 300, for exactly 300; two on the grey space after it, "
            "for 310 and 370; and one between 0–50 and 200, for 60."
        ),
    ),
    Figure(
        "C10",
        Scene(4, PULLED),
        say(
            "Two players have been burnt by devils, and one has stopped at 135 in three pieces. "
            "The last one has four pieces, worth 50, and stops or pulls again."
        ),
    ),
)

LESSON = Lesson(("Cinder", "Soot"), SCENES, STEPS, GLANCE, FIGURES)
