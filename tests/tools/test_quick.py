"""`make quick` chooses the tests that are nearest to what was edited."""

import grimp
import pytest

from tools import quick


@pytest.fixture(scope="module")
def graph() -> grimp.ImportGraph:
    return grimp.build_graph("diablerie", "tests", cache_dir=None)


def test_a_module_has_the_tests_that_import_it(graph: grimp.ImportGraph) -> None:
    runs = quick.chosen(["src/diablerie/table/cluster/leader.py"], graph)
    assert "tests/table/test_leader.py" in runs[""]


def test_a_test_and_a_helper_of_tests_are_edited_modules_too(graph: grimp.ImportGraph) -> None:
    runs = quick.chosen(["tests/web/test_forms.py", "tests/table/several.py"], graph)
    assert runs[""] >= {"tests/web/test_forms.py", "tests/table/test_races.py"}


def test_a_game_has_its_folder_and_its_part_of_what_every_game_keeps(
    graph: grimp.ImportGraph,
) -> None:
    runs = quick.chosen(["src/diablerie/games/tails/rules/play.py"], graph)
    assert runs == {"": {"tests/games/tails"}, "tails": set(quick.OF_EVERY_GAME)}


def test_every_module_has_tests_to_be_run_and_not_too_many(graph: grimp.ImportGraph) -> None:
    modules = [one for one in graph.modules if one.startswith("diablerie.")]
    assert len(modules) > 300
    for module in modules:
        path = quick.ROOT / "src" / (module.replace(".", "/") + ".py")
        if path.exists() and not path.is_relative_to(quick.ROOT / quick.GAMES):
            file = str(path.relative_to(quick.ROOT))
            ((_, paths),) = quick.chosen([file], graph).items()
            assert 0 < len(paths) <= quick.MOST, file


def test_what_is_named_is_there() -> None:
    named = {path for paths in quick.TESTS_OF.values() for path in paths}
    for path in (*named, *quick.OF_EVERY_GAME):
        assert (quick.ROOT / path).exists()
