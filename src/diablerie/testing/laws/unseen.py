"""What a seat may know, and what nobody may infer: of what happened unseen no trace is left."""

from collections.abc import Iterator

from diablerie.engine import verbs
from diablerie.engine.queries import guessed, redacted, refusal, sees
from diablerie.engine.record import Record, copy, same
from diablerie.engine.replay import known_event
from diablerie.engine.rng import seeded
from diablerie.engine.verbs import CHANCE, OVER, WATCHER
from diablerie.testing.buffers import checked_chance, checked_legal
from diablerie.testing.positions import (
    GameSetting,
    choose_action,
    decided,
    node_states,
    played_on,
    positions,
    viewed,
    viewers,
    waiting,
)

MOST_HAPPENINGS = 10  # of the things that may happen at a position are tried


def node_events(setting: GameSetting) -> Iterator[tuple[Record, int, list[tuple[int, Record]]]]:
    """Positions of every node: who acts there, and what may happen with what comes of it."""
    for s in node_states(setting):
        seats = waiting(setting, s)
        for who in seats or [CHANCE] * (verbs.actor(s) == CHANCE):
            if who == CHANCE:
                possible = checked_chance(setting.game, s)[0]
            else:
                possible = checked_legal(setting.game, s, who)
            few = possible[:: max(1, len(possible) // MOST_HAPPENINGS)]
            if len(few) > 1:
                yield s, who, [(what, _after(s, who, what)) for what in few]


def _after(s: Record, who: int, what: int) -> Record:
    after: Record = copy(s)
    verbs.apply(after, who, what)
    return after


def _opens(setting: GameSetting, s: Record) -> bool:
    """Whether something shows of this decision, alone or with what others have decided before."""
    return s.node in setting.game.opened and len(waiting(setting, s)) == 1


def _shows(setting: GameSetting, s: Record, viewer: int, where: str) -> str:
    """What is wrong where somebody learns more than `witness` says."""
    node = setting.game.node(s.node).name
    who = "a spectator" if viewer == WATCHER else f"seat {viewer}"
    return (
        f"the {where} shows {who} what happens at {node}, which witness does not say. "
        f"If seats decide there at once, and the last decision opens what all have decided, name "
        f"Node.{node} in Game.opened"
    )


def test_what_a_viewer_has_not_seen_leaves_no_trace(setting: GameSetting) -> None:
    for s, who, happened in node_events(setting):
        for viewer in viewers(setting):
            if not sees(s, who, viewer) and not _opens(setting, s):
                seen = {redacted(after, viewer).tobytes() for _, after in happened}
                assert len(seen) == 1, _shows(setting, s, viewer, "position")


def test_log_and_moments_tell_nothing_of_what_a_viewer_has_not_seen(setting: GameSetting) -> None:
    for s, who, happened in node_events(setting):
        for viewer in viewers(setting):
            if not sees(s, who, viewer) and not _opens(setting, s):
                told = {_told(setting, s, who, what, after, viewer) for what, after in happened}
                assert len(told) == 1, _shows(setting, s, viewer, "log, or a moment,")


def _told(setting: GameSetting, s: Record, who: int, what: int, after: Record, viewer: int) -> str:
    told = known_event(s, who, what, after, viewer)
    game = setting.game
    return "\n".join(map(str, [*game.ui.narrate(*told), *game.moments(*told)]))


def test_a_witness_is_exact(setting: GameSetting) -> None:
    """Of those who see what happens at a position, it makes a difference to all or to none."""
    for s, who, happened in node_events(setting):
        if not _opens(setting, s):
            named = [viewer for viewer in viewers(setting) if sees(s, who, viewer)]
            some = []
            for viewer in named:
                if len({redacted(after, viewer).tobytes() for _, after in happened}) > 1:
                    some.append(viewer)
            told = f"witness names {named}, but only to {some} it makes a difference"
            assert some in ([], named), told


def test_what_others_are_said_to_see_makes_a_difference_to_them(setting: GameSetting) -> None:
    """At every node whose witness names others, some position shows them one."""
    said = set()
    shown = set()
    for s, who, happened in node_events(setting):
        for viewer in range(setting.seats):
            if viewer != who and sees(s, who, viewer) and not _opens(setting, s):
                said.add(s.node)
                if len({redacted(after, viewer).tobytes() for _, after in happened}) > 1:
                    shown.add(s.node)
    assert {setting.game.node(n).name for n in said - shown} == set()


# -- redaction, guesses, and what follows from them --------------------------------------------


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
