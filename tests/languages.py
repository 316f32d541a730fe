"""The languages there are, beside English, and the messages that they translate."""

from functools import cache
from pathlib import Path

from babel.messages.catalog import Catalog

import diablerie
from tools.catalogues import catalogue_file, read_catalogue
from tools.messages import messages

ROOT = Path(diablerie.__file__).parent
LANGUAGES = ("de", "fr", "ro")


@cache
def messages_of(package: Path = ROOT) -> Catalog:
    """The messages of a package's sources; to find them takes a second."""
    return messages(package)


@cache
def catalogue_of(language: str) -> Catalog:
    """The translations of the package's messages into a language."""
    return read_catalogue(catalogue_file(ROOT, language))
