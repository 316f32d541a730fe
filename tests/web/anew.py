"""Words are read anew: for tests that bring catalogues, before they run and when they are over."""

from collections.abc import Iterator
from contextlib import contextmanager

from diablerie.web import assets, language, pages, speech

REMEMBERED = (
    assets.contents,
    assets.digest,
    language.available,
    language.texts,
    pages.environment,
    speech.speech_of,
)


@contextmanager
def anew() -> Iterator[None]:
    """Nothing is remembered of the words and styles there were."""
    forget()
    try:
        yield
    finally:
        forget()


def forget() -> None:
    for cached in REMEMBERED:
        cached.cache_clear()
