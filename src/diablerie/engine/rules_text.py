"""The law of a game in a language: `RULES.xx.md` beside `RULES.md`, clause by clause.

Who reads the law in another language reads its English where there is no translation, as games
from outside may bring none.
"""

import re
from functools import cache
from importlib.resources import files

from diablerie.engine.game import CLAUSE, Game
from diablerie.engine.text import Line

EMPHASIS_MARKS = re.compile(r"(?<!\w)[*_]|[*_](?!\w)|`")  # Markdown inside a clause


def localized_rules(game: Game, language: str = "en") -> str:
    """The rules text of a game, Markdown."""
    return _translation(game.home, language) or game.text


@cache
def _translation(home: str, language: str) -> str:
    """The rules text in a language, "" if there is none."""
    file = files(home) / f"RULES.{language}.md"
    return file.read_text("utf-8") if file.is_file() else ""


def clauses(game: Game, language: str = "en") -> dict[str, str]:
    """The text of every clause by its number."""
    return dict(CLAUSE.findall(localized_rules(game, language)))


def line(game: Game, clause: str) -> Line:
    """A clause as a sentence to be shown; its number alone if the law has no such clause."""
    return Line(_plain(game.clause_texts.get(clause, clause)), {}, clause=clause)


def wordings(game: Game, language: str) -> dict[str, str]:
    """The translations of the messages that `line` makes, by message."""
    translated = clauses(game, language)
    return {
        _plain(english): _plain(translated.get(clause, english))
        for clause, english in game.clause_texts.items()
    }


def _plain(text: str) -> str:
    """A clause without Markdown, as a message in which nothing is a name to be filled in."""
    return EMPHASIS_MARKS.sub("", text).replace("{", "{{").replace("}", "}}")
