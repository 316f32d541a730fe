"""What the log tells of the reader is said to the reader, where it is the last thing that happened."""

import re

import pytest

from diablerie.engine.text import Line, SeatRef, listed, say, says
from diablerie.games import ALL
from diablerie.web.html.second_person import said_to
from diablerie.web.html.speech import Speech
from tests.languages import messages_of
from tests.scripts import opening, play
from tests.web.client import Client
from tests.web.test_latest import latest

NAME = re.compile(r"\{(\w+)\}")
GAMES = [name for name in ALL if hasattr(ALL[name].ui, "SECOND_PERSON")]
NAMES = Speech(names=("Ann", "Bo", "Cy", "Di"))


def heard(game: str, seat: int, line: Line) -> str:
    return NAMES.plain(said_to(seat, line, ALL[game]))


def names(text: str) -> set[str]:
    return set(NAME.findall(text))


@pytest.mark.parametrize("name", GAMES)
def test_the_log_says_what_is_said_to_the_reader_in_another_way(name):
    said = {
        text
        for m in messages_of()
        if m.id
        for text in (m.id if isinstance(m.id, tuple) else (m.id,))
    }
    assert len(GAMES) >= 4
    for text, second in ALL[name].ui.SECOND_PERSON.items():
        assert text in said, f"the log of {name} does not say {text!r}"
        assert second.text in said
        assert names(second.text) | names(second.plural or "") <= names(text) | {"n"}


def test_a_settled_round_of_coals_is_told_to_both():
    match = play(
        opening("coals", 2),
        "first 0, 0 bet 50, 1 bet 120, 0 pull, coal 100, 0 stop, 1 pull, coal 25, 1 stop",
    )
    lines = list(match.steps(0))[-1].lines
    told = [heard("coals", 1, line) for line in lines]
    assert "Bo stops with 25 in 1 piece." in told  # one's own decisions are left to the page
    assert any(text.startswith("You lose ") for text in told)
    assert any(text.startswith("Ann wins ") for text in told)
    assert not any("Bo" in text for text in told if "stops" not in text)


@pytest.mark.parametrize(
    ("game", "line", "to_ann", "to_bo"),
    [
        (
            "underworld",
            say("{who} takes {other}’s devil.", who=0, other=SeatRef(1)),
            "Ann takes Bo’s devil.",
            "Ann takes your devil.",
        ),
        (
            "underworld",
            say("Revealed: {card}.", card=say("{who}’s {letter}", who=1, letter="O")),
            "Revealed: Bo’s O.",
            "Revealed: your O.",
        ),
        (
            "tails",
            says(
                "The tail of {letter} ends at once: {n} point for {side}.",
                "The tail of {letter} ends: {n} points for {side}.",
                3,
                letter="C",
                side=listed([say("{who}", who=1), say("{who}", who=3)]),
            ),
            "The tail of C ends: 3 points for Bo, Di.",
            "The tail of C ends: 3 points for your side.",
        ),
        (
            "tails",
            say("The hexagon is full. The longest tails: {side}.", side=say("{who}", who=1)),
            "The hexagon is full. The longest tails: Bo.",
            "The hexagon is full. Your side has the longest tails.",
        ),
        (
            "kitchen",
            say("{devil} is out of the game.", devil=say("Devil {number} of {who}", number=2, who=1)),
            "Devil 2 of Bo is out of the game.",
            "Your devil 2 is out of the game.",
        ),
    ],
)  # fmt: skip
def test_only_who_is_named_is_spoken_to(game, line, to_ann, to_bo):
    assert heard(game, 0, line) == to_ann
    assert heard(game, 1, line) == to_bo


def test_the_page_speaks_to_who_looks(ann: Client, bo: Client):
    table = ann.open(open="1", names="Ann")
    bo.send(f"{table}/sit", name="Bo")
    people = [ann, bo]
    ann.act(table, "bet 50")
    bo.act(table, "bet 30", seat=1)
    first = seat = ann.data(table)["pending"][0]
    while ann.data(table)["pending"] == [seat]:  # until both have stopped or woken a devil
        people[seat].act(table, "pull", seat=seat)
        if ann.data(table)["pending"] == [seat]:
            people[seat].act(table, "stop", seat=seat)
        seat = 1 - seat
    told = latest(people[first].page(table).text)
    assert re.search(r"You (win|lose|neither)", told)
    assert ["Ann", "Bo"][first] not in told
