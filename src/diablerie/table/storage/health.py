"""Health: a thread that looks after the database, so that whoever asks is answered at once."""

import threading
import time

from diablerie.table.errors import Unavailable
from diablerie.table.storage.store import Store

EVERY = 5.0  # seconds
DEEP = 3600.0  # seconds between two readings of the whole file


class Health:
    """What is known of the database's health."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._stopping = threading.Event()

    @property
    def trouble(self) -> str:
        """What is wrong with the database, "" if nothing is."""
        return self._store.trouble

    def start(self) -> None:
        """Look now, and every few seconds, until `stop`."""
        threading.Thread(target=self._watch, name="health", daemon=True).start()

    def stop(self) -> None:
        """Look no more."""
        self._stopping.set()

    def look(self, *, deep: bool = False) -> None:
        """Find out now."""
        try:
            self._store.check(deep=deep)
        except Unavailable:
            pass  # the store says what it is
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
