"""Small mistakes in the page's script, on its tokens: no parser of JavaScript is needed for these.

Comments, imports and the inside of template literals stay as they are.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from tools.mutants.mistakes import LARGE
from tools.mutants.python import Change

TOKEN = re.compile(
    r"""(?P<space>\s+|//[^\n]*|/\*.*?\*/)
    |(?P<text>"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*')
    |(?P<template>`(?:\\.|[^`\\])*`)
    |(?P<number>\d+(?:\.\d+)?)
    |(?P<name>[A-Za-z_$][\w$]*)
    |(?P<mark>===|!==|=>|\?\?=|\?\?|\?\.|\.\.\.|\*\*|&&|\|\||<<|>>|<=|>=|\+\+|--|[-+*/%|&]=|[^\s\w])""",
    re.VERBOSE | re.DOTALL,
)
REGEX = re.compile(r"/(?:\\.|\[(?:\\.|[^\]\n])*\]|[^/\\\n\[])+/[a-z]*")
FLIPS = {
    "===": "!==", "!==": "===", "<": "<=", "<=": "<", ">": ">=", ">=": ">", "&&": "||",
    "||": "&&", "??": "&&", "+": "-", "-": "+", "*": "/", "/": "*", "++": "--", "--": "++",
    "+=": "-=", "-=": "+=", "**": "*", "%": "*",
}  # fmt: skip
COMPARING = {"===", "!==", "<", "<=", ">", ">="}
KEPT = r"(?:const|let|return|import|export|for|if|else|case)\b"
ALONE = re.compile(rf"^\s+(?=\S)(?!{KEPT}|[}}.?:`\"/]).*;\s*(//.*)?$")
RETURN = re.compile(r"^(\s*(?:if \(.*\) )?)return (?!;)(.+);\s*$")


@dataclass(frozen=True)
class Token:
    """A piece of source, its kind, and where it starts."""

    kind: str
    text: str
    start: int


def tokens(source: str) -> list[Token]:
    """The source in pieces, without spaces and comments."""
    found: list[Token] = []
    at = 0
    while at < len(source):
        if source[at] == "/" and _begins_regex(found) and source[at : at + 2] not in {"//", "/*"}:
            match = REGEX.match(source, at)
            kind = "regex"
        else:
            match = TOKEN.match(source, at)
            kind = match.lastgroup or "" if match else ""
        if not match:
            raise ValueError(f"no token at {source[at : at + 20]!r}")
        if kind != "space":
            found.append(Token(kind, match[0], at))
        at = match.end()
    return found


def _begins_regex(before: list[Token]) -> bool:
    """Whether a slash here begins a pattern: after an operand it divides."""
    if not before:
        return True
    return not _is_operand(before[-1])


def _is_operand(token: Token) -> bool:
    keywords = {"return", "typeof", "case", "of", "in", "await"}
    if token.kind == "name":
        return token.text not in keywords
    return token.kind in {"text", "template", "number"} or token.text in {")", "]", "}"}


Edit = tuple[str, int, int, str]  # its kind, from where to where, and what stands there instead


def edits(source: str) -> list[Edit]:
    """All mistakes that the source has room for, in a fixed order."""
    pieces = tokens(source)
    imported = {
        n for n, line in enumerate(source.split("\n")) if line.startswith(("import ", "} from"))
    }
    found = [*_of_tokens(pieces), *_conditions(pieces), *_of_lines(source)]
    return [one for one in sorted(set(found)) if _line(source, one[1]) - 1 not in imported]


def _of_tokens(pieces: list[Token]) -> Iterator[Edit]:
    for at, one in enumerate(pieces):
        end = one.start + len(one.text)
        before = pieces[at - 1] if at else one
        if one.kind == "mark" and one.text in FLIPS:
            unary = one.text in {"+", "-", "*", "/"} and not _is_operand(before)
            if not unary:
                kind = "comparison" if one.text in COMPARING else "and, or"
                kind = kind if one.text in COMPARING | {"&&", "||", "??"} else "arithmetic"
                yield kind, one.start, end, FLIPS[one.text]
            elif one.text == "-":
                yield "sign or not", one.start, end, ""
        elif one.text == "!":
            yield "sign or not", one.start, end, ""
        elif one.kind == "number":
            yield "constant", one.start, end, other_number(one.text)
        elif one.text in {"true", "false"} and before.text != ".":
            yield "constant", one.start, end, "false" if one.text == "true" else "true"
        elif one.kind == "text" and len(one.text) > 2:
            yield "text", one.start, end, f"{one.text[:-1]}x{one.text[-1]}"
        elif one.text in {"continue", "break"}:
            yield "statement", one.start, end, ""


def other_number(text: str) -> str:
    """The next number; of what is large (milliseconds, pixels) the double, which is to be seen."""
    value = float(text)
    return str(value + 1 if value < LARGE else value * 2).removesuffix(".0")


def _conditions(pieces: list[Token]) -> Iterator[Edit]:
    """`if (…)` and `while (…)` negated."""
    for at, one in enumerate(pieces[:-1]):
        if one.text in {"if", "while"} and pieces[at + 1].text == "(":
            start = pieces[at + 1].start
            end = _closing(pieces, at + 1)
            inner = "".join(_spaced(pieces, at + 2, end))
            yield "condition", start, pieces[end].start + 1, f"(!({inner}))"


def _closing(pieces: list[Token], at: int) -> int:
    depth = 0
    for here in range(at, len(pieces)):
        depth += {"(": 1, ")": -1}.get(pieces[here].text, 0)
        if not depth:
            return here
    raise ValueError("a bracket is not closed")


def _spaced(pieces: list[Token], start: int, end: int) -> Iterator[str]:
    for one, after in zip(pieces[start:end], pieces[start + 1 : end + 1], strict=True):
        gap = after.start - one.start - len(one.text)
        yield one.text + " " * (gap > 0)


def _of_lines(source: str) -> Iterator[Edit]:
    """Statements of one line left out, values not returned."""
    start = 0
    for line in source.split("\n"):
        end = start + len(line)
        balanced = all(line.count(a) == line.count(b) for a, b in ("()", "[]", "{}", "``"))
        if ALONE.match(line) and balanced and line.count("`") % 2 == 0:
            yield "statement", start, end, ""
        if (match := RETURN.match(line)) and balanced:
            yield "returned value", start, end, f"{match[1]}return undefined;"
        start = end + 1


def _line(source: str, at: int) -> int:
    return source.count("\n", 0, at) + 1


def count(source: str) -> int:
    """How many there are."""
    return len(edits(source))


def changed(source: str, number: int) -> tuple[Change, str]:
    """One of them, and the source with it."""
    kind, start, end, text = edits(source)[number]
    after = source[:start] + text + source[end:]
    line = _line(source, start)
    lines = [one.split("\n")[line - 1].strip() for one in (source, after)]
    return Change(number, line, line, kind, "", *lines), after


MARKED = {")", "=>", "else", "try", "finally", "do"}  # after these a brace opens a block
MARK = "((self.__reached ??= new Set()).has({0}) || (self.__reached.add({0}), console.debug({0})));"


def marked(source: str, name: str) -> str:
    """The source, telling the console of each block that is entered, as `reached NAME:LINE`."""
    pieces = tokens(source)
    parts, at = [], 0
    for one, before in zip(pieces[1:], pieces, strict=False):
        if one.text == "{" and before.text in MARKED:
            end = one.start + 1
            told = f'"reached {name}:{_line(source, one.start)}:{one.start}"'
            parts += [source[at:end], MARK.format(told)]
            at = end
    return "".join([*parts, source[at:]])


def block_of(source: str, number: int) -> int | None:
    """Where the innermost marked block around a mistake begins; None for the file's own level."""
    _, start, _, _ = edits(source)[number]
    pieces = tokens(source)
    opened: list[int | None] = []
    for at, one in enumerate(pieces):
        if one.start >= start:
            break
        if one.text == "{":
            opened.append(one.start if at and pieces[at - 1].text in MARKED else None)
        elif one.text == "}":
            opened.pop()
    return next((one for one in reversed(opened) if one is not None), None)
