"""The pictures of a simulation's report: what is drawn of each setting, and what stands out."""

import msgspec
import numpy as np
import pytest

from diablerie.lab.intervals import Estimate
from diablerie.lab.simulate import Summary, figures, simulate
from diablerie.lab.simulate.figures import Row
from diablerie.lab.simulate.page import page
from diablerie.lab.simulate.summary import spread
from diablerie.lab.simulate.table import notes

ASIDE, FAIR = Estimate(0.7, 0.6, 0.8), Estimate(0.5, 0.4, 0.6)
replace = msgspec.structs.replace


@pytest.fixture(scope="module")
def found() -> Summary:
    return simulate("coals", players="sensible,random", games=4, options={"goal": "400"}, workers=1)


def drawn(found: Summary, monkeypatch: pytest.MonkeyPatch) -> dict[str, figures.Rows]:
    """The rows of dots by the name of their picture; nothing else is drawn."""
    rows: dict[str, figures.Rows] = {}
    for kind in ("ridges", "bars"):
        monkeypatch.setattr(figures, kind, lambda *_: "")
    monkeypatch.setattr(figures, "dots", lambda told, *_: rows.setdefault(_[-1], told) and "")
    assert page(found, "diablerie simulate")
    return rows


@pytest.mark.parametrize(("luck", "full"), [(0.5, False), (0.001, True)])
def test_a_full_dot_is_a_place_that_differs_where_places_are_unequal_at_all(
    found: Summary, luck: float, full: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    (group,) = found.settings
    places = [
        replace(one, share=share) for one, share in zip(group.places, (ASIDE, FAIR), strict=True)
    ]
    group = replace(group, places=places, luck=luck)
    ((_, rows),) = drawn(replace(found, settings=[group]), monkeypatch)["places"]
    assert [(row.value, row.even, row.differs) for row in rows] == [
        (ASIDE, 0.5, full), (FAIR, 0.5, False)
    ]  # fmt: skip


def test_a_full_dot_is_a_player_that_differs(
    found: Summary, monkeypatch: pytest.MonkeyPatch
) -> None:
    (group,) = found.settings
    who = [replace(one, share=share) for one, share in zip(group.who, (ASIDE, FAIR), strict=True)]
    group = replace(group, who=who, luck=0.5)
    ((_, rows),) = drawn(replace(found, settings=[group]), monkeypatch)["who"]
    assert [row.differs for row in rows] == [True, False]


def test_every_setting_has_its_ridge() -> None:
    rows = [(name, spread(np.arange(20.0))) for name in ("mouth 0", "mouth 20")]
    picture = figures.ridges(rows, "decisions", "length")
    assert picture.count("fill: var(--accent-soft)") == 2
    assert all(f">{name}</text>" in picture for name, _ in rows)


def test_dashes_lie_below_what_was_measured() -> None:
    picture = figures.dots([("", [Row("a", FAIR, 0.5)])], str, "share", "dots")
    interval, spot = (f"stroke: var(--{ink}); stroke-width: 1.6" for ink in ("ink", "accent"))
    dashes, line, dot = map(picture.index, ("stroke-dasharray", interval, spot))
    assert dashes < line < dot


def test_what_cannot_be_reproduced_is_said(found: Summary) -> None:
    assert "by the clock" not in notes(found)
    assert "by the clock: this cannot be reproduced" in notes(replace(found, reproducible=False))
