"""COALS: bet on how much coal the luckiest of you can pull without waking a devil."""

from diablerie.engine.game import Game, Playout
from diablerie.engine.options import BadOption, Option, choice, flag, number
from diablerie.engine.text import say
from diablerie.games.coals import policy, rules, ui
from diablerie.games.coals.rules.state import ACTIONS, GOAL, MARKS, OUTCOMES, Node, State


def parse_track(text: str) -> tuple[int, ...]:
    """The marks after 0-50, as `200,300,…,1600` (C4). Raises BadOption."""
    words = [word.strip() for word in text.split(",")]
    marks = [int(w) if w.isascii() and w.isdigit() and len(w) < 6 else 0 for w in words]
    rising = all(a < b for a, b in zip([50, *marks], marks, strict=False))
    tens = all(m % 10 == 0 for m in marks)
    if not (rising and tens and 200 in marks and marks[-1] == GOAL and len(marks) <= MARKS):
        raise BadOption(
            say(
                "Option track is at most 12 increasing multiples of 10 above 50, "
                "200 among them, the last 1600, not “{text}”.",
                clause="C4",
                text=text[:80],
            )
        )
    return tuple(marks)


OPTIONS = (
    choice(
        "pact",
        say("The pact pays"),
        say("Whether a pact pays for every devil of a round or ends with the first (C15)."),
        [("every_devil", say("for every devil")), ("first_devil", say("for the first devil"))],
    ),
    number(
        "mouth",
        say("Furnace mouth"),
        say("The furnace is filled again when so many pieces or fewer are left (C23)."),
        0,
        47,
        20,
        samples=(0, 47),
    ),
    Option(
        "track",
        say("Track"),
        say("The marks after 0-50, between which the pawns stand (C4)."),
        (200, 300, 500, 800, 1200, 1600),
        parse_track,
        lambda marks: ",".join(str(m) for m in marks),
        samples=((200, 1600), (100, 200, 400, 1600), (*range(60, 160, 10), 200, 1600)),
    ),
    flag(
        "open_purses",
        say("Open purses"),
        say("Everybody's total is shown all the time (C16)."),
    ),
)

GAME = Game(
    name="coals",
    title=say("COALS"),
    tagline=say("Bet on the luckiest hand, then reach into the furnace."),
    clauses="C",
    seats=(2, 3, 4, 5, 6),
    options=OPTIONS,
    state=State,
    node=Node,
    actions=ACTIONS,
    outcomes=OUTCOMES,
    minutes=25,
    rules=rules,
    policy=policy,
    ui=ui,
    forced=frozenset({Node.BET}),
    epsilon=(0.8, 0.3, 0.15),
    playout=Playout(1, frozenset({Node.BET})),
)
