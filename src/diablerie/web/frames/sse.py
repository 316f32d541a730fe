"""Server-sent events, and how a stream compresses them without a compressor of its own.

A compressor for each stream would take 50 kB of memory, and compress for each what many send. So
every event is compressed by itself, into blocks of a deflate stream that refer to the text of the
last events which the stream has sent (a preset dictionary, as zlib calls it). Streams share those
texts, and an event that several streams send after the same events is compressed once.
"""

import itertools
import zlib

STREAM_COMPRESSION = 3  # of compression: what 4 makes is no smaller here
MEMORY = 6  # of 9: less to clear for each event, and no byte more
REACH_BYTES = 32_000  # bytes before an event that it may refer to; deflate knows 32,768
SHORT_EVENT_BYTES = 200  # bytes of an event that refers to nothing
_numbers = itertools.count()


class ServerSentEvent:
    """A server-sent event.

    `apart`: it holds what others wrote. It is compressed together with no other event, since the
    length of the compressed text would tell an eavesdropper whether both are alike.
    """

    def __init__(self, text: bytes, apart: bool = False) -> None:
        self.text = text
        self.apart = apart
        self.number = next(_numbers)
        self._squeezed: dict[tuple[int, ...], bytes] = {}

    def squeezed(self, after: tuple["ServerSentEvent", ...] = ()) -> bytes:
        """The event as blocks of a deflate stream, the last of which were those of `after`."""
        known = () if self.apart or len(self.text) < SHORT_EVENT_BYTES else after
        key = tuple(event.number for event in known)
        if key not in self._squeezed:
            before = b"".join([event.text for event in known])
            self._squeezed[key] = deflate_blocks(self.text, before)
        return self._squeezed[key]


EMPTY_EVENT = ServerSentEvent(b"")


class Window:
    """The last events that a stream has sent: what the next one may refer to."""

    def __init__(self) -> None:
        self._sent: tuple[ServerSentEvent, ...] = ()

    def squeeze(self, event: ServerSentEvent) -> bytes:
        """The event, compressed so that the stream can send it next, which it does."""
        squeezed = event.squeezed(self._sent)
        sent = () if event.apart else (*self._sent, event)
        size = sum(len(one.text) for one in sent)
        while size > REACH_BYTES:
            size -= len(sent[0].text)
            sent = sent[1:]
        self._sent = sent
        return squeezed


def deflate_blocks(text: bytes, before: bytes = b"") -> bytes:
    """Text as blocks that may follow any others in a deflate stream, if `before` was its last text."""
    bits = min(15, max(9, (len(text) + len(before)).bit_length()))
    deflate = zlib.compressobj(STREAM_COMPRESSION, zlib.DEFLATED, -bits, MEMORY, zdict=before)
    return deflate.compress(text) + deflate.flush(zlib.Z_FULL_FLUSH)
