"""How xdist gives test files to its processes, at a cost per test that does not grow with their number.

Its own scheduler counts, after each test, all tests that a process was ever given, and looks for the position of each
test from the first on. With some ten thousand tests, that takes as long as a slow test file.
"""

from __future__ import annotations

from functools import cached_property

from xdist.scheduler.loadfile import LoadFileScheduling
from xdist.workermanage import WorkerController


class FileScheduling(LoadFileScheduling):
    """Keeps only the tests that are left, and the positions of all."""

    @cached_property
    def positions(self) -> dict[str, int]:
        """Where each test is in the collection, which is the same in all processes."""
        assert self.collection is not None
        return {test: position for position, test in enumerate(self.collection)}

    def mark_test_complete(self, node: WorkerController, item_index: int, duration: float = 0) -> None:
        test = self.registered_collections[node][item_index]
        file = self._split_scope(test)
        left = self.assigned_work[node]
        del left[file][test]
        if not left[file]:
            del left[file]
        self._reschedule(node)

    def _assign_work_unit(self, node: WorkerController) -> None:
        file, tests = self.workqueue.popitem(last=False)
        self.assigned_work[node][file] = tests
        node.send_runtest_some([self.positions[test] for test in tests])
