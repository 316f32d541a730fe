"""Background work that checks the database every few seconds, so that `/healthz` answers at once."""

from diablerie.runtime.background import Background
from diablerie.runtime.clock import SYSTEM_CLOCK, Clock
from diablerie.table.errors import Unavailable
from diablerie.table.storage.store import Store

CHECK_SECONDS = 5.0  # seconds between two checks
DEEP_CHECK_SECONDS = 3600.0  # seconds between two checks that read the whole file


class Health(Background):
    """Checks a store from `start` to `stop`, every CHECK_SECONDS."""

    def __init__(self, store: Store, clock: Clock = SYSTEM_CLOCK) -> None:
        super().__init__("health", self._run, clock)
        self._next_deep = clock.monotonic()
        self._store = store

    @property
    def trouble(self) -> str:
        """What the last check found wrong with the database, "" for nothing."""
        return self._store.trouble

    def check(self, *, deep: bool = False) -> None:
        """Check now; with `deep` read the whole file for damage."""
        try:
            self._store.check(deep=deep)
        except Unavailable:
            pass  # the store has noted why in `trouble`
        except Exception as error:
            self._store.trouble = f"{type(error).__name__}: {error}"

    def _run(self) -> float:
        deep = self._clock.monotonic() >= self._next_deep
        if deep:
            self._next_deep = self._clock.monotonic() + DEEP_CHECK_SECONDS
        self.check(deep=deep)
        return CHECK_SECONDS
