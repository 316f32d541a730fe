"""The pictures of a simulation's report: what is drawn of each setting, and what stands out."""

import msgspec
import numpy as np
import pytest

from diablerie.games import ALL
from diablerie.lab.html import figures
from diablerie.lab.html.figures import FigureRow, FigureRows
from diablerie.lab.html.page import StudyPage, html_report, html_table
from diablerie.lab.running.settings import StudyConfig
from diablerie.lab.simulate import SimulationSummary, report, simulate
from diablerie.lab.simulate.report import number_tables, simulation_note, simulation_page
from diablerie.lab.statistics import Estimate, distribution

ASIDE, FAIR = Estimate(0.7, 0.6, 0.8), Estimate(0.5, 0.4, 0.6)
replace = msgspec.structs.replace


@pytest.fixture(scope="module")
def found() -> SimulationSummary:
    return simulate("coals", players="sensible,random", games=4, options={"goal": "400"}, workers=1)


def drawn(found: SimulationSummary, monkeypatch: pytest.MonkeyPatch) -> dict[str, FigureRows]:
    """The rows by the name of their picture; nothing is drawn."""
    rows: dict[str, FigureRows] = {}
    for kind in ("histograms", "bar_chart", "dot_plot"):
        monkeypatch.setattr(figures, kind, lambda told, *_: told)
    monkeypatch.setattr(
        report, "html_figure", lambda name, *told: rows.setdefault(name, told[-1]) and ""
    )
    assert simulation_page(found, "diablerie simulate")
    return rows


@pytest.mark.parametrize(("luck", "full"), [(0.5, False), (0.001, True)])
def test_a_full_dot_is_a_place_that_differs_where_places_are_unequal_at_all(
    found: SimulationSummary, luck: float, full: bool, monkeypatch: pytest.MonkeyPatch
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
    found: SimulationSummary, monkeypatch: pytest.MonkeyPatch
) -> None:
    (group,) = found.settings
    who = [replace(one, share=share) for one, share in zip(group.who, (ASIDE, FAIR), strict=True)]
    group = replace(group, who=who, luck=0.5)
    ((_, rows),) = drawn(replace(found, settings=[group]), monkeypatch)["who"]
    assert [row.differs for row in rows] == [True, False]


def test_the_numbers_name_every_place_player_ending_and_decision(found: SimulationSummary) -> None:
    tables, (group,) = list(number_tables(found)), found.settings
    for table in tables:
        assert {len(row) for row in table.rows} == {len(table.head)}
    names = {row[0] for table in tables for row in table.rows}
    assert group.places
    assert group.nodes
    for part in (*group.places, *group.who):
        assert f"share of the wins: {part.name}" in names
    assert {f"ended because {part.name}" for part in group.endings} <= names
    assert {f"decisions at {part.name}" for part in group.nodes} <= names


def test_every_setting_has_its_ridge() -> None:
    rows = [(name, distribution(np.arange(20.0))) for name in ("mouth 0", "mouth 20")]
    picture = figures.histograms(rows, "decisions")
    assert picture.count("fill: var(--accent-soft)") == 2
    assert all(f">{name}</text>" in picture for name, _ in rows)


@pytest.mark.parametrize("lengths", [[36.0] * 59 + [28.0], [36.0] * 60])
def test_games_that_are_equally_long_have_a_picture_too(lengths: list[float]) -> None:
    assert "accent-soft" in figures.histograms(
        [("tails", distribution(np.array(lengths)))], "decisions"
    )


def test_dashes_lie_below_what_was_measured() -> None:
    picture = figures.dot_plot([("", [FigureRow("a", FAIR, 0.5)])], str, "share")
    interval, spot = (f"stroke: var(--{ink}); stroke-width: 1.6" for ink in ("ink", "accent"))
    dashes, line, dot = map(picture.index, ("stroke-dasharray", interval, spot))
    assert dashes < line < dot


def test_what_cannot_be_reproduced_is_said(found: SimulationSummary) -> None:
    assert "by the clock" not in simulation_note(found)
    assert "by the clock: this cannot be reproduced" in simulation_note(
        replace(found, reproducible=False)
    )


def test_a_picture_is_left_out_where_there_is_nothing_to_draw(found: SimulationSummary) -> None:
    (group,) = found.settings
    assert group.who
    assert group.best
    alone = replace(found, settings=[replace(group, who=[], best=None)])
    pages = [simulation_page(one, "diablerie simulate") for one in (found, alone)]
    for heading in ("Which player wins", "What wins"):
        assert [f">{heading}<" in page for page in pages] == [True, False]


def test_settings_are_named_in_pictures_where_there_are_several(
    found: SimulationSummary, monkeypatch: pytest.MonkeyPatch
) -> None:
    (group,) = found.settings
    two = [replace(group, label=label) for label in ("mouth 0", "mouth 20")]
    assert [name for name, _ in drawn(found, monkeypatch)["who"]] == [""]
    both = drawn(replace(found, settings=two), monkeypatch)
    assert [name for name, _ in both["who"]] == ["mouth 0", "mouth 20"]


@pytest.mark.parametrize(("share", "said"), [(ASIDE, "does not contain it"), (FAIR, "contains it")])
def test_a_report_says_whether_the_interval_holds_the_fair_share(
    found: SimulationSummary, share: Estimate, said: str
) -> None:
    (group,) = found.settings
    first, *others = group.places
    group = replace(group, places=[replace(first, share=share), *others], fair=0.5)
    page = simulation_page(replace(found, settings=[group]), "diablerie simulate")
    assert said in page
    assert ("not contain it" in page) == (share is ASIDE)


def test_the_page_names_the_versions_that_made_it() -> None:
    title = ALL["coals"].title
    said = StudyPage(
        title=title,
        kind=title,
        finding="",
        lede=title,
        tiles=[],
        pictures=[],
        numbers="",
        command="diablerie simulate",
        note="",
        made_by=StudyConfig("0.3", "coals", 7).made_by,
    )
    page = html_report(ALL["coals"], said)
    assert "<p>diablerie 0.3, rules version 7</p>" in page


def test_a_row_of_a_table_is_named_by_its_first_cell() -> None:
    page = html_table("players", ("player", "games"), [("imp", "<3>")])
    assert '<tr><th scope="row">imp</th><td>&lt;3&gt;</td></tr>' in page
