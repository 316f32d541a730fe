"""What nobody may infer: whatever happened unseen, all that a viewer gets is the same."""

from collections.abc import Iterator

from diablerie.engine import verbs
from diablerie.engine.queries import redacted, sees
from diablerie.engine.record import Record, copy
from diablerie.engine.replay import as_told
from diablerie.engine.verbs import CHANCE
from diablerie.testing.buffers import checked_chance, checked_legal
from diablerie.testing.positions import GameSetting, node_states, viewers, waiting

MOST = 10  # of the things that may happen at a position are tried


def node_events(setting: GameSetting) -> Iterator[tuple[Record, int, list[tuple[int, Record]]]]:
    """Positions of every node: who acts there, and what may happen with what comes of it."""
    for s in node_states(setting):
        seats = waiting(setting, s)
        for who in seats or [CHANCE] * (verbs.actor(s) == CHANCE):
            if who == CHANCE:
                possible = checked_chance(setting.game, s)[0]
            else:
                possible = checked_legal(setting.game, s, who)
            few = possible[:: max(1, len(possible) // MOST)]
            if len(few) > 1:
                yield s, who, [(what, _after(s, who, what)) for what in few]


def _after(s: Record, who: int, what: int) -> Record:
    after: Record = copy(s)
    verbs.apply(after, who, what)
    return after


def _opens(setting: GameSetting, s: Record) -> bool:
    """Whether something shows of this decision, alone or with what others have decided before."""
    return s.node in setting.game.opened and len(waiting(setting, s)) == 1


def test_what_a_viewer_has_not_seen_leaves_no_trace(setting: GameSetting) -> None:
    for s, who, happened in node_events(setting):
        for viewer in viewers(setting):
            if not sees(s, who, viewer) and not _opens(setting, s):
                assert len({redacted(after, viewer).tobytes() for _, after in happened}) == 1


def test_log_and_moments_tell_nothing_of_what_a_viewer_has_not_seen(setting: GameSetting) -> None:
    for s, who, happened in node_events(setting):
        for viewer in viewers(setting):
            if not sees(s, who, viewer) and not _opens(setting, s):
                told = {_told(setting, s, who, what, after, viewer) for what, after in happened}
                assert len(told) == 1


def _told(setting: GameSetting, s: Record, who: int, what: int, after: Record, viewer: int) -> str:
    told, game = as_told(s, who, what, after, viewer), setting.game
    return "\n".join(map(str, [*game.ui.narrate(*told), *game.moments(*told)]))


def test_a_witness_is_exact(setting: GameSetting) -> None:
    """Of those who see what happens at a position, it makes a difference to all or to none."""
    for s, who, happened in node_events(setting):
        if not _opens(setting, s):
            named = [viewer for viewer in viewers(setting) if sees(s, who, viewer)]
            differs = {
                viewer: len({redacted(after, viewer).tobytes() for _, after in happened}) > 1
                for viewer in named
            }
            some = [viewer for viewer in named if differs[viewer]]
            told = f"witness names {named}, but only to {some} it makes a difference"
            assert some in ([], named), told


def test_what_others_are_said_to_see_makes_a_difference_to_them(setting: GameSetting) -> None:
    """At every node whose witness names others, some position shows them one."""
    said, shown = set(), set()
    for s, who, happened in node_events(setting):
        for viewer in range(setting.seats):
            if viewer != who and sees(s, who, viewer) and not _opens(setting, s):
                said.add(s.node)
                if len({redacted(after, viewer).tobytes() for _, after in happened}) > 1:
                    shown.add(s.node)
    assert {setting.game.node(n).name for n in said - shown} == set()
