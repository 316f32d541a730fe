"""What takes long is shared: whoever has had least is next, and nobody takes every place."""

import asyncio
import heapq
import statistics

import pytest

from diablerie.table.errors import TooMany
from diablerie.table.presence import fair_queue
from diablerie.table.presence.fair_queue import (
    HALF_LIFE,
    LEAST_TIME_SHARE,
    MOST_JOBS_OF_CLIENT,
    FairPlaces,
    FairQueue,
    Taken,
)
from tests.table.conftest import Clock

CROWD = [f"10.0.0.{n}" for n in range(20)]


def test_who_has_many_jobs_does_not_keep_others_waiting() -> None:
    jobs: FairQueue[str] = FairQueue(1, Clock())
    for n in range(5):
        jobs.add("greedy", f"g{n}")
    jobs.add("modest", "m0")
    order = []
    while found := jobs.take():
        order.append(found.item)
        jobs.done(found.client, 1.0)
        if found.item == "m0":
            jobs.add("modest", "m1")
    assert order == ["m0", "m1", "g0", "g1", "g2", "g3", "g4"]


def test_one_client_leaves_a_place_to_others() -> None:
    jobs: FairQueue[str] = FairQueue(2, Clock())
    for n in range(3):
        jobs.add("greedy", f"g{n}")
    assert jobs.take() == Taken("greedy", "g0")
    assert jobs.take() is None
    jobs.add("modest", "m0")
    assert jobs.take() == Taken("modest", "m0")
    jobs.done("greedy", 1.0)
    assert jobs.take() == Taken("greedy", "g1")


def test_who_is_not_known_may_have_every_place() -> None:
    jobs: FairQueue[str] = FairQueue(2, Clock())
    jobs.add("", "a")
    jobs.add("", "b")
    assert jobs.take() == Taken("", "a")
    assert jobs.take() == Taken("", "b")
    assert jobs.take() is None


def test_a_long_job_counts_more_and_is_forgotten() -> None:
    clock = Clock()
    jobs: FairQueue[str] = FairQueue(3, clock)
    jobs.done("alone", 50.0)
    assert jobs.used("alone") == 0.0, "nobody has waited for it"
    for client in ("slow", "quick"):
        jobs.add(client, client)
    jobs.done("slow", 8.0)
    jobs.done("quick", 3.0)
    assert jobs.take() == Taken("quick", "quick")
    clock.now += HALF_LIFE
    assert jobs.used("slow") == 4.0
    jobs.done("quick", 3.0)
    jobs.add("quick", "quick")
    assert jobs.take() == Taken("slow", "slow")


def test_of_a_clients_jobs_the_smallest_come_first_and_one_can_be_removed() -> None:
    jobs: FairQueue[str] = FairQueue(1, Clock())
    for name, size in (("long", 90), ("gone", 5), ("short", 10)):
        jobs.add("a", name, size)
    jobs.remove("a", "gone")
    assert jobs.waiting("a") == 2
    assert jobs.take() == Taken("a", "short")


def waits(places: int, seconds: float, fixed: float, before: float, parallel: int) -> list[float]:
    """What each of ten tries costs one more client, in times of what it takes alone.

    Twenty others want `parallel` jobs at once and again as soon as they are done, for `before`
    seconds already; the one asks again when it has been answered. A job takes so many seconds,
    of which `fixed` is the share that does not get shorter while many wait.
    """
    clock, honest = Clock(), "192.0.2.1"
    jobs: FairQueue[str] = FairQueue(places, clock)
    ends, asked, costs = list[tuple[float, str, float]](), 0.0, list[float]()
    for client in CROWD * parallel:
        jobs.add(client, client)
    start = clock.now + before
    while len(costs) < 10:
        while len(ends) < places and (turn := jobs.take()):
            lasts = seconds * (fixed + (1 - fixed) * jobs.time_share)
            heapq.heappush(ends, (clock.now + lasts, turn.client, lasts))
        now, client, lasts = heapq.heappop(ends)
        if not asked and now >= start:
            clock.now = asked = max(clock.now, start)
            jobs.add(honest, honest)
            heapq.heappush(ends, (now, client, lasts))
            continue
        clock.now = now
        jobs.done(client, lasts)
        if client == honest:
            costs.append((now - asked) / seconds)
            asked = now
        jobs.add(client, client)
    return costs


@pytest.mark.parametrize("parallel", [1, 4])
@pytest.mark.parametrize(
    ("places", "seconds", "fixed", "before"),
    [(2, 1.5, 0.2, 0.0), (1, 9.0, 0.0, 0.0), (1, 0.2, 1.0, 60.0)],
    ids=["hints", "analyses", "pictures"],
)
def test_one_more_waits_for_few_jobs_while_twenty_ask_without_end(
    places: int, seconds: float, fixed: float, before: float, parallel: int
) -> None:
    costs = waits(places, seconds, fixed, before, parallel)
    assert statistics.median(costs) <= 4.0
    assert max(costs) <= 10.0


@pytest.mark.parametrize("before", [0.0, 8.0, 60.0])
def test_who_asks_for_one_thing_passes_those_who_ask_for_four_at_once(before: float) -> None:
    """Also when nobody has had much yet, and jobs do not get shorter: pictures of links."""
    costs = waits(1, 1.3, 1.0, before, parallel=MOST_JOBS_OF_CLIENT)
    assert statistics.median(costs) <= 4.0
    assert max(costs) <= 10.0


# -- places ----------------------------------------------------------------------------------------


async def done_before(places: FairPlaces, crowd: list[str]) -> int:
    """How many jobs are done before that of a client who asks after everybody else."""
    order, going = list[str](), asyncio.Event()

    async def job(client: str) -> None:
        async with places.place(client):
            await going.wait()
            order.append(client)

    async with asyncio.TaskGroup() as group:
        for client in [*crowd, "honest"]:
            group.create_task(job(client))
        await asyncio.sleep(0)  # all of them have asked
        going.set()
    return order.index("honest")


def test_a_request_waits_for_one_job_of_each_place_when_twenty_have_had_something() -> None:
    async def run() -> None:
        for n in (1, 2):
            places = FairPlaces(n)
            await asyncio.gather(*(entered(places, client, 0.001) for client in CROWD * 2))
            assert await done_before(places, CROWD * MOST_JOBS_OF_CLIENT) <= n

    asyncio.run(run())


def test_who_waits_too_long_or_with_too_many_is_refused_and_leaves_no_trace(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async def run() -> None:
        places = FairPlaces(1)
        async with places.place("a"):
            monkeypatch.setattr(fair_queue, "QUEUE_SECONDS", 0.01)
            with pytest.raises(TooMany):
                await entered(places, "b")
            monkeypatch.setattr(fair_queue, "QUEUE_SECONDS", 60.0)
            waiting = [
                asyncio.create_task(entered(places, "b")) for _ in range(MOST_JOBS_OF_CLIENT)
            ]
            await asyncio.sleep(0)
            assert places.time_share == 0.5
            with pytest.raises(TooMany):
                await entered(places, "b")
            waiting.pop().cancel()
            await asyncio.sleep(0)
            assert places.time_share == 0.5
        await asyncio.gather(*waiting)
        assert places.time_share == 1.0
        await entered(places, "b")

    asyncio.run(run())


def test_for_who_has_left_nothing_is_done() -> None:
    async def gone() -> bool:
        return True

    async def run() -> None:
        places = FairPlaces(1)
        with pytest.raises(TooMany):
            async with places.place("a", gone):
                pytest.fail("nobody wants it")
        await entered(places, "b")

    asyncio.run(run())


async def entered(places: FairPlaces, client: str, seconds: float = 0.0) -> None:
    async with places.place(client):
        await asyncio.sleep(seconds)


def test_with_many_clients_a_job_gets_shorter_but_not_for_ever() -> None:
    jobs: FairQueue[str] = FairQueue(1, Clock())
    assert jobs.time_share == 1.0
    for n, client in enumerate(CROWD, 1):
        jobs.add(client, client)
        assert jobs.time_share == max(LEAST_TIME_SHARE, 1 / (1 + n))
