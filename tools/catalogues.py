"""Message catalogues: updating them with a package's messages, and finding mistakes in them.

The catalogue of a language is locales/xx/LC_MESSAGES/PACKAGE.po in the package's folder. No fuzzy
matching: a message whose English has changed is a new one, and the old one is dropped.
"""

import io
import re
import string
from collections.abc import Iterator, Sequence
from pathlib import Path

from babel.messages.catalog import Catalog, Message
from babel.messages.pofile import read_po, write_po

HEADER = """msgid ""
msgstr ""
"Language: {language}\\n"
"MIME-Version: 1.0\\n"
"Content-Type: text/plain; charset=utf-8\\n"
"Content-Transfer-Encoding: 8bit\\n"
"Plural-Forms: {plurals}\\n"

"""
TAG = re.compile(r"</?\w+[^>]*>|`[^`]*`")
EDGE = re.compile(r"^\s*|\s*$")


def catalogue_file(package: Path, language: str) -> Path:
    """The file of a language's catalogue."""
    return package / "locales" / language / "LC_MESSAGES" / f"{package.name}.po"


def languages(package: Path) -> list[str]:
    """The languages that have a catalogue, sorted."""
    return sorted(
        path.parent.parent.name for path in catalogue_file(package, "x").parents[2].glob("*/*/*.po")
    )


def read_catalogue(path: Path) -> Catalog:
    """Read a catalogue. Raises OSError, and PoFileError if the file is none."""
    with path.open("rb") as file:
        return read_po(file, abort_invalid=True)


def update(template: Catalog, known: Catalog | None, language: str) -> Catalog:
    """A catalogue with exactly the messages of `template`, translated as in `known`."""
    updated = Catalog(locale=language)
    for message in template:
        if not message.id:
            continue
        before = known.get(message.id) if known else None
        same = before is not None and before.id == message.id
        files = sorted({file for file, _ in message.locations})
        updated.add(
            message.id,
            before.string if before and same else None,
            [(file, 0) for file in files],
            before.flags & {"fuzzy"} if before and same else (),
            message.auto_comments,
            before.user_comments if before and same else (),
        )
    return updated


def write_catalogue(path: Path, catalog: Catalog, language: str) -> None:
    """Write a catalogue, in the order of its messages and without dates."""
    body = io.BytesIO()
    write_po(body, catalog, width=100, omit_header=True, include_lineno=False)
    header = HEADER.format(language=language, plurals=catalog.plural_forms)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(header.encode() + body.getvalue().rstrip(b"\n") + b"\n")


def forms(message: Message) -> Sequence[str]:
    """The translations of a message, one for each plural form."""
    text = message.string or ""
    return [text] if isinstance(text, str) else list(text)


def unfinished(catalog: Catalog) -> list[Message]:
    """The messages without a translation, or with a fuzzy one."""
    return [m for m in catalog if m.id and (m.fuzzy or not all(forms(m)))]


def flaws(message: Message) -> Iterator[str]:
    """Mistakes in a translation: placeholders, tags or outer spaces that the message has not."""
    sources = [message.id] if isinstance(message.id, str) else list(message.id)
    for form in filter(None, forms(message)):
        wanted = [_shape(source) for source in sources]
        for i, what in enumerate(("names", "marks", "spaces at the ends")):
            if _shape(form)[i] not in [shape[i] for shape in wanted]:
                yield f"other {what}: {form!r} of {sources[-1]!r}"


def _shape(text: str) -> tuple[list[str], list[str], list[str]]:
    """The placeholders, the tags and the outer spaces of a text."""
    named = [f"{{{name}}}" for _, name, _, _ in _fields(text) if name is not None]
    return sorted(named), sorted(TAG.findall(text)), EDGE.findall(text)


def _fields(text: str) -> list[tuple[str, str | None, str | None, str | None]]:
    try:
        return list(string.Formatter().parse(text))
    except ValueError:  # a brace alone
        return [("", text, None, None)]
