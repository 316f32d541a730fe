"""What is told of positions, as text: sketch, prompt, panel, actions and refusals for each viewer."""

from collections.abc import Iterator

from diablerie.engine import lesson, verbs
from diablerie.engine.fair import DiceStream
from diablerie.engine.game import Game
from diablerie.engine.match import Match
from diablerie.engine.queries import legal_actions, refusal
from diablerie.engine.record import Record
from diablerie.engine.verbs import WATCHER

LOOKS = 4  # at a game, from its beginning to its end
ACTIONS = 8  # of one seat's, spread evenly


def of_match(match: Match) -> str:
    """What is told of some plies of a match."""
    plies = [round(match.ply * look / (LOOKS - 1)) for look in range(LOOKS)]
    return "\n".join("\n".join(of_position(match.at(ply), f"ply {ply}")) + "\n" for ply in plies)


def of_lesson(game: Game) -> str:
    """The same of every scene, once its script is played."""
    told = list[str]()
    for name, scene in sorted(game.lesson.scenes.items()) if game.lesson else ():
        match = Match.opening(
            game, seats=scene.seats, fair=DiceStream.seeded(0), options=scene.options
        )
        if scene.arrange:
            scene.arrange(match.state)
        for event in lesson.script_events(scene.script):
            match.apply(event)
        told.append("\n".join(of_position(match, name)) + "\n")
    return "\n".join(told)


def of_position(match: Match, where: str) -> Iterator[str]:
    """The lines of one position. What a seat reads as the watcher does is not printed again."""
    common = set[str]()
    for viewer in (WATCHER, *range(match.seats)):
        lines = list(of_viewer(match, viewer))
        yield f"{where}, {'watcher' if viewer == WATCHER else f'seat {viewer}'}"
        yield from (f"  {line}" for line in lines if line not in common)
        common = common or set(lines)


def of_viewer(match: Match, viewer: int) -> Iterator[str]:
    game, ui, s = match.game, match.game.ui, match.state
    seen, view = match.seen_by(viewer), match.view(viewer)
    yield from ui.sketch(view).rstrip().splitlines()
    yield f"prompt: {ui.prompt(seen, viewer)}"
    for seat in range(match.seats):
        yield f"panel {seat}: {' | '.join(str(line) for line in ui.panel(view, seat))}"
    if viewer < 0 or not verbs.pending(s) >> viewer & 1:
        return
    actions = legal_actions(game, seen, viewer)
    yield f"{len(actions)} actions, amount: {game.amount(seen, viewer)}"
    for action in actions[:: -(-len(actions) // ACTIONS)]:
        told = f"{game.notation.format_action(seen, viewer, action)}: "
        told += str(ui.label(seen, viewer, action))
        reason = game.reason(seen, viewer, action)
        yield f"{told} ({reason})" if reason else told
    yield from refused(game, s, viewer)


def refused(game: Game, s: Record, seat: int) -> Iterator[str]:
    """The sentence for each clause that forbids something here."""
    met: dict[int, int] = {}
    for action in range(game.actions):
        if code := verbs.forbids(s, seat, action):
            met.setdefault(code, action)
    for code, action in sorted(met.items()):
        yield f"refused: {refusal(game, code, s, action, 'this').line}"
