"""What people see of a golden game, as digests: `python tools/seen.py` writes those of all games.

A digest says that a view, a picture or a sentence is no longer what it was, not what is wrong with
it. When a change was meant, look at the pages and write the digests anew.
"""

import hashlib
from collections.abc import Iterator
from pathlib import Path

import diablerie
from diablerie.engine import lesson, verbs
from diablerie.engine.fair import DiceStream
from diablerie.engine.game import Game
from diablerie.engine.match import Match
from diablerie.engine.queries import legal_actions, refusal
from diablerie.engine.record import Record
from diablerie.engine.verbs import WATCHER

GAMES = Path(__file__).parent.parent / "tests" / "games"
LOOKS = 12  # at a game, and at its end


def main() -> None:
    """Write tests/games/GAME/golden/GAME-SEATS.seen, and lesson.seen beside them."""
    for file in sorted(GAMES.glob("*/golden/*.jsonl")):
        file.with_suffix(".seen").write_text("\n".join(of_match(diablerie.load(file))) + "\n")
    for game in diablerie.GAMES.values():
        if (folder := GAMES / game.name / "golden").is_dir():
            (folder / "lesson.seen").write_text("\n".join(of_lesson(game)) + "\n")


def of_match(match: Match) -> Iterator[str]:
    """A line for everything that somebody sees at some plies: which, who, what, and its digest."""
    for ply in sorted({*range(0, match.ply, max(1, match.ply // LOOKS)), match.ply}):
        yield from of_position(match.at(ply), str(ply))


def of_lesson(game: Game) -> Iterator[str]:
    """The same of every scene, once its script is played."""
    for name, scene in sorted(game.lesson.scenes.items()) if game.lesson else ():
        match = Match.opening(
            game, seats=scene.seats, fair=DiceStream.seeded(0), options=scene.options
        )
        if scene.arrange:
            scene.arrange(match.state)
        for event in lesson.script_events(scene.script):
            match.apply(event)
        yield from of_position(match, name)


def of_position(match: Match, where: str) -> Iterator[str]:
    """The same of one position."""
    game, ui, s = match.game, match.game.ui, match.state
    for viewer in (WATCHER, *range(match.seats)):
        seen, view = match.seen_by(viewer), match.view(viewer)
        mine = viewer >= 0 and verbs.pending(s) >> viewer & 1
        actions = legal_actions(game, seen, viewer) if mine else []
        moves = [game.notation.format_action(seen, viewer, action) for action in actions]
        beside = [[str(line) for line in ui.panel(view, seat)] for seat in range(match.seats)]
        texts = {
            "view": repr(view),
            "picture": ui.draw(view, moves, str),
            "sketch": ui.sketch(view),
            "words": f"{ui.prompt(seen, viewer)} {beside}",
        }
        if mine:
            labels = [str(ui.label(seen, viewer, action)) for action in actions]
            why = [str(game.reason(seen, viewer, action)) for action in actions]
            texts["actions"] = f"{labels} {why} {game.amount(seen, viewer)}"
            texts["refusals"] = " ".join(_refused(game, s, viewer))
        for what, text in texts.items():
            name = "watcher" if viewer == WATCHER else viewer
            yield f"{where} {name} {what} {hashlib.sha256(text.encode()).hexdigest()[:12]}"


def _refused(game: Game, s: Record, seat: int) -> Iterator[str]:
    """The sentence for each clause that forbids something here."""
    met: dict[int, int] = {}
    for action in range(game.actions):
        if code := verbs.forbids(s, seat, action):
            met.setdefault(code, action)
    for code, action in sorted(met.items()):
        yield str(refusal(game, code, s, action, "this").line)


if __name__ == "__main__":
    main()
