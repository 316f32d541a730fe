"""What of the bots is compiled: no edit of a plain module compiles anything again."""

from diablerie.engine.sources import sources

COMPILED = ("network_rollouts", "one_ply", "rollouts", "search", "search_tree")


def test_compiled_bots_rest_on_no_plain_module_of_the_bots() -> None:
    found = {name for name, _ in sources() if name.startswith("diablerie.bots")}
    assert found == {f"diablerie.bots.{name}" for name in COMPILED}
