"""What a seat may know: redaction, guesses, and what follows from them."""

from diablerie.engine import verbs
from diablerie.engine.queries import guessed, redacted, refusal
from diablerie.engine.record import same
from diablerie.engine.rng import seeded
from diablerie.engine.verbs import OVER
from diablerie.testing.buffers import checked_legal
from diablerie.testing.positions import (
    GameSetting,
    choose_action,
    decided,
    node_states,
    played_on,
    positions,
    viewed,
    waiting,
)


def test_redaction_twice_is_redaction_once(setting: GameSetting) -> None:
    for s, viewer, seen in viewed(setting):  # noqa: B007 (s is told where it fails)
        assert same(redacted(seen, viewer), seen)


def test_a_guess_looks_the_same_as_what_it_was_guessed_from(setting: GameSetting) -> None:
    rng = seeded(5)
    for s, viewer, seen in viewed(setting):
        assert same(redacted(guessed(s, viewer, rng), viewer), seen)


def test_what_a_seat_may_do_depends_only_on_what_it_may_know(setting: GameSetting) -> None:
    for s in (*positions(setting), *node_states(setting)):
        for seat in waiting(setting, s):
            seen = redacted(s, seat)
            assert verbs.pending(seen) == verbs.pending(s)
            assert checked_legal(setting.game, seen, seat) == checked_legal(setting.game, s, seat)


def test_a_guessed_position_can_be_played_to_its_end(setting: GameSetting) -> None:
    rng = seeded(9)
    for s, seat in decided(setting, 4):
        whole = guessed(s, seat, rng)
        for _ in played_on(whole, lambda s: choose_action(setting.game, s, rng, False), 20_000):
            pass
        assert verbs.actor(whole) == OVER


def test_a_refusal_says_only_what_the_seat_may_know(setting: GameSetting) -> None:
    for s, seat in decided(setting, 5):
        seen = redacted(s, seat)
        for action in range(setting.game.actions):
            if code := verbs.forbids(s, seat, action):
                said = [refusal(setting.game, code, at, action, "") for at in (s, seen)]
                assert str(said[0]) == str(said[1])
                assert verbs.forbids(seen, seat, action) == code
