"""What has been done so far, so that people mostly do what has been done least often.

A random choice among all commands mostly draws what is refused, or what has been seen already, and
rarely what needs a certain moment: to leave after the hashes are fixed, or to agree as the second
of three. So a choice is between what the model says would be accepted, and of that the rarest.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from random import Random
from typing import TYPE_CHECKING, Any

from diablerie.table.state.table_state import OPEN, RUNNING

if TYPE_CHECKING:
    from tests.storm.network import Command
    from tests.storm.simulation import Simulation

REFUSED = 0.2  # probability that somebody asks for what will be refused
ENDING = {"resign": 0.1, "delete_table": 0.7}  # are somewhat rarer than others
Way = Callable[[Any], bool]


class Variety:
    """How often each command was asked for in each kind of situation."""

    def __init__(self, world: "Simulation") -> None:
        self._world = world
        self._done: Counter[tuple[Any, ...]] = Counter()

    def choose(self, draw: Random, ways: Sequence["Command"], against: str = "") -> "Command":
        """One of these commands, which comes between two transactions of `against`, if that is told."""
        accepted = draw.random() >= REFUSED
        where = against if accepted else f"{against} refused"
        often = sorted(draw.sample(ways, len(ways)), key=lambda one: self._often(one, where))
        chosen = next((one for one in often if self._may(one) == accepted), often[0])
        self._done[self._moment(chosen, where)] += 1
        self._done[chosen.name, where] += 1
        return chosen

    def first(self, draw: Random, ways: dict[Way, int], person: Any) -> bool:
        """Do one of these things, in proportion to their weights; whether there is any to be done."""
        shuffled = draw.sample(list(ways), len(ways))
        for way in sorted(shuffled, key=lambda way: self._done["habit", way.__name__] / ways[way]):
            if way(person):
                self._done["habit", way.__name__] += 1
                return True
        return False

    def untried(self, fault: str) -> bool:
        """Whether this fault has not met a command of the kind that is being done yet."""
        doing = self._world.ledger.doing
        command = doing[-1].command if doing else None
        return command is not None and not self._done[fault, command.name]

    def met(self, fault: str) -> None:
        """Note that a fault has met the command that is being done."""
        doing = self._world.ledger.doing
        if doing and doing[-1].command:
            self._done[fault, doing[-1].command.name] += 1

    def is_new(self, command: "Command") -> bool:
        """Whether nobody has come between two transactions of such a command yet; from now on not."""
        moment = self._moment(command, "raced")
        self._done[moment] += 1
        return self._done[moment] == 1

    def _often(self, command: "Command", where: str) -> float:
        here, anywhere = self._done[self._moment(command, where)], self._done[command.name, where]
        return here + anywhere / 3 + ENDING.get(command.name, 0.0)

    def _moment(self, command: "Command", where: str) -> tuple[Any, ...]:
        """The command, and what kind of table it is for."""
        t = self._world.model.tables.get(command.table)
        if t is None:
            return command.name, where, ""
        agreed = -1 if t.request is None else len(t.request[2])
        grouped = t.id in self._world.model.groups
        drawn = t.status == RUNNING and len(t.plies[-1].events) > 1
        people = min(t.people, 3) if t.status == OPEN else 0
        about = t.status, t.awaited, bool(t.rematch), agreed, drawn, grouped, people
        return command.name, where, *about

    def _may(self, command: "Command") -> bool:
        with self._world.ledger.does(0, "thinks", command):
            return self._world.why(command) is None
