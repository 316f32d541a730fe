"""Thinking is shared: whoever has had least is next, and nobody takes every thread."""

from diablerie.table.bots.turn_queue import HALF_LIFE, FairQueue, Turn
from tests.table.conftest import Clock


def test_who_has_many_tables_does_not_keep_others_waiting() -> None:
    clock = Clock()
    turns = FairQueue(1, clock)
    for n in range(5):
        turns.add("greedy", f"g{n}")
    turns.add("modest", "m0")
    order = []
    while found := turns.take():
        order.append(found.table)
        turns.done(found.client, 1.0)
        if found.table == "m0":
            turns.add("modest", "m1")
    assert order == ["g0", "m0", "g1", "m1", "g2", "g3", "g4"]


def test_one_client_leaves_a_thread_to_others() -> None:
    turns = FairQueue(2, Clock())
    for n in range(3):
        turns.add("greedy", f"g{n}")
    assert turns.take() == Turn("g0", "greedy")
    assert turns.take() is None
    turns.add("modest", "m0")
    assert turns.take() == Turn("m0", "modest")
    turns.done("greedy", 1.0)
    assert turns.take() == Turn("g1", "greedy")


def test_who_is_not_known_may_have_every_thread() -> None:
    turns = FairQueue(2, Clock())
    turns.add("", "a")
    turns.add("", "b")
    assert turns.take() == Turn("a", "")
    assert turns.take() == Turn("b", "")
    assert turns.take() is None


def test_long_thinking_counts_more_and_is_forgotten() -> None:
    clock = Clock()
    turns = FairQueue(3, clock)
    turns.done("slow", 8.0)
    turns.done("quick", 3.0)
    for client in ("slow", "quick"):
        turns.add(client, client)
    assert turns.take() == Turn("quick", "quick")
    clock.now += HALF_LIFE
    assert turns.used("slow") == 4.0
    turns.done("quick", 3.0)
    turns.add("quick", "quick")
    assert turns.take() == Turn("slow", "slow")
