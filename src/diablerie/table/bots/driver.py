"""The driver of bots: threads that take turns which are due and let bots decide.

Bots get the redacted record of their seat and nothing else.
"""

from diablerie.runtime.background import Background
from diablerie.table.authority import Authority
from diablerie.table.bots.bot_player import BotPlayer
from diablerie.table.bots.turn_queue import BOT_SECONDS, LocalTurns, TurnQueue
from diablerie.table.errors import Unavailable

DATABASE_RETRY_SECONDS = 1.5  # seconds after the database has not answered


class Driver:
    """Lets bots play in `workers` threads, from `start` to `stop`."""

    def __init__(
        self,
        authority: Authority,
        turns: TurnQueue | None = None,
        *,
        tempo: float = BOT_SECONDS,
        workers: int = 2,
        seed: int | None = None,
    ) -> None:
        """`turns` says which bot is next; None: those of all tables, by `tempo` (in seconds)."""
        self._clock = authority.clock
        self.turns = turns or LocalTurns(authority, tempo, workers)
        self._player = BotPlayer(authority, self.turns.wanted, seed)
        self._playing = Background(
            "bots",
            self._play,
            self._clock,
            threads=workers,
            backoff=DATABASE_RETRY_SECONDS,
            expected=Unavailable,
        )

    def start(self) -> None:
        """Begin."""
        self._playing.start()
        self.turns.start(self._playing.wake)

    def stop(self, timeout: float = 3.0) -> None:
        """End; a bot that is thinking is not waited for longer than `timeout` seconds."""
        self.turns.stop(timeout)
        self._playing.stop(timeout)

    def _play(self) -> float | None:
        """Let one bot decide; the seconds until another may be due."""
        turn = self.turns.take()
        if turn is None:
            return self.turns.pause()
        began = self._clock.monotonic()
        again = self._player.play_due_turn(turn.table)
        self.turns.finish(turn, self._clock.monotonic() - began, again)
        return 0.0
