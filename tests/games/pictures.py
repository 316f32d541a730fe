"""Pictures of positions, parsed."""

from collections.abc import Iterable

from diablerie.engine import verbs
from diablerie.engine.queries import legal_actions, redacted
from diablerie.engine.text import ENGLISH, render_line
from diablerie.testing.positions import GameSetting, positions
from tests.art.markup import checked


def told(line) -> str:
    return render_line(line, ENGLISH, lambda seat: f"Player <{int(seat)}>")


def drawn(setting: GameSetting, count: int, viewers: Iterable[int]) -> list[tuple]:
    """State, viewer, legal texts and parsed picture, of so many positions and these viewers."""
    found, game = [], setting.game
    for s in positions(setting, count):
        for viewer in viewers:
            texts = moves(game, s, viewer)
            view = game.ui.look(redacted(s, viewer), viewer)
            found.append((s, viewer, texts, checked(game.ui.draw(view, texts, told))))
    return found


def moves(game, s, viewer: int) -> list[str]:
    if viewer < 0 or not verbs.pending(s) >> viewer & 1:
        return []
    actions = legal_actions(game, s, viewer)
    return [game.notation.format_action(s, viewer, action) for action in actions]


def ids(root, prefix: str) -> list[str]:
    return [el.get("id") for el in root.iter() if (el.get("id") or "").startswith(prefix)]
