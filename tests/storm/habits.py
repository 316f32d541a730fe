"""What people do away from tables: they make groups, join, leave, and want to be notified."""

from typing import TYPE_CHECKING, Any

from diablerie.table.commands import groups
from diablerie.table.commands.subscriptions import HookRequest, PushRequest
from diablerie.table.state.table_state import FINISHED_TABLE, TableState
from tests.storm.network import Command
from tests.storm.people import Person
from tests.storm.variety import Way

if TYPE_CHECKING:
    from tests.storm.simulation import Simulation

NAMES = ("Oma", "Opa", "Ida", "Ada", "Bo", "Cy", "Eva", "Jo")
KEYS = "B" + "A" * 86, "A" * 22  # of a browser, for messages to it: the right lengths


class Habits:
    """Draws what a person does, from the person's own dice."""

    def __init__(self, world: "Simulation") -> None:
        self._world = world
        self.links: list[str] = []  # of groups, that people have told each other

    def something(self, person: Person) -> bool:
        """Have a person do one of these things; whether there is any."""
        ways: dict[Way, int] = {
            **{self._start: 4, self._join: 3, self._open: 3, self._hook: 2},
            **{self._world.secrets.something: 2, self.create: 1, self._withdraw: 1},
            **{self._depart: 1, self._change: 1, self._remove: 1, self._renew: 1},
        }
        return self._world.variety.first(person.random, ways, person)

    def _open(self, person: Person) -> bool:
        """Open a table, where there are few that are not over."""
        tables = self._world.model.tables.values()
        going_on = sum(t.status != FINISHED_TABLE for t in tables)
        if self._world.is_quiet or going_on >= self._world.size.tables:
            return False
        self._world.opens(f"of {person.number}", person, person.random)
        return True

    def _ask(self, person: Person, name: str, call: Any, *args: Any) -> bool:
        def done(answer: Any) -> None:
            if isinstance(answer, groups.Group):
                self.links.append(answer.link)
            elif name == "renew" and isinstance(answer, str):
                self.links.append(answer)
            elif isinstance(answer, TableState):
                for browser in self._world.browsers_of(answer):
                    if answer.id not in browser.tables:
                        browser.tables.append(answer.id)
                self._world.invite(answer)

        person.ask(Command(name, person.who, f"group {name}", args, call), done)
        return True

    def create(self, person: Person) -> bool:
        """Make a group."""
        if len(self.links) > self._world.size.tables:
            return False
        name, who = person.random.choice(NAMES), person.who
        call = lambda at: groups.create(at, who, "The Hoofs", name)  # noqa: E731
        return self._ask(person, "create", call, "The Hoofs", name)

    def _join(self, person: Person) -> bool:
        if not self.links:
            return False
        link, member = self._link(person), person.random.choice([0, 0, 1, 2])
        name, who = person.random.choice(NAMES), person.who
        call = lambda at: groups.join(at, link, who, member, name)  # noqa: E731
        return self._ask(person, "join", call, link, member, name)

    def _member(self, person: Person) -> tuple[str, int] | None:
        """A link that was told once, and a number that may be a member's there."""
        if not self.links:
            return None
        return self._link(person), person.random.randint(1, 3)

    def _link(self, person: Person) -> str:
        """A link of a group, mostly one that works."""
        valid = sorted(group.link for group in self._world.groups.groups.values())
        known = [link for link in self.links if link in valid]
        return person.random.choice(known if known and person.random.random() < 0.8 else self.links)

    def _depart(self, person: Person) -> bool:
        if not (known := self._member(person)):
            return False
        (link, member), who = known, person.who
        call = lambda at: groups.leave(at, link, who, member)  # noqa: E731
        return self._ask(person, "depart", call, link, member)

    def _change(self, person: Person) -> bool:
        if not (known := self._member(person)):
            return False
        link, member = known
        name, colour = person.random.choice(NAMES), person.random.randrange(4)
        call = lambda at: groups.change(at, link, None, member, name, colour)  # noqa: E731
        return self._ask(person, "change", call, link, member, name, colour)

    def _remove(self, person: Person) -> bool:
        if not (known := self._member(person)):
            return False
        link, member = known
        return self._ask(
            person, "remove", lambda at: groups.remove(at, link, None, member), link, member
        )

    def _renew(self, person: Person) -> bool:
        if not (known := self._member(person)) or person.random.random() < 0.5:
            return False
        link, _ = known
        return self._ask(person, "renew", lambda at: groups.renew(at, link, None), link)

    def _start(self, person: Person) -> bool:
        """Open a table with the members at this browser, or sit down at one."""
        mine = [group for group in self._world.groups.groups.values() if group.at(person.who)]
        if not mine or self._world.crowded:
            return False
        group, who = person.random.choice(mine), person.who
        members, link = group.at(person.who), person.random.choice([group.link, *self.links[-1:]])
        open_ones = [
            t.id
            for t in self._world.model.tables.values()
            if t.free and self._world.model.groups.get(t.id) == group.id
        ]
        if open_ones:
            table = person.random.choice(open_ones)
            call = lambda at: groups.sit(at, link, who, table, members)  # noqa: E731
            sit = Command("sit_as", who, table, (link, members), call)
            person.ask(sit, lambda _: person.tables.append(table))
            return True
        call = lambda at: groups.open_evening(at, link, who, "toy", members)  # noqa: E731
        return self._ask(person, "start", call, link, "toy", members)

    # -- notifications --------------------------------------------------------------------------------

    def subscribe(self, person: Person) -> None:
        """Have this browser notified from now on."""
        at, who = f"https://push.example/{person.number}", person.who

        def call(authority: Any) -> Any:
            return authority.subscriptions.subscribe(who, PushRequest(at, *KEYS, "en", "https://x"))

        def done(answer: Any) -> None:
            person.subscribed = answer is None

        person.ask(Command("subscribe", who, "calls", (at,), call), done)

    def _withdraw(self, person: Person) -> bool:
        if not person.subscribed or person.random.random() < 0.7:
            return False
        person.subscribed, who = False, person.who
        return self._ask(person, "withdraw", lambda a: a.subscriptions.withdraw(who))

    def _hook(self, person: Person) -> bool:
        known = [table for table in person.tables if table in self._world.model.tables]
        if not known:
            return False
        table, at = person.random.choice(known), f"https://hook.example/{person.number}"
        who = person.who
        if person.random.random() < 0.2:
            call = lambda a: a.subscriptions.unhook(table, who)  # noqa: E731
        else:
            call = lambda a: a.subscriptions.hook(table, who, HookRequest(at, "en", "https://x"))  # noqa: E731
        person.ask(Command("hook", who, table, (), call))
        return True
