"""All that the house answers on a walk through it is what it was."""

from pathlib import Path

from tests.web.walk import KEPT, walked


def test_what_the_house_answers_on_a_walk_is_what_it_was(tmp_path: Path):
    """If it was meant to change: look at the pages, then `make golden`."""
    walk, kept = walked(), KEPT.read_text("utf-8").splitlines()
    said = tmp_path / "walk.txt"
    said.write_text("\n".join(walk.texts), "utf-8")
    changed = [line for line in walk.lines if line not in kept]
    assert walk.lines == kept, f"{len(changed)} answers differ, see {said}: {changed[:5]}"
