"""The mistakes themselves: what can be got wrong in one expression or statement of Python."""

import ast
from collections.abc import Callable, Iterator
from typing import Any

SAYING = {"say", "says", "_", "ngettext", "gettext"}
LOGGING = {"LOG", "log", "logger", "logging", "warnings"}
FLIPS: dict[type[ast.AST], type[ast.AST]] = {
    ast.Eq: ast.NotEq, ast.NotEq: ast.Eq, ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE,
    ast.GtE: ast.Gt, ast.In: ast.NotIn, ast.NotIn: ast.In, ast.Is: ast.IsNot, ast.IsNot: ast.Is,
    ast.And: ast.Or, ast.Or: ast.And, ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Div,
    ast.Div: ast.Mult, ast.FloorDiv: ast.Mult, ast.Mod: ast.Mult, ast.Pow: ast.Mult,
    ast.BitAnd: ast.BitOr, ast.BitOr: ast.BitAnd, ast.LShift: ast.RShift, ast.RShift: ast.LShift,
}  # fmt: skip
LARGE = 100  # a limit of one more than so many is the same limit to everybody
TWINS = {"min": "max", "max": "min", "any": "all", "all": "any"}

Put = Callable[[Any], None]  # puts another node in a node's place
Mistake = tuple[str, Callable[[], None]]  # its kind, and what makes it in this tree


def mistakes_of(node: ast.AST, put: Put) -> Iterator[Mistake]:
    """The mistakes that can be made with one expression."""
    if isinstance(node, ast.Compare) and len(node.ops) == 1:
        other = FLIPS[type(node.ops[0])]
        yield "comparison", lambda: node.ops.__setitem__(0, other())  # type: ignore[call-overload]
    elif isinstance(node, ast.BoolOp):
        yield "and, or", lambda: setattr(node, "op", FLIPS[type(node.op)]())
    elif isinstance(node, ast.BinOp) and type(node.op) in FLIPS and not _is_text(node):
        yield "arithmetic", lambda: setattr(node, "op", FLIPS[type(node.op)]())
    elif isinstance(node, ast.UnaryOp):
        yield "sign or not", lambda: put(node.operand)
    elif isinstance(node, ast.IfExp):
        yield "condition", lambda: setattr(node, "test", negated(node.test))
    elif isinstance(node, ast.comprehension) and node.ifs:
        yield "condition", lambda: node.ifs.__setitem__(0, negated(node.ifs[0]))
    elif isinstance(node, ast.Constant):
        yield from constant_mistakes(node)
    elif isinstance(node, ast.Call):
        yield from call_mistakes(node)


def constant_mistakes(node: ast.Constant) -> Iterator[Mistake]:
    """Another number (the next, or the double of a large one), the other truth, another text."""
    value = node.value
    if isinstance(value, bool):
        yield "constant", lambda: setattr(node, "value", not value)
    elif isinstance(value, int):
        yield "constant", lambda: setattr(node, "value", value + 1 if value < LARGE else value * 2)
    elif isinstance(value, float):
        yield "constant", lambda: setattr(node, "value", value * 1.5 or 1.0)
    elif isinstance(value, str) and value:
        yield "text", lambda: setattr(node, "value", value + "x")


def call_mistakes(node: ast.Call) -> Iterator[Mistake]:
    """Arguments exchanged or forgotten, the opposite function."""
    given = node.args[:2]
    plain = not any(isinstance(one, ast.Starred) for one in given)
    if len(given) == 2 and plain and ast.dump(given[0]) != ast.dump(given[1]):
        yield "swapped arguments", lambda: _swap(node.args, 0, 1)
    if node.keywords and root(node.func) not in SAYING:
        yield "dropped keyword", lambda: node.keywords.pop()
    named = [one for one in node.keywords if one.arg]
    if len(named) > 1 and ast.dump(named[0].value) != ast.dump(named[1].value):
        yield "swapped arguments", lambda: _swap_values(named[0], named[1])
    if isinstance(node.func, ast.Name) and node.func.id in TWINS:
        name = node.func
        yield "opposite function", lambda: setattr(name, "id", TWINS[name.id])
    if isinstance(node.func, ast.Name) and node.func.id == "range":
        last = ast.BinOp(node.args[-1 if len(node.args) < 3 else 1], ast.Add(), ast.Constant(1))
        at = min(len(node.args), 2) - 1
        yield "off by one", lambda: node.args.__setitem__(at, last)


def statement_mistakes(node: ast.stmt) -> Iterator[Mistake]:
    """A condition negated, another value returned, a loop that never runs."""
    if isinstance(node, ast.If | ast.While):
        yield "condition", lambda: setattr(node, "test", negated(node.test))
    elif isinstance(node, ast.Return) and node.value and not _is_none(node.value):
        yield "returned value", lambda: setattr(node, "value", ast.Constant(None))
    elif isinstance(node, ast.For | ast.AsyncFor):
        if isinstance(node, ast.For):
            yield "loop never run", lambda: setattr(node, "iter", ast.Tuple([], ast.Load()))
    elif isinstance(node, ast.AugAssign) and type(node.op) in FLIPS:
        yield "arithmetic", lambda: setattr(node, "op", FLIPS[type(node.op)]())


def removals(body: list[ast.stmt], at: int, node: ast.stmt) -> Iterator[Mistake]:
    """The statement forgotten."""
    if isinstance(
        node, ast.Expr | ast.AugAssign | ast.Raise | ast.Delete | ast.Continue | ast.Break
    ):
        if isinstance(node, ast.Expr) and not isinstance(node.value, ast.Call | ast.Await):
            return
        if isinstance(node, ast.Expr) and _logs(node.value):
            return
        yield "statement", lambda: body.__setitem__(at, ast.Pass())
    elif isinstance(node, ast.Assign) and not isinstance(node.targets[0], ast.Name | ast.Tuple):
        yield "statement", lambda: body.__setitem__(at, ast.Pass())


def decorator_mistakes(node: ast.FunctionDef | ast.AsyncFunctionDef) -> Iterator[Mistake]:
    """Each decorator forgotten, but for those without which nothing of it could be called."""
    for at, one in enumerate(node.decorator_list):
        if root(one) not in {"property", "staticmethod", "classmethod", "abstractmethod"}:
            yield "decorator", lambda at=at: node.decorator_list.pop(at)  # type: ignore[misc]


def negated(test: ast.expr) -> ast.expr:
    """The opposite condition."""
    return (
        test.operand
        if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not)
        else (ast.UnaryOp(ast.Not(), test))
    )


def bodies(node: ast.stmt) -> Iterator[list[ast.stmt]]:
    """The blocks of a compound statement."""
    for name in ("body", "orelse", "finalbody"):
        if isinstance(block := getattr(node, name, None), list):
            yield block
    for inner in (*getattr(node, "handlers", ()), *getattr(node, "cases", ())):
        yield inner.body


def _swap(values: list[Any], a: int, b: int) -> None:
    values[a], values[b] = values[b], values[a]


def _swap_values(a: ast.keyword, b: ast.keyword) -> None:
    a.value, b.value = b.value, a.value


def is_plain(node: ast.stmt) -> bool:
    """Docstrings, imports and `__all__`: nothing to mistake."""
    if isinstance(node, ast.Import | ast.ImportFrom | ast.Global | ast.Nonlocal):
        return True
    if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "__all__":
        return True
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def is_type_check(node: ast.stmt) -> bool:
    """Whether it is for type checkers alone."""
    return isinstance(node, ast.If) and ast.unparse(node.test).endswith("TYPE_CHECKING")


def _is_text(node: ast.BinOp) -> bool:
    sides = (node.left, node.right)
    return any(
        isinstance(s, ast.JoinedStr) or isinstance(getattr(s, "value", 0), str) for s in sides
    )


def _is_none(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value is None


def _logs(node: ast.expr) -> bool:
    return isinstance(node, ast.Call) and root(node.func) in LOGGING


def root(node: ast.expr) -> str:
    """The first name of `a.b.c(…)`."""
    while isinstance(node, ast.Attribute | ast.Call | ast.Subscript):
        node = node.func if isinstance(node, ast.Call) else node.value
    return node.id if isinstance(node, ast.Name) else ""
