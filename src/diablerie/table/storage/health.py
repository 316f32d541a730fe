"""A thread checks the database every few seconds, so that `/healthz` answers at once."""

import threading
import time

from diablerie.table.errors import Unavailable
from diablerie.table.storage.store import Store

EVERY = 5.0  # seconds between two checks
DEEP = 3600.0  # seconds between two checks that read the whole file


class Health:
    """Checks a store in its own thread."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._stopping = threading.Event()

    @property
    def trouble(self) -> str:
        """What the last check found wrong with the database, "" for nothing."""
        return self._store.trouble

    def start(self) -> None:
        """Check now, and every EVERY seconds, until `stop`."""
        threading.Thread(target=self._watch, name="health", daemon=True).start()

    def stop(self) -> None:
        """End the thread after the check that it is making."""
        self._stopping.set()

    def look(self, *, deep: bool = False) -> None:
        """Check now; with `deep` read the whole file for damage."""
        try:
            self._store.check(deep=deep)
        except Unavailable:
            pass  # the store has noted why in `trouble`
        except Exception as error:
            self._store.trouble = f"{type(error).__name__}: {error}"

    def _watch(self) -> None:
        next_deep = time.monotonic()
        while not self._stopping.is_set():
            deep = time.monotonic() >= next_deep
            if deep:
                next_deep = time.monotonic() + DEEP
            self.look(deep=deep)
            self._stopping.wait(EVERY)
