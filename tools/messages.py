"""Collect every message a person can see into src/diablerie/locales/diablerie.pot."""

from pathlib import Path

from babel.messages.catalog import Catalog
from babel.messages.extract import extract_from_dir
from babel.messages.pofile import write_po

SOURCES = Path(__file__).resolve().parent.parent / "src" / "diablerie"
METHODS = [("**.py", "python"), ("**/templates/**.html", "jinja2.ext:babel_extract")]
KEYWORDS = {"say": None, "says": (1, 2), "_": None, "gettext": None, "ngettext": (1, 2)}


def messages() -> Catalog:
    """The catalogue of all messages, with where they stand."""
    catalog = Catalog(project="diablerie", charset="utf-8")
    found = extract_from_dir(SOURCES, METHODS, keywords=KEYWORDS, comment_tags=("i18n:",))
    for file, line, message, comments, _ in found:
        catalog.add(message, None, [(file, line)], auto_comments=comments)
    return catalog


def main() -> None:
    """Write the template that languages are made from."""
    target = SOURCES / "locales" / "diablerie.pot"
    target.parent.mkdir(exist_ok=True)
    with target.open("wb") as file:
        write_po(file, messages(), omit_header=False, sort_output=True, width=100)
    print(f"{len(messages())} messages in {target.relative_to(SOURCES.parent.parent)}")


if __name__ == "__main__":
    main()
