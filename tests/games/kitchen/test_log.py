"""The sentences of KITCHEN's duels: who is challenged, who presses how often, who loses what."""

import pytest

from diablerie.engine.match import Match
from diablerie.engine.replay import narrate, number_of
from diablerie.engine.verbs import WATCHER
from tests.games.kitchen.kitchens import does, kitchen
from tests.games.kitchen.test_clauses_duels import BARE, MEET, attack, survivor

NEUTRAL = """
    y1 g1n .  .  .  v123
    .  b   .  .  g  .
    .  .   #  #  .  .
    .  .   #  #  .  .
    .  v   .  .  y  .
    .  g2n .  .  .  b123
"""


def told(match: Match, *script: str) -> list[str]:
    """What the log says of a script, to a watcher."""
    found: list[str] = []
    for text in script:
        before, done = match.state.copy(), len(match.events)
        does(match, text)
        event = match.events[done]
        number = number_of(match.game, before, event)
        lines = narrate(match.game, before, event.seat, number, match.state, WATCHER)
        found += map(str, lines)
    return found


def test_the_challenged_devil_is_named_and_its_player_answers():
    assert told(attack(), "2 refuse") == ["player 3 refuses: the devil goes back to its start."]
    assert told(kitchen(MEET, 3), "go 1 c1 yellow-flame")[-1] == (
        "Devil 1 of player 3 is in the way: fight or refuse?"
    )
    assert told(attack(), "2 fight") == ["player 3 accepts the duel."]


def test_attacker_and_defender_take_turns_at_the_stove_and_press_once_more_each_time():
    match = does(attack(), "2 fight")
    assert told(match, "quiet", "quiet", "quiet") == [
        "player 1 presses once: nothing happens.",
        "player 3 presses 2 times: nothing happens.",
        "player 1 presses 3 times: nothing happens.",
    ]


@pytest.mark.parametrize(
    ("quiet", "winner", "loser"),
    [
        (0, "player 1 presses once", "Devil 1 of player 3 goes to its start without its cap."),
        (1, "player 3 presses 2 times", "Devil 1 of player 1 goes to its start without its cap."),
    ],
)
def test_who_makes_the_oberteufel_jump_wins_and_the_others_devil_loses_its_cap(
    quiet: int, winner: str, loser: str
):
    match = does(attack(), "2 fight", *["quiet"] * quiet)
    who = winner[: len("player 1")]
    assert told(match, "jump") == [
        f"{winner}: the Oberteufel jumps! {who} wins the duel.",
        loser,
    ]


@pytest.mark.parametrize(
    ("quiet", "loser"), [(0, "Devil 1 of player 3"), (1, "Devil 1 of player 1")]
)
def test_a_devil_without_a_cap_is_out_of_the_game(quiet: int, loser: str):
    match = does(attack(3, BARE), "2 fight", *["quiet"] * quiet)
    assert told(match, "jump")[1] == f"{loser} is out of the game."


def test_the_last_devil_stays_in_the_game():
    match = does(kitchen(BARE.replace("b23", "."), 3), "go 1 c1 yellow-flame", "2 fight")
    assert told(match, "jump")[1] == "Devil 1 of player 3 is the last one, so it goes to its start."


def test_the_next_player_presses_for_a_neutral_devil():
    match = kitchen(NEUTRAL, 3)
    assert told(match, "go 1 b1")[-1] == (
        "A neutral devil is in the way: a duel. player 2 presses the button for it."
    )
    assert told(match, "quiet", "quiet") == [
        "player 1 presses once: nothing happens.",
        "player 2 presses 2 times: nothing happens.",
    ]


@pytest.mark.parametrize(
    ("option", "said"),
    [
        ("wins", "Only player 2 has devils left and wins!"),
        ("points", "Only one player has devils left: the most points win."),
        ("plays_on", "Nobody can reach ten any more."),
    ],
)
def test_the_end_says_what_it_is_that_ended_the_game(option: str, said: str) -> None:
    assert said in told(survivor(option), "go 1 e5 yellow-flame")
