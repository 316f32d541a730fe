"""The devil, in every pose and mood, and everything else that is drawn for all games."""

import re
from collections.abc import Iterator
from itertools import product

import pytest

from diablerie.art import devil, marks, pieces, props
from diablerie.art.devil import POSES
from diablerie.art.head import FACES, MOODS
from diablerie.art.svg import svg
from diablerie.engine import verbs
from tests.art.markup import checked, classes
from tests.art.sight import CSS

SEATS = (None, *range(marks.MARKED_SEATS))


@pytest.mark.parametrize(("pose", "seat"), list(product(POSES, SEATS)))
def test_every_pose_is_a_picture(pose, seat):
    root = checked(devil.figure(pose, seat, title="The devil"))
    assert "puppet" in classes(root)
    assert (f"seat-{seat}" in classes(root)) == (seat is not None)


@pytest.mark.parametrize(("mood", "seat"), list(product(FACES, SEATS)))
def test_every_mood_is_a_picture(mood, seat):
    assert "devil-head" in classes(checked(devil.avatar(mood, seat)))


def test_poses_and_moods_all_differ():
    assert len({devil.puppet(pose) for pose in POSES}) == len(POSES)
    assert len({devil.avatar(mood) for mood in FACES}) == len(FACES)
    assert set(MOODS) == set(FACES)
    assert {pose.mood for pose in POSES.values()} <= set(FACES)


def samples() -> Iterator[tuple[str, str]]:
    """One of each piece."""
    for seat in range(marks.MARKED_SEATS):
        yield f"pawn {seat}", pieces.pawn(seat)
        yield f"token {seat}", marks.token(seat)
    for value in pieces.CHIPS:
        yield f"chip {value}", pieces.chip(value)
    for value in (100, 75, 50, 25, 20, 10):
        yield f"coal {value}", pieces.coal_face(value)
    for face in (1, 2, 3, "wing", 6, "<"):
        yield f"die {face}", pieces.die(face)
    yield "devil", pieces.coal_devil()
    yield "chips", pieces.chips(1590)
    yield "flames", props.flames(80, 60)


@pytest.mark.parametrize("drawn", [pytest.param(part, id=name) for name, part in samples()])
def test_every_piece_is_well_formed(drawn):
    checked(svg(100, 100, drawn))


def test_marks_shapes_and_dashes_are_different_ones_for_every_seat():
    assert marks.MARKED_SEATS == verbs.SEATS
    for six in (marks.SHAPES, marks.DASHES):
        assert len(set(six)) == marks.MARKED_SEATS


@pytest.mark.parametrize("amount", range(0, 3000, 130))
def test_change_adds_up_in_few_chips(amount):
    made = pieces.change(amount)
    assert sum(made) == amount
    assert len(made) <= 3 + amount // 1000 + 5
    assert made == sorted(made, reverse=True)


def test_every_class_of_the_figures_has_an_ink():
    sheet = "".join((CSS / f"{name}.css").read_text() for name in ("art", "pieces"))
    known = set(re.findall(r"\.([a-z][\w-]*)", sheet))
    used = set()
    for pose in POSES:
        used |= classes(checked(devil.figure(pose)))
    for _, part in samples():
        used |= classes(checked(svg(9, 9, part)))
    bare = {"puppet", "devil-head", "chip", "disk", "die", "card", "open", "devil"}
    assert {c for c in used if not c.startswith("seat-")} - known <= bare
