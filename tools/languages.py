"""Bring the catalogues up to date: `python -m tools.languages [FOLDER-OF-A-PACKAGE] [LANGUAGE]…`.

New messages come in empty, gone ones go, and what is missing is printed. A language that is named
and has no catalogue gets an empty one.
"""

import sys
from pathlib import Path

from babel.core import Locale, UnknownLocaleError
from babel.messages.catalog import Catalog

from tools import catalogues
from tools.messages import messages

OURS = Path(__file__).parent.parent / "src" / "diablerie"


def main() -> int:
    """Update all catalogues of a package; status 1 if something is missing in one."""
    named = sys.argv[1:]
    package = Path(named.pop(0)).resolve() if named and Path(named[0]).is_dir() else OURS
    for language in named:
        try:
            Locale.parse(language)
        except (UnknownLocaleError, ValueError):
            print(f"diablerie: there is no language {language!r}", file=sys.stderr)
            return 2
    template = messages(package)
    wanted = sorted({*named, *catalogues.languages(package)})
    return max([_update(package, template, language) for language in wanted], default=0)


def _update(package: Path, template: Catalog, language: str) -> int:
    path = catalogues.catalogue_file(package, language)
    made = catalogues.update(
        template, catalogues.read_catalogue(path) if path.exists() else None, language
    )
    catalogues.write_catalogue(path, made, language)
    lacking = catalogues.unfinished(made)
    wrong = [flaw for message in made if message.id for flaw in catalogues.flaws(message)]
    for message in lacking:
        print(f"{language}: no translation: {message.id!r} ({message.locations[0][0]})")
    for flaw in wrong:
        print(f"{language}: {flaw}")
    print(f"{language}: {len(made)} messages, {len(lacking)} missing, {len(wrong)} wrong")
    return int(bool(lacking or wrong))


if __name__ == "__main__":
    raise SystemExit(main())
