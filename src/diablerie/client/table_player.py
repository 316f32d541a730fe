"""A bot at a table of a server: any bot that plays tournaments, fed from the stream."""

from collections.abc import Callable, Sequence
from secrets import randbits, token_hex

import numpy as np

import diablerie
from diablerie import api
from diablerie.bots.basic import Bot
from diablerie.bots.spec import Spec
from diablerie.client.client import Client, Refusal
from diablerie.engine import verbs
from diablerie.engine.fair import pledge
from diablerie.engine.game import Game
from diablerie.engine.record import Record
from diablerie.engine.rng import Rng, seeded

LATE_REFUSALS = ("stale", "repeated")  # of a decision: ignored, the table has moved on
PASSED_REFUSALS = ("wrong-time", "forbidden")  # of a nonce: ignored, too


class Misfit(ValueError):
    """A table that this installation cannot play at, or a bot that breaks the rules."""


def play_table(
    client: Client, table: str, spec: Spec, seed: int | None = None, seat: int | None = None
) -> api.Table:
    """Let a bot decide for the program's seats until the match is over; return the table then.

    Every seat has a bot of its own. Raises Misfit, Refusal, and httpx.TransportError.
    """
    rng = seeded(randbits(64) if seed is None else seed)
    bots: dict[int, Bot] = {}
    nonces = Nonces()
    for seen in client.stream(table, seat):
        if seen.status == "over":
            return seen
        send_shares(client, seen, nonces)
        if not seen.legal or seen.seat is None:
            continue
        game = table_game(seen)
        bot = bots.setdefault(seen.seat, spec.make(game))
        do = bot_choice(game, bot, seen, rng)
        try:  # somebody may have decided, or taken back, while the bot thought
            client.decide(table, seen.ply, do, seen.seat)
        except Refusal as refusal:
            if refusal.code not in LATE_REFUSALS:
                raise
    raise AssertionError("a stream has no end")


class Nonces:
    """The nonces with which a program's seats take part in the dice of one table.

    A nonce belongs to one commitment of the table. Once it may have been revealed, it is never
    promised again.
    """

    def __init__(self) -> None:
        self._commitment = ""
        self._shown = False
        self._nonces: dict[int, str] = {}

    def promised(self, commitment: str, seat: int) -> str:
        """The SHA-256 of a seat's nonce, in hex; makes the nonce if there is none."""
        if self._shown or commitment != self._commitment:
            self._commitment = commitment
            self._shown = False
            self._nonces = {}
        nonce = self._nonces.setdefault(seat, token_hex(16))
        return pledge(nonce)

    def shown(self, commitment: str, seat: int, hashes: Sequence[str]) -> str:
        """A seat's nonce, to be revealed; "" unless its hash is that of the seat in `hashes`."""
        nonce = self._nonces.get(seat, "") if commitment == self._commitment else ""
        if not nonce or pledge(nonce) != hashes[seat]:
            return ""
        self._shown = True
        return nonce


def send_shares(client: Client, seen: api.Table, nonces: Nonces) -> None:
    """Send the hashes or nonces that the table asks for; `nonces` remembers them."""
    fair = seen.fair
    commitment = seen.commitment
    for seat in fair.asked:
        try:
            if fair.phase == "pledges":
                client.share(seen.id, seat, hash=nonces.promised(commitment, seat))
            elif nonce := nonces.shown(commitment, seat, fair.hashes):
                client.share(seen.id, seat, nonce=nonce)
        except Refusal as refusal:
            if refusal.code not in PASSED_REFUSALS:
                raise


def table_game(seen: api.Table) -> Game:
    """The game of a table. Raises Misfit if it, or this version of its rules, is not installed."""
    game = diablerie.GAMES.get(seen.game)
    if game is None:
        raise Misfit(f"the game {seen.game} is not installed here")
    if game.version != seen.rules:
        raise Misfit(
            f"{seen.game} is played there by version {seen.rules} of its rules, "
            f"and here is version {game.version}"
        )
    return game


def bot_choice(game: Game, bot: Bot, seen: api.Table, rng: Rng) -> str:
    """The bot's decision in notation. Raises Misfit if it is illegal."""
    assert seen.record is not None
    assert seen.seat is not None
    s = record_from_fields(game, seen.record)
    action = bot.choose(s.copy(), seen.seat, rng)
    if not 0 <= action < game.actions or verbs.forbids(s, seen.seat, action):
        legal = ", ".join(move.do for move in seen.legal[:5])
        raise Misfit(f"the bot chose action {action}, which is not legal; legal are {legal}, …")
    return game.notation.format_action(s, seen.seat, action)


def record_from_fields(game: Game, fields: dict[str, object]) -> Record:
    """The record with these fields, as `Record.asdict` writes them.

    Raises Misfit if a field is missing, unknown, of another shape or out of range: compiled rules
    check no bounds.
    """
    s: Record = game.state.zero()
    if set(fields) != set(s.declared):
        raise Misfit(f"this is no record of {game.name}: its fields are others")
    for name, value in fields.items():
        layout = s.dtype.fields[name][0]  # type: ignore[index]
        try:
            given = np.array(value, layout.base)
        except (OverflowError, TypeError, ValueError):
            given = np.empty((0, 0))  # of no field
        if given.shape != layout.shape:
            raise Misfit(f"this is no record of {game.name}: its {name} cannot be {value}")
        setattr(s, name, given if layout.shape else given.item())
    return s


def series(
    client: Client, table: str, spec: Spec, games: int, tell: Callable[[api.Table], None]
) -> None:
    """Play a number of games with the same players; call `tell` with the table after each."""
    for number in range(games):
        tell(play_table(client, table, spec))
        if number + 1 < games:
            table = client.rematch(table).id
