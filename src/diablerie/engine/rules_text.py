"""The law of a game in a language: `RULES.xx.md` beside `RULES.md`, clause by clause.

Who reads the law in another language reads its English where there is no translation, as games
from outside may bring none.
"""

import re
from functools import cache
from importlib.resources import files

from diablerie.engine.game import CLAUSE, Game
from diablerie.engine.text import Line

MARKS = re.compile(r"(?<!\w)[*_]|[*_](?!\w)|`")  # Markdown inside a clause


def localized_rules(game: Game, language: str = "en") -> str:
    """The rules text of a game, Markdown."""
    return _translation(game.rules.__name__.rpartition(".")[0], language) or game.text


@cache
def _translation(home: str, language: str) -> str:
    """The rules text in a language, "" if there is none."""
    found = files(home) / f"RULES.{language}.md"
    return found.read_text("utf-8") if found.is_file() else ""


def clauses(game: Game, language: str = "en") -> dict[str, str]:
    """The text of every clause by its number."""
    return dict(CLAUSE.findall(localized_rules(game, language)))


def line(game: Game, clause: str) -> Line:
    """A clause as a sentence to be shown; its number alone if the law has no such clause."""
    return Line(_plain(game.clause_texts.get(clause, clause)), {}, clause=clause)


def wordings(game: Game, language: str) -> dict[str, str]:
    """What the messages of `line` are in a language."""
    there = clauses(game, language)
    pairs = ((told, there.get(clause, told)) for clause, told in game.clause_texts.items())
    return {_plain(told): _plain(translated) for told, translated in pairs}


def _plain(told: str) -> str:
    """A clause without marks, as a message: nothing in it is a name to be filled in."""
    return MARKS.sub("", told).replace("{", "{{").replace("}", "}}")
