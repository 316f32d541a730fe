"""Small mistakes in Python, on the syntax tree: where each could be made, and the mistake itself.

Line numbers stay as they are, so that a function's code can be exchanged in a running process.
Left out is what tests should not notice: docstrings, annotations, `__all__`, what is only logged,
the wording of messages (names and values in them count), and a picture's measures.
"""

import ast
import copy
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from tools.mutants.mistakes import (
    LOGGING,
    SAYING,
    Mistake,
    Put,
    bodies,
    decorator_mistakes,
    is_plain,
    is_type_check,
    mistakes_of,
    removals,
    root,
    statement_mistakes,
)  # fmt: skip
from tools.mutants.places import is_compiled

BLOCKS = {
    "annotation", "returns", "type_comment", "body", "orelse", "finalbody", "handlers", "cases",
}  # fmt: skip


@dataclass(frozen=True)
class Change:
    """One mistake: `number` counts those of the file; `before` and `after` are the statement's."""

    number: int
    line: int
    last: int
    kind: str
    inside: str
    before: str
    after: str


class Finder:
    """Lists the mistakes that a module has room for, always in the same order."""

    def __init__(self, source: str, frozen: bool, drawn: bool) -> None:
        self.tree = ast.parse(source)
        self.frozen, self.drawn = frozen, drawn
        self.found: list[tuple[ast.stmt, str, str, Callable[[], None]]] = []
        self._inside: list[str] = []
        self._statement: ast.stmt | None = None
        self._block(self.tree.body, top=True)

    def _block(self, body: list[ast.stmt], top: bool = False) -> None:
        for at, node in enumerate(body):
            if is_plain(node) or (top and is_type_check(node)):
                continue
            self._statement = node
            if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
                self._add(node, [] if top else list(removals(body, at, node)))
                self._add(node, statement_mistakes(node))
                self._expressions(node)
            self._deeper(node)

    def _deeper(self, node: ast.stmt) -> None:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            if is_compiled(node):
                return
            self._add(node, decorator_mistakes(node))
            self._inside.append(node.name)
            for default in (node.args.defaults, node.args.kw_defaults):
                self._list(default)
            self._block(node.body)
            self._inside.pop()
        elif isinstance(node, ast.ClassDef):
            self._inside.append(node.name)
            self._block(node.body)
            self._inside.pop()
        else:
            for body in bodies(node):
                self._block(body)

    def _add(self, node: ast.stmt, mistakes: Iterable[Mistake]) -> None:
        within_function = bool(self._inside) and not isinstance(node, ast.ClassDef)
        if self.frozen and not within_function:
            return
        for kind, make in mistakes:
            self.found.append((node, kind, ".".join(self._inside), make))

    def _expressions(self, node: ast.AST) -> None:
        """What is wrong inside a statement's own expressions (not in the blocks below it)."""
        for name, value in ast.iter_fields(node):
            if name in BLOCKS and not isinstance(node, ast.IfExp | ast.Lambda):
                continue
            if isinstance(value, list):
                self._list(value)
            elif isinstance(value, ast.AST):
                self._visit(value, lambda new, name=name: setattr(node, name, new))

    def _list(self, values: list[Any]) -> None:
        for at, value in enumerate(values):
            if isinstance(value, ast.AST):
                self._visit(value, lambda new, at=at: values.__setitem__(at, new))

    def _visit(self, node: ast.AST, put: Put) -> None:
        assert self._statement is not None
        if isinstance(node, ast.Call) and root(node.func) in LOGGING:
            return
        self._add(self._statement, [m for m in mistakes_of(node, put) if self._counts(node, m)])
        if isinstance(node, ast.JoinedStr):  # its text is wording
            values = (v.value for v in node.values if isinstance(v, ast.FormattedValue))
            for value in values:
                self._expressions(value)
        elif isinstance(node, ast.Call) and root(node.func) in SAYING:
            for keyword in node.keywords:
                self._expressions(keyword)
        elif not isinstance(node, ast.expr_context):
            self._expressions(node)

    def _counts(self, node: ast.AST, mistake: Mistake) -> bool:
        if not isinstance(node, ast.Constant):
            return True
        if isinstance(self._statement, ast.Raise) and isinstance(node.value, str):
            return False
        if self.drawn and isinstance(node.value, str):
            return node.value.replace("-", "").isalpha()
        return not (self.drawn and isinstance(node.value, int | float)) or node.value in (
            True,
            False,
        )


def changes(source: str, frozen: bool = False, drawn: bool = False) -> list[Change]:
    """All mistakes that a module has room for.

    `frozen`: its constants are part of compiled code, only functions count; `drawn`: it draws, so
    its numbers are measures.
    """
    return [
        changed(source, number, frozen, drawn)[0] for number in range(count(source, frozen, drawn))
    ]


def count(source: str, frozen: bool = False, drawn: bool = False) -> int:
    """How many there are."""
    return len(Finder(source, frozen, drawn).found)


def changed(
    source: str, number: int, frozen: bool = False, drawn: bool = False
) -> tuple[Change, ast.Module]:
    """One of them, and the module's tree with it."""
    finder = Finder(source, frozen, drawn)
    node, kind, inside, make = finder.found[number]
    before = _shown(node)
    first, last = node.lineno, _last_line(node)
    make()
    change = Change(number, first, last, kind, inside, before, _after(finder.tree, node))
    return change, ast.fix_missing_locations(finder.tree)


def _last_line(node: ast.stmt) -> int:
    """Where a statement ends, without the block below it."""
    below = [one.lineno for body in bodies(node) for one in body]
    return max(node.lineno, min(below) - 1) if below else node.end_lineno or node.lineno


def _after(tree: ast.Module, node: ast.stmt) -> str:
    for one in ast.walk(tree):
        if one is node:
            return _shown(node)
    return "pass"


def _shown(node: ast.stmt) -> str:
    """A statement as text, without the block below it."""
    plain = copy.copy(node)
    for name in ("body", "orelse", "finalbody", "handlers", "cases"):
        if getattr(plain, name, None):
            setattr(plain, name, [ast.Expr(ast.Constant(...))] if name == "body" else [])
    if isinstance(plain, ast.Try):
        plain.finalbody = [ast.Pass()]
    return ast.unparse(plain)
