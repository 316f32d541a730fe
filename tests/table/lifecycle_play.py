"""The steps of `test_lifecycle` at a game: decisions, take-backs, resignations, bots that stand in, time."""

from random import Random
from typing import Any

from diablerie.engine.plies import PlyKind
from diablerie.engine.replay import forbids_take_back
from diablerie.table.commands import decisions, seats
from diablerie.table.errors import (
    BadInput,
    Forbidden,
    IllegalMove,
    NotFound,
    Repeated,
    Stale,
    WrongTime,
)
from diablerie.table.presence.attendance import AWAY
from diablerie.table.state.table_state import BOT, OPEN, OVER, PERSON, RUNNING
from tests.table.lifecycle_machine import SLICE, LifecycleMachine, step
from tests.table.lifecycle_model import Refusal, Table


class PlaySteps(LifecycleMachine):
    """What visitors do while a game is played, and what time does to it."""

    @step(RUNNING)
    def play(self, t: Table, who: str, seat: int, luck: Random) -> None:
        """Whoever is asked decides what is legal, several times; a bot's driver for bots."""
        self.play_on(t, luck.choice([1, 5, 20]), luck)

    @step(RUNNING)
    def act(self, t: Table, who: str, seat: int, luck: Random) -> None:
        """Anybody decides for any seat, on a page that may be old."""
        late, pick = luck.choice([0, 1, 2]), luck.randrange(100)
        why, texts, ply = t.may_not_decide(who, seat), ["bid 1"], len(t.plies) - late
        if not t.foreign(who, seat) and t.status == RUNNING and seat in t.resigned:
            why = WrongTime
        why = why or (WrongTime if t.status == OPEN else None)
        if not why:
            fits = t.plies[-1].since <= ply and (seat in t.pending or not late)
            texts = self.legal(t, seat, pick) if seat in t.pending else texts
            texts = ["dance"] if luck.random() < 0.2 else texts
            if not fits:
                own = (k for k in range(max(1, ply), len(t.plies)) if t.plies[k].seat == seat)
                k = next((k for k in own if t.plies[k].events), 0)
                again = k > 0 and t.plies[k - 1].since <= ply
                same = again and t.plies[k].events[0].text == texts[0]
                why = Repeated if same else Stale
            elif t.status == RUNNING and texts == ["dance"]:
                why = BadInput
            elif seat not in t.pending:
                why = IllegalMove
        answer = self.give(decisions.decide, t, who, ply, "; ".join(texts), seat, why=why)
        if not why:
            t.follow(answer, self.now)
            assert [p.events[0].text for p in t.fresh[: len(texts)]] == texts

    @step(RUNNING)
    def drive(self, t: Table, who: str, seat: int, luck: Random) -> None:
        """A bot's driver decides for a seat of which it is not the driver."""
        chair = t.chairs[seat % len(t.chairs)]
        if not (chair.kind == BOT or chair.stand_in):
            args = seat % len(t.chairs), len(t.plies), "bid 1"
            self.give(decisions.decide_as_bot, t, *args, why=Forbidden)

    @step(RUNNING)
    def send_twice(self, t: Table, who: str, seat: int, luck: Random) -> None:
        """A decision is sent twice: the second time changes nothing, and is told so."""
        asked = [s for s in t.pending if t.chairs[s].kind == PERSON and not t.chairs[s].stand_in]
        asked = [s for s in asked if s not in t.resigned]
        if t.status != RUNNING or not asked:
            return
        seat, now = asked[seat % len(asked)], len(t.plies)
        pick = luck.randrange(100)
        texts = self.legal(t, seat, pick)
        self.decide(t, seat, pick)
        self.give(
            decisions.decide, t, t.chairs[seat].owner, now, "; ".join(texts), seat, why=Repeated
        )

    @step(RUNNING)
    def take_back(self, t: Table, who: str, seat: int, luck: Random) -> None:
        self.play_on(t, luck.choice([0, 1, 1, 2]), luck)
        late = luck.choice([0, 0, 0, 1])
        movers = [p.seat for p in t.plies if p.kind is PlyKind.MOVE and t.owner(p.seat)]
        if movers and luck.random() < 0.8:
            seat = movers[-1]
            who = t.owner(seat) or who
        why, goal = t.may_not_decide(who, seat), -1
        since = t.plies[-late:] if late else []
        alone = t.people == 1
        if not why and since and (not alone or since[0].kind is not PlyKind.MOVE):
            why = Stale
        why = why or t.unless(RUNNING)
        if not why:
            goal = t.goal(seat)
            shown = goal >= 0 and not alone and forbids_take_back(t.match, seat, goal)  # type: ignore[arg-type]
            why = WrongTime if goal < 0 or shown else None
        past = t.match.at(goal).state.tobytes() if t.match and not why else b""
        ply = len(t.plies) - late
        if self.change(decisions.take_back, t, who, ply, seat, why=why, plies=1):
            assert (t.fresh[0].kind, t.fresh[0].to) == (PlyKind.TAKE_BACK, goal)
            assert t.match is not None
            assert t.match.state.tobytes() == past

    @step(RUNNING)
    def request_take_back(self, t: Table, who: str, seat: int, luck: Random) -> None:
        """A player asks the others; where only bots would have to agree it is done at once."""
        self.play_on(t, luck.choice([0, 1, 2, 3]), luck)
        movers = [p.seat for p in t.plies if p.kind is PlyKind.MOVE and t.owner(p.seat)]
        if movers and luck.random() < 0.8:
            seat = luck.choice(movers)
            who = t.owner(seat) or who
        why = t.may_not_decide(who, seat)
        asked = t.request
        if not why and asked and asked[0] != seat:
            why = WrongTime
        elif not why and not asked:
            why = t.unless(RUNNING)
            asked = None if why else (seat, t.goal(seat), set())
            why = why or (WrongTime if asked and asked[1] < 0 else None)
        self.answered(t, decisions.request_take_back, who, seat, why=why, then=asked)

    @step(RUNNING)
    def answer_take_back(self, t: Table, who: str, seat: int, luck: Random) -> None:
        """Somebody agrees, refuses, or withdraws; or answers what nobody has asked."""
        if not t.request and luck.random() < 0.8:
            self.request_take_back(t, who, seat, luck)
        if t.request and luck.random() < 0.8:
            seat = luck.choice([*t.outstanding(t.request[0], t.request[2]), t.request[0]])
            who = t.owner(seat) or who
        agree, asked = luck.random() < 0.7, t.request
        why = t.may_not_decide(who, seat) or (None if asked else WrongTime)
        if not why and asked and agree and asked[0] == seat:
            why = WrongTime
        then = (asked[0], asked[1], {*asked[2], seat}) if asked and agree else None
        self.answered(t, decisions.answer_take_back, who, seat, agree, why=why, then=then)

    def answered(
        self,
        t: Table,
        command: Any,
        *args: Any,
        why: Refusal,
        then: tuple[int, int, set[int]] | None,
    ) -> None:
        """A command after which this request stands, or what it asks for is done."""
        done = bool(then) and why is None and not t.outstanding(then[0], then[2])  # type: ignore[index]
        if not self.change(command, t, *args, why=why, plies=int(done)):
            return
        if done and then:
            others = " ".join(str(s) for s in range(len(t.chairs)) if s != then[0])
            assert t.fresh[0][4:] == (PlyKind.TAKE_BACK, then[1], others)
        t.request = None if done else then

    @step(RUNNING)
    def resign(self, t: Table, who: str, seat: int, luck: Random) -> None:
        why = t.foreign(who, seat) or t.unless(RUNNING)
        why = why or (WrongTime if seat in t.resigned else None)
        before = len(t.resigned)
        over = before + 2 >= len(t.chairs)
        if why is None and not over:
            t.chairs[seat].stand_in = True
        if self.change(seats.resign, t, who, seat, why=why, plies=1):
            assert t.fresh[0].kind is PlyKind.RESIGN
            assert (t.status == OVER) == over

    @step(RUNNING)
    def hand_over(self, t: Table, who: str, seat: int, luck: Random) -> None:
        """A bot plays for a seat from now on, or (`back`) its player again."""
        back = luck.random() < 0.5
        why = t.foreign(who, seat)
        if back and seat in t.resigned:
            why = why or WrongTime
        elif not back:
            why = why or t.unless(RUNNING)
        plies = int(why is None and t.status == RUNNING and t.chairs[seat].stand_in == back)
        if why is None:
            t.chairs[seat].stand_in = not back
        command = seats.relieve_bot if back else seats.hand_over
        self.change(command, t, who, seat, why=why, plies=plies)

    @step(RUNNING)
    def give_to_bot(self, t: Table, who: str, seat: int, luck: Random) -> None:
        """Somebody lets a bot play for another, who may have been here until just now."""
        here, who = luck.random() < 0.15, luck.choice([t.host, t.host, who])
        if luck.random() < 0.8:
            self.wait(int(AWAY // SLICE) + 1)
        if here and seat < len(t.chairs) and (owner := t.chairs[seat].owner):
            self.authority.touch(t.id, owner)
            self.seen[t.id, owner] = self.clock()
        why = t.stranger(who) or (None if t.status == RUNNING else Forbidden)
        if not why and seat >= len(t.chairs):
            why = NotFound
        elif not why:
            chair = t.chairs[seat]
            last = max(self.seen.get((t.id, chair.owner or ""), self.began), t.created)
            away = self.clock() - last >= AWAY
            why = None if chair.kind == PERSON and not chair.stand_in and away else WrongTime
        if why is None:
            t.chairs[seat].stand_in = True
        self.change(seats.give_to_bot, t, who, seat, why=why, plies=1)

    @step()
    def time_passes(self, t: Table, who: str, seat: int, luck: Random) -> None:
        self.wait(luck.randint(1, 3))

    @step()
    def restart(self, t: Table, who: str, seat: int, luck: Random) -> None:
        """The process ends, and another one begins on the same database."""
        self._close()
        self._open()
