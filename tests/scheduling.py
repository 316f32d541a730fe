"""Which tests go to one worker: those that would make the same again in each worker."""

from typing import Any

from xdist.scheduler import LoadGroupScheduling


class ByParameters(LoadGroupScheduling):
    """As xdist's groups; and tests of one module with the same parameters are a group, too.

    What they share is then made once, and not once in each worker: the games played in a setting, a
    module's fixtures, the compiled code of a game that is loaded.
    """

    def _split_scope(self, nodeid: str) -> str:
        """The name of a test's group."""
        group = super()._split_scope(nodeid)
        if group != nodeid:  # it has a group of its own
            return group
        test, _, parameters = nodeid.partition("[")
        return f"{test.partition('::')[0]}[{parameters}"

    def mark_test_complete(self, node: Any, item_index: int, duration: float = 0) -> None:
        """Note that a test has run, and forget a group that is done.

        xdist keeps them all, and after each test counts what is left in every group of a worker.
        """
        nodeid = self.registered_collections[node][item_index]
        group = self._split_scope(nodeid)
        tests = self.assigned_work[node][group]
        tests[nodeid] = True
        if all(tests.values()):
            del self.assigned_work[node][group]
        self._reschedule(node)
