"""What proves who somebody is: secrets of browsers, links to other devices, tokens of programs."""

from collections import Counter
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from diablerie.table.commands import browsers, tokens
from diablerie.table.commands.browsers import REMEMBERED_SECONDS
from diablerie.table.errors import NotFound
from diablerie.table.state.visitors import program_of
from diablerie.table.storage.store import Conflict
from tests.storm.ledger import Doing, Violated
from tests.storm.network import Command
from tests.storm.seats_model import Refusal

if TYPE_CHECKING:
    from tests.storm.people import Person
    from tests.storm.simulation import Simulation


KNOWN = REMEMBERED_SECONDS + 5.0  # seconds for which a node may take an old secret that it knows


class Secrets:
    """Which secrets are valid, as the answers have told; and what people do with them."""

    def __init__(self, world: "Simulation") -> None:
        self._world = world
        self.valid: dict[str, str] = {}  # secrets of browsers, and their visitors
        self.dead: dict[str, float] = {}  # since when
        self.tokens: dict[str, bool] = {}  # whether each is valid
        self._links: dict[str, str] = {}  # to devices, and whose they are
        self._made: Counter[str] = Counter()  # links to devices, by visitor
        self._number: dict[str, int] = {}  # which of its visitor's a link was: only the last works
        self._used: set[str] = set()
        self._revoked: set[str] = set()  # ids of tokens

    # -- the model ----------------------------------------------------------------------------------

    def why(self, command: Any) -> Refusal:
        """For what reason a command about secrets is refused now."""
        if command.name == "redeem":
            _, owner, opening = command.args
            replaced = self._number[opening] < self._made[owner]
            return NotFound if replaced or opening in self._used else None
        return NotFound if command.name == "revoke" and command.args[0] in self._revoked else None

    def committed(self, doing: Doing, written: frozenset[str]) -> None:
        """Note that a link is used up, which works once, or that a token is gone."""
        command = doing.command
        if command and command.name == "revoke" and "tokens" in written:
            self._revoked.add(command.args[0])
        if command and command.name == "create_link" and "passes" in written:
            self._made[command.who] += 1
        if "passes" not in written or not command or command.name != "redeem":
            return
        if command.args[2] in self._used:
            raise Violated("a link to a device works once", "", command.who)
        self._used.add(command.args[2])

    # -- what people do -----------------------------------------------------------------------------

    def something(self, person: "Person") -> bool:
        """Have a person do one of these things."""
        ways = [self._renew, self._link, self._redeem, self._token, self._token]
        return person.random.choice(ways)(person)

    def _renew(self, person: "Person") -> bool:
        """A browser gets another secret; with its first use the old one is nobody's."""
        was, now, who = person.secret, "", person.who
        if person.renewed:
            return False
        person.renewed = True

        def renewed(answer: Any) -> None:
            nonlocal now
            if isinstance(answer, str):
                now = answer
                call = lambda at: at.browsers.visitor(now)  # noqa: E731
                use = Command("use_secret", person.who, "secrets", (), call)
                person.leave_all()
                person.ask(use, used)

        def used(answer: Any) -> None:
            if answer == person.who:
                self.dead[was] = self._world.timeline.passed
                self.valid.pop(was, None)
                self.valid[now] = answer
                person.becomes(now, answer)

        def call(at: Any) -> Any:
            with suppress(Conflict):  # it has asked twice at once, and is known by now
                at.browsers.note(who)
            return at.browsers.renew(was)

        person.ask(Command("renew_secret", who, "secrets", (), call), renewed)
        return True

    def _link(self, person: "Person") -> bool:
        if person.who in self._links.values() or person.renewed:
            return False
        person.renewed, who = True, person.who  # the links of a renewed visitor end

        def done(answer: Any) -> None:
            if isinstance(answer, str):
                self._links[answer] = who

        def call(at: Any) -> str:
            opening = browsers.create_link(at, who)
            self._number[opening] = self._made[who]
            return opening

        person.ask(Command("create_link", who, "secrets", (), call), done)
        return True

    def _redeem(self, person: "Person") -> bool:
        """Follow a link, which makes this browser the same visitor as the one that made it."""
        if not self._links or person.renewed:
            return False
        person.renewed = True
        opening, owner = person.random.choice(sorted(self._links.items()))
        known, was = (person.who, owner, opening), person.secret
        call = lambda at: browsers.redeem(at, known[0], opening, was)  # noqa: E731

        def done(answer: Any) -> None:
            if isinstance(answer, str) and answer in (was, *self.valid):
                self._world.violate(Violated("a link brings a secret of its own", "", answer))
            elif isinstance(answer, str):
                self.dead[was] = self._world.timeline.passed
                self.valid[answer] = owner
                person.becomes(answer, owner)

        person.leave_all()
        person.ask(Command("redeem", person.who, "*", known, call), done)
        return True

    def _token(self, person: "Person") -> bool:
        """Make a token, or revoke one."""
        who = person.who
        if person.token and person.random.random() < 0.6:
            token, person.token = person.token, ""

            def revoked(answer: Any) -> None:
                if answer is None or isinstance(answer, NotFound):
                    self.tokens[token] = False
                    self.look()

            known = program_of(token)
            call = lambda at: tokens.revoke(at, who, known)  # noqa: E731
            self.tokens.pop(token, None)  # it may be gone from now on
            person.ask(Command("revoke", who, "secrets", (known,), call), revoked)
            return True

        def issued(answer: Any) -> None:
            if isinstance(answer, str):
                person.token, self.tokens[answer] = answer, True

        def issue(at: Any) -> str:
            return tokens.issue.do(at, who, tokens.NewToken("Robot", ["play"]), person.address)

        person.ask(Command("issue", who, "secrets", (), issue), issued)
        return True

    # -- what must hold -------------------------------------------------------------------------------

    def look(self) -> None:
        """Every node knows which tokens are valid, at once. Raises Violated."""
        for house in self._world.houses:
            if not house.up or house.store.trouble or not self._world.is_quiet:
                continue
            with self._world.ledger.does(house.number, "look"):
                for token, valid in self.tokens.items():
                    if (tokens.find_token(house.authority, token) is not None) != valid:
                        raise Violated("revoked tokens end at once", "", (house.number, valid))

    def at_end(self) -> None:
        """Old secrets are nobody's, and new ones work at every node. Raises Violated."""
        self.look()
        until = self._world.timeline.passed - KNOWN
        old = [secret for secret, since in self.dead.items() if since < until]
        for house in self._world.houses:
            with self._world.ledger.does(house.number, "look"):
                at = house.authority.browsers
                for secret, visitor in self.valid.items():
                    if at.visitor(secret) != visitor:
                        raise Violated("a new secret works", "", house.number)
                if any(at.visitor(secret) is not None for secret in old):
                    raise Violated("an old secret is nobody's", "", house.number)
