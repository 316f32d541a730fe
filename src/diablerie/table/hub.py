"""The hub: news of a table to whoever listens in this process. News say only that there are some.

    async with hub.subscribe(table, visitor, client) as news:   # TooMany if the client has many
        version = -1
        while True:
            await news.wait()            # returns at once if something happened since the last time
            live = authority.live(table) # readers fetch what they want: a burst of news is one
"""

from contextlib import AbstractAsyncContextManager

from diablerie.table.visitors import Visitor


class News:
    """One listener's subscription."""

    closing: bool  # the server is going down: end the stream

    async def wait(self, timeout: float | None = None) -> bool:
        """Wait for news; False if none came in `timeout` seconds (time for a heartbeat)."""
        raise NotImplementedError


class Hub:
    """Listeners by table, bounded by client."""

    def subscribe(
        self, table: str, visitor: Visitor | None = None, client: str = ""
    ) -> AbstractAsyncContextManager[News]:
        """Listen to a table; while it is open the visitor counts as present there."""
        raise NotImplementedError

    def publish(self, table: str) -> None:
        """Wake the listeners of a table; from any thread, never waits."""
        raise NotImplementedError

    def close(self) -> None:
        """Wake every listener with `closing` set."""
        raise NotImplementedError
