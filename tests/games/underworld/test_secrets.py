"""Who may know what: looks, shuffles, and cards whose identity was fixed but is not known.

Every ply of random games is played twice for each viewer: in truth, and on what that viewer saw
before it, where a card that was fixed has no identity and must be drawn. Both must look the same.
"""

from typing import NamedTuple

import pytest

from diablerie.engine import verbs
from diablerie.engine.queries import chance_outcomes, legal_actions, redacted, sees
from diablerie.engine.record import Record, copy, same
from diablerie.engine.replay import narrate
from diablerie.engine.rng import seeded
from diablerie.engine.text import Line
from diablerie.engine.verbs import CHANCE, OVER, WATCHER
from diablerie.games import ALL
from diablerie.games.underworld.rules.state import IVY, SPACES, UNSEEN, Node
from diablerie.games.underworld.ui.view import Card
from diablerie.testing.positions import GameSetting, choose_action
from tests.games.underworld.boards import board, space, told
from tests.scripts import play

GAME = ALL["underworld"]
SETTINGS = [GameSetting("underworld", n) for n in range(2, 7)]
SETTINGS.append(GameSetting("underworld", 4, (("gift", "may"),)))


class Step(NamedTuple):
    """One event with the states around it."""

    before: Record
    seat: int
    action: int
    after: Record


class Ply(NamedTuple):
    """A decision (or the first draw) and the chance outcomes that follow it."""

    before: Record
    steps: list[Step]

    @property
    def after(self) -> Record:
        return self.steps[-1].after

    def told(self, viewer: int) -> list[Line]:
        return [line for step in self.steps for line in narrate(GAME, *step, viewer)]


def step(s: Record, who: int, action: int) -> Step:
    before = copy(s)
    verbs.apply(s, who, action)
    return Step(before, who, action, copy(s))


def plies(setting: GameSetting, seed: int) -> list[Ply]:
    """The plies of a random game."""
    rng, s = seeded(seed), setting.start()
    found = []
    while verbs.actor(s) != OVER:
        before = copy(s)
        steps = [step(s, *choose_action(GAME, s, rng, False))]
        while verbs.actor(s) == CHANCE:
            steps.append(step(s, *choose_action(GAME, s, rng, False)))
        found.append(Ply(before, steps))
    return found


def again(ply: Ply, viewer: int) -> Ply:
    """The same ply on what the viewer saw before it."""
    s = redacted(ply.before, viewer)
    first = ply.steps[0]
    steps = [step(s, first.seat, first.action)]
    while verbs.actor(s) == CHANCE:
        shuffled = s.node == Node.DEAL
        drawn = chance_outcomes(GAME, s)[0][0] if shuffled else int(ply.after.card[s.spot])
        steps.append(step(s, CHANCE, drawn))
    return Ply(redacted(ply.before, viewer), steps)


def fixed_unknown(ply: Ply, viewer: int) -> bool:
    """Whether a card came up that was fixed, and the viewer could not know."""
    turned = int(ply.before.down & ply.after.up)
    hidden = redacted(ply.before, viewer).card
    return any(
        turned >> i & 1 and ply.before.card[i] != UNSEEN and hidden[i] == UNSEEN
        for i in range(SPACES)
    )


@pytest.mark.parametrize("setting", SETTINGS, ids=str)
def test_a_ply_looks_the_same_whether_or_not_cards_were_fixed_before(setting):
    surprises = 0
    for seed in (1, 2):
        for ply in plies(setting, seed):
            if ply.steps[0].seat == CHANCE:
                continue
            for viewer in (WATCHER, *range(setting.seats)):
                twin = again(ply, viewer)
                assert same(redacted(twin.after, viewer), redacted(ply.after, viewer))
                assert twin.told(viewer) == ply.told(viewer)
                surprises += fixed_unknown(ply, viewer)
    assert surprises > 3


@pytest.mark.parametrize("setting", SETTINGS, ids=str)
def test_buttons_and_questions_come_from_what_the_seat_knows(setting):
    ui, looks = GAME.ui, 0
    for ply in plies(setting, 7)[::8]:
        s = ply.before
        seat = verbs.actor(s)
        if seat < 0:
            continue
        seen = redacted(s, seat)
        looks += int(s.known.any())
        actions = legal_actions(GAME, s, seat)
        assert actions == legal_actions(GAME, seen, seat)
        twin = redacted(s, seat)
        verbs.guess(twin, seat, seeded(1))
        for action in actions:
            shown = ui.label(seen, seat, action)
            assert ui.label(redacted(twin, seat), seat, action) == shown
        assert ui.prompt(redacted(twin, seat), seat) == ui.prompt(seen, seat)
        assert ui.look(redacted(twin, seat), seat) == ui.look(seen, seat)
    assert looks or setting.seats == 2


def test_a_look_is_seen_by_all_and_its_outcome_by_one():
    match = board(3, "0 at w1", "tower up at w2")
    s = match.state
    play(match, "0 move w2")
    verbs.apply(s, 0, GAME.notation.parse_action(s, 0, "peek t2"))
    assert [sees(s, CHANCE, viewer) for viewer in (WATCHER, 0, 1, 2)] == [False, True, False, False]


@pytest.mark.parametrize("fixed", [[], ["E4 down at t2"], ["E4 down at t2 seen by 2"]])
def test_a_look_is_told_to_the_others_without_the_card(fixed):
    def log(viewer):
        match = board(3, "0 at w1", "tower up at w2", *fixed)
        draw = "" if fixed else ", card E4"
        return told(match, "0 move w2, 0 peek t2" + draw, viewer)[1:]

    everyone = "player 1 looks at the card at t2."
    assert log(WATCHER) == log(1) == log(2) == [everyone]
    assert log(0) == [everyone, "Only you know: it is a stray E."]


@pytest.mark.parametrize("fixed", [[], ["A1 down at w2"], ["A1 down at w2 seen by 1"]])
def test_a_card_is_turned_in_the_same_words_whether_it_was_fixed_or_not(fixed):
    for viewer in (WATCHER, 0, 1):
        match = board(2, "0 at w1", *fixed)
        draw = "" if fixed else ", card A1"
        assert told(match, "0 move w2" + draw, viewer) == [
            "player 1 goes to w2.",
            "Revealed: player 2’s A.",
        ]


def test_a_shuffle_is_told_without_a_word_on_the_cards():
    match = board(2, "0 possessed", "A1 up at w2", "tower up at w3")
    script = "0 rearrange, 0 take w2, 0 take w3, 0 done, 0 lay w2, 0 lay t4, deal A1, deal tower"
    lines = told(match, script, 0)
    assert lines == ["player 1 shuffles the cards at w2, w3 and places them face down at w2, t4."]


def test_a_view_shows_who_looked_but_not_that_a_card_is_fixed():
    shown = board(2, "devil down at w2 seen by 1", "tower down at w3")
    plain = board(2)
    view = GAME.ui.look(redacted(shown.state, 0), 0)
    other = GAME.ui.look(redacted(plain.state, 0), 0)
    assert view.spaces[space("w2")].seen_by == (1,)
    assert view.spaces[space("w3")] == other.spaces[space("w3")]
    assert view.hidden == other.hidden
    own = GAME.ui.look(redacted(shown.state, 1), 1)
    assert own.spaces[space("w2")].card == Card("devil")
    assert own.hidden["devil"] == 3


def test_a_guess_gives_cards_others_have_looked_at_an_identity_and_no_more():
    match = board(2, "devil down at w2 seen by 1", "tower down at w3")
    seen = redacted(match.state, 0)
    kinds = set()
    for seed in range(200):
        guessed = copy(seen)
        verbs.guess(guessed, 0, seeded(seed))
        kinds.add(int(guessed.card[space("w2")]))
        assert guessed.card[space("w3")] == UNSEEN
    assert len(kinds) > 30
    assert not any((seen.card[i] >= 0) for i in IVY)
