"""The podium: at the end of a game every devil stands on a step as high as his place."""

from collections.abc import Sequence
from typing import NamedTuple

from diablerie.art.cut import cut
from diablerie.art.devil import puppet
from diablerie.art.svg import Svg, at, group, path, placed, shortened, svg, svg_text

STAGE_WIDTH = 600
PICTURE_HEIGHT = 460
FLOOR = 400
STEP_HEIGHTS = (150, 106, 78, 58, 44, 32)  # how high the step of each place is
POSES_BY_PLACE = ("triumph", "sneak", "sulk", "think", "sulk", "sulk")  # of each place but the last
ENTRANCE_GAP = 380  # milliseconds from one who steps up to the next; the first comes last
PENNANTS = 13


class Stand(NamedTuple):
    """Who stands on the podium: the `place` from 1, alike for those who tie, and the score."""

    seat: int
    name: str
    place: int
    score: str


def podium(stands: Sequence[Stand], heard: str = "", title: str | None = None) -> Svg:
    """The podium as an `<svg>`, the first in the middle; if all share a place, nobody has won.

    heard: the sound of `static/sounds.js` with which the first steps up.
    """
    ranked = sorted(stands, key=lambda player: player.place)
    last = ranked[-1].place
    wide = min(168.0, (STAGE_WIDTH - 12) / len(ranked))
    placed = []
    for column, player in enumerate(ranked[1::2][::-1] + ranked[::2]):  # … 4 2 1 3 5 …
        late = len(ranked) - 1 - ranked.index(player)
        pose = POSES_BY_PLACE[player.place - 1]
        if last == 1:
            pose = "think"
        elif player.place == last > 2:
            pose = "burnt"
        entrance = {
            "data_enter": "fly",
            "data_delay": ENTRANCE_GAP * late,
            "data_heard": heard if late == len(ranked) - 1 else "tile",
        }
        x = STAGE_WIDTH / 2 + wide * (column - (len(ranked) - 1) / 2)
        stand = _stand(player, pose, wide)
        placed.append(group(stand, transform=at(x, FLOOR), id=f"podium-{player.seat}", **entrance))
    floor = path(f"M6 {FLOOR}H{STAGE_WIDTH - 6}", "ink-bold")
    return svg(
        STAGE_WIDTH,
        PICTURE_HEIGHT,
        _pennants([player.seat for player in ranked]),
        *placed,
        floor,
        class_="podium",
        title=title,
    )


def _stand(player: Stand, pose: str, wide: float) -> Svg:
    """A devil on his step, which stands on (0, 0); his name and score below."""
    high = STEP_HEIGHTS[player.place - 1]
    half = wide / 2 - 3
    letters = int(wide / 12)
    size = min(0.5, wide / 270) * (1 if player.place == 1 else 0.86)
    name = shortened(player.name, letters)
    if "…" in name:  # of "Devil Flint" the last word
        name = shortened(player.name.rpartition(" ")[2], letters)
    score_size = min(20, 1.3 * wide / max(1, len(player.score)))  # of capitals, too
    return group(
        cut(f"M{-half} 0L{-half} {-high}L{half} {-high}L{half} 0Z", "seat-fill"),
        group(
            puppet(pose),
            class_=f"devil seat-{player.seat}",
            transform=at(0, -high - 110 * size, 0, size),
        ),
        svg_text(0, 12 - high / 2, player.place, "seat-text", min(64, high - 4)),
        svg_text(0, 26, name, font_size=20),
        svg_text(0, 50, player.score, font_size=round(score_size, 1)),
        class_=f"seat-{player.seat}",
    )


def _pennants(seats: Sequence[int]) -> Svg:
    """A string of pennants in the players' colours."""
    flags = []
    for k in range(PENNANTS):
        x = (k + 0.5) * STAGE_WIDTH / PENNANTS
        y = 6 + 34 * (1 - (2 * x / STAGE_WIDTH - 1) ** 2)
        flag = cut("M-17 0L17 0L0 36Z", "seat-fill")
        flags.append(placed(x, y, flag, class_=f"seat-{seats[k % len(seats)]}"))
    return group(
        path(f"M0 6Q{STAGE_WIDTH / 2} 76 {STAGE_WIDTH} 6", "ink-line", fill="none"), *flags
    )
