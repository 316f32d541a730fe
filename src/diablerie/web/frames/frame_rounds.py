"""Rounds: the frames of all streams of one table, made one after the other in one thread.

A change wakes all streams of a table at once. A thread for each of them would cost four times the
switching, and they would wait for each other anyway.
"""

import asyncio
from collections.abc import Callable
from typing import Any, TypeVar

from starlette.concurrency import run_in_threadpool

T = TypeVar("T")
Job = tuple[Callable[[], Any], "asyncio.Future[Any]"]


class Rounds:
    """The jobs that streams of each table have asked for at the same moment of one event loop."""

    def __init__(self) -> None:
        self._waiting: dict[str, list[Job]] = {}
        self._tasks = set[asyncio.Task[None]]()

    async def run(self, table: str, work: Callable[[], T]) -> T:
        """What `work` returns or raises, run in a thread with what others of this table ask for."""
        loop = asyncio.get_running_loop()
        future: asyncio.Future[T] = loop.create_future()
        if table in self._waiting:
            self._waiting[table].append((work, future))
        else:
            self._waiting[table] = [(work, future)]
            task = loop.create_task(self._round(table))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)
        return await future

    async def _round(self, table: str) -> None:
        jobs = self._waiting[table]
        try:
            await asyncio.sleep(0)  # the others wake in the same turn of the loop
        finally:
            del self._waiting[table]
        try:
            results = await run_in_threadpool(_done, [work for work, _ in jobs])
        except BaseException:  # the loop is closing
            for _, future in jobs:
                future.cancel()
            raise
        for (_, future), (value, error) in zip(jobs, results, strict=True):
            if future.done():  # the stream has gone
                continue
            if error is None:
                future.set_result(value)
            else:
                future.set_exception(error)


def _done(works: list[Callable[[], Any]]) -> list[tuple[Any, Exception | None]]:
    return [_tried(work) for work in works]


def _tried(work: Callable[[], Any]) -> tuple[Any, Exception | None]:
    try:
        return work(), None
    except Exception as error:
        return None, error
