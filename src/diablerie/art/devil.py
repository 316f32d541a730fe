"""The devil: a jointed paper puppet, posed by the angles of its joints.

    figure("think")          a complete <svg>
    figure("grin", seat=2)   the same in the colour of a seat
    avatar("sly", seat=4)    the head alone
    puppet("leap")           the figure as a group, for a larger picture

A new pose is an entry in `poses.POSES`, a new mood one in `head.FACES`.
"""

from functools import cache

from diablerie.art import body
from diablerie.art.head import head
from diablerie.art.poses import POSES, Limb, Pose
from diablerie.art.svg import Svg, group, placed, svg


def figure(pose: str, seat: int | None = None, title: str | None = None) -> Svg:
    """The devil in a pose, 340 by 420; in a seat's colour, if one is given."""
    return svg(
        340, 420, puppet(pose), left=-170, top=-300, class_=_class("devil", seat), title=title
    )


def poster(pose: str) -> Svg:
    """The devil in the pose that a game names; in another than there are he grins."""
    return figure(pose if pose in POSES else "grin")


def avatar(mood: str, seat: int | None = None, title: str | None = None) -> Svg:
    """The head alone, 180 by 200."""
    return svg(180, 200, head(mood), left=-92, top=-154, class_=_class("devil", seat), title=title)


def _class(name: str, seat: int | None) -> str:
    return name if seat is None else f"{name} seat-{seat}"


@cache
def puppet(name: str) -> Svg:
    """The devil in a pose as a group; his hips are at (0, 0), his hooves at about (0, 108)."""
    pose = POSES[name]
    behind = pose.behind and pose.behind()
    before = pose.before and pose.before()
    return group(behind, _trunk(pose), before, class_="puppet")


def _trunk(pose: Pose) -> Svg:
    """The whole puppet, which leans as one."""
    right = _arm(pose.right, 28, _held(pose))
    return placed(
        0,
        pose.drop,
        body.tail(*pose.tail),
        _leg(pose.left_leg, -16, pose.lean),
        _leg(pose.right_leg, 16, pose.lean),
        body.torso(),
        _arm(pose.left, -28),
        None if pose.over else right,
        placed(0, -84, body.ruff()),
        _head(pose),
        right if pose.over else None,
        turn=pose.lean,
    )


def _held(pose: Pose) -> Svg | None:
    """What the devil holds, turned against the angles of its joints so that it stands upright."""
    if pose.held is None:
        return None
    joints = pose.lean + pose.right.root + pose.right.bend + pose.right.tip
    return placed(0, 8, pose.held(), turn=pose.tilt - joints)


def _head(pose: Pose) -> Svg:
    hat = pose.hat() if pose.hat else None
    return placed(0, -100, head(pose.mood), hat, turn=pose.nod)


def _arm(limb: Limb, x: float, held: Svg | None = None) -> Svg:
    return placed(x, -72, body.arm(limb.bend, limb.hand, limb.tip, held), turn=limb.root)


def _leg(limb: Limb, x: float, lean: float) -> Svg:
    return placed(x, 4, body.leg(limb.bend, limb.tip), turn=limb.root - lean)
