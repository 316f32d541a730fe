"""Words are read anew: for tests that bring catalogues, before they run and when they are over."""

from collections.abc import Iterator
from contextlib import contextmanager

from diablerie.web.html import assets, speech, templates
from diablerie.web.people import language

REMEMBERED = (
    assets.contents,
    assets.static_digest,
    language.available,
    language.texts,
    templates.environment,
    speech.speech_for,
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
