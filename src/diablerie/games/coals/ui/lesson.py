"""The lesson of COALS: two rounds of a small game, from the first stake to the last settlement."""

from diablerie.engine.lesson import Glance, Lesson, LessonStep, Scene
from diablerie.engine.text import say

ROUND = say("That is allowed, but try it as the lesson says: it shows you something.")

SCENES = {"small game": Scene(seats=3, options={"goal": 500}, script="first 0")}

STEPS = (
    LessonStep(
        say("Money wins"),
        say(
            "Everybody begins with 200, and every pawn stands on 200. In this small game it is "
            "over when somebody owns 500 (usually 1600): the richest wins."
        ),
        scene="small game",
    ),
    LessonStep(
        say("First you bet"),
        say(
            "In a moment everybody reaches into the furnace. Stake, in secret, how much coal the "
            "luckiest of you will bring out. Too much is lost, a modest stake pays."
        ),
        say("Stake 50."),
        ("bet 50",),
        say("You may stake that, but 50 is wiser here: set 50 and stake it."),
        "1 bet 40, 2 bet 80",
    ),
    LessonStep(
        say("Now reach in"),
        say(
            "The fists are open: everybody sees the stakes. It is your turn at the furnace. Nine "
            "of the 48 pieces are devils. The first piece you must turn; what comes is luck."
        ),
        say("Pull a piece."),
        ("pull",),
        ROUND,
        "coal 25",
    ),
    LessonStep(
        say("On, or stop?"),
        say(
            "25: a good beginning, but less than the 50 you have staked. A devil would burn your "
            "fingers and cost you the coal in hand."
        ),
        say("Dare it: pull once more."),
        ("pull",),
        say("You may stop with 25, but then your 50 hangs on what the others bring out. Pull."),
        "coal 50",
    ),
    LessonStep(
        say("Enough is enough"),
        say("75 in your hands, more than your stake. One devil, and all of it would be gone."),
        say("Stop, and keep the 75."),
        ("stop",),
        say("Bold! But 75 is plenty, and a devil would take it. Stop."),
        "1 pull, coal 10, 1 pull, coal devil, 2 pull, coal 20, 2 stop",
    ),
    LessonStep(
        say("The bets are settled"),
        say(
            "Nobody brought out more than your 75. Stakes up to 75 are paid back with as much "
            "again, burnt fingers or not; the 80 was too bold and is lost. And you get 50 for the "
            "most coal and 50 for the most pieces: you own 350."
        ),
    ),
    LessonStep(
        say("A pact for the last"),
        say(
            "Soot is alone in last place and therefore has a pact with the devil: in this round "
            "every devil that somebody else turns up pays Soot 50. A new round, new stakes: if "
            "the highest stake of all wins, it is paid twice over."
        ),
        say("Be the boldest: stake 100."),
        ("bet 100",),
        say("You may, but only the highest stake can be paid twice. Stake 100."),
        "1 bet 60, 2 bet 70, 1 pull, coal 50, 1 pull, coal devil, "
        "2 pull, coal 10, 2 pull, coal 75, 2 stop",
    ),
    LessonStep(
        say("Your turn comes last"),
        say(
            "Cinder has woken a devil and paid Soot 50. Soot stopped with 85. That does not reach "
            "your 100: now it depends on you."
        ),
        say("Pull a piece."),
        ("pull",),
        ROUND,
        "coal 20",
    ),
    LessonStep(
        say("All or nothing"),
        say("20 is not enough: with 85 as the best, your stake of 100 would be lost."),
        say("Pull again."),
        ("pull",),
        say("You may stop, but then the best coal is 85 and your 100 is lost. Pull again."),
        "coal 100",
    ),
    LessonStep(
        say("A hundred!"),
        say("120 in your hands. The best hand now reaches your stake, the highest of all."),
        say("Stop."),
        ("stop",),
        say("One should stop when it is best. Stop."),
    ),
    LessonStep(
        say("You have won"),
        say(
            "Your 100 was the highest stake and it won: twice 100, and the bonuses. You are past "
            "500, the game ends, and you are the richest. You know all of COALS now."
        ),
    ),
)

GLANCE = (
    Glance(
        say("The goal"),
        say(
            "Own the most money. Whoever reaches 1600 ends the game; the pawns on the arch show "
            "about how rich everybody is."
        ),
        1,
    ),
    Glance(
        say("A turn"),
        say(
            "First all stake in secret how much coal the luckiest will bring out. Then, one after "
            "the other, you turn pieces until you stop; a devil burns your fingers, and the coal "
            "of your turn is gone."
        ),
        4,
    ),
    Glance(
        say("The pay"),
        say(
            "A stake not above the best hand comes back with as much again; if the highest stake "
            "wins, it pays twice. A stake above is lost. The most coal and the most pieces bring "
            "50 each. Whoever is alone in last place gets 50 for every devil of the others in the "
            "next round."
        ),
        6,
    ),
    Glance(
        say("The end"),
        say("When a round is settled and somebody has 1600, the richest wins."),
        11,
    ),
)

LESSON = Lesson(("Cinder", "Soot"), SCENES, STEPS, GLANCE)
