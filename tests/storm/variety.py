"""What has been done so far, so that people mostly do what has been done least often.

A random choice among all commands mostly draws what is refused, or what has been seen already, and
rarely what needs a certain moment: to leave after the hashes are fixed, or to agree as the second
of three. So a choice is between what the model says would be accepted, and of that the rarest.
Besides, every seed likes some commands and leaves others nearly out (swarm testing): what is rare
where all are equally frequent is frequent in some seeds.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from itertools import islice
from random import Random
from typing import TYPE_CHECKING, Any

from diablerie.table.state.table_state import RUNNING

if TYPE_CHECKING:
    from tests.storm.network import Command
    from tests.storm.simulation import Simulation

REFUSED = 0.2  # probability that somebody asks for what will be refused
LIKED, LEFT_OUT = -2.0, 3.0  # times that a command counts as done less, or more, than it was
RARE = 4  # of the rarest commands that come between, one that clashes is taken
MOST = 3  # transactions of a command that are told apart
ENDING = {"resign": 0.1, "delete_table": 0.7}  # are somewhat rarer than others
Way = Callable[[Any], bool]


class Variety:
    """How often each command was asked for in each kind of situation."""

    def __init__(self, world: "Simulation") -> None:
        self._world = world
        self._done: Counter[tuple[Any, ...]] = Counter()
        self._liking: dict[str, float] = {}

    def choose(
        self, draw: Random, ways: Sequence["Command"], against: "Command | None" = None
    ) -> "Command":
        """One of these commands, which comes between two transactions of `against`, if that is told."""
        accepted = draw.random() >= REFUSED
        where = (against.name if against else "") + ("" if accepted else " refused")
        often = sorted(draw.sample(ways, len(ways)), key=lambda one: self._often(one, where))
        fit = (one for one in often if self.may(one) == accepted)
        first = list(islice(fit, RARE if against else 1)) or often[:1]
        clashing = (one for one in first if against and self._clash(one, against))
        chosen = next(clashing, first[0])
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
        """Whether this fault has not met a transaction of the kind that is being done yet."""
        return not self._done[self._transaction(fault)]

    def met(self, fault: str) -> None:
        """Note that a fault has met the transaction that is being done."""
        self._done[self._transaction(fault)] += 1

    def _transaction(self, fault: str) -> tuple[Any, ...]:
        """What is being done, the how manieth transaction of it that is, and what it writes to."""
        doing = self._world.ledger.doing
        if not doing:
            return fault, "", 0, frozenset()
        written = self._world.disk.writing
        return fault, doing[-1].name, min(MOST, doing[-1].commits), written

    def is_new(self, command: "Command") -> bool:
        """Whether nobody has come between two transactions of such a command yet; from now on not."""
        moment = self._moment(command, "raced")
        self._done[moment] += 1
        return self._done[moment] == 1

    def _often(self, command: "Command", where: str) -> float:
        here, anywhere = self._done[self._moment(command, where)], self._done[command.name, where]
        return here + anywhere / 3 + ENDING.get(command.name, 0.0) + self._likes(command.name)

    def _likes(self, name: str) -> float:
        """How often a command counts as done before it was, in this seed."""
        if name not in self._liking:
            draw = Random(f"{self._world.seed} likes {name}")
            self._liking[name] = draw.choice([LIKED, 0.0, 0.0, LEFT_OUT])
        return self._liking[name]

    def _moment(self, command: "Command", where: str) -> tuple[Any, ...]:
        """The command, and what kind of table it is for."""
        t = self._world.model.tables.get(command.table)
        if t is None:
            return command.name, where, ""
        agreed = -1 if t.request is None else len(t.request[2])
        grouped = t.id in self._world.model.groups
        drawn = t.status == RUNNING and len(t.plies[-1].events) > 1
        people = min(t.people, 3)
        about = t.status, t.awaited, bool(t.rematch), agreed, drawn, grouped, people
        return command.name, where, *about

    def _clash(self, one: "Command", other: "Command") -> bool:
        """Whether one of two commands is refused, or not refused, because of the other."""
        with self._world.ledger.does(0, "thinks", one):
            return self._world.model.clash(one, other)

    def may(self, command: "Command") -> bool:
        """Whether the model says that a command is accepted now."""
        with self._world.ledger.does(0, "thinks", command):
            return self._world.why(command) is None
