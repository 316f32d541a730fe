"""Compile packages to bytecode, without what only type checkers read: it is a fifth of their size.

The Python that will run the packages runs this, and knows nothing of diablerie: so only the
standard library is imported here. Docstrings go. So do overloads, what type checkers alone import,
and annotations of functions and variables. Those of classes stay, since structs and named tuples
are made from them, and those of functions whose decorators might read them.
"""

import ast
import importlib.util
from collections.abc import Iterator
from importlib import _bootstrap_external
from pathlib import Path
from types import CodeType

HARMLESS = {  # decorators that read no annotations
    "abstractmethod", "asynccontextmanager", "cache", "cached_property", "classmethod",
    "contextmanager", "lru_cache", "override", "property", "rule", "setter", "staticmethod",
}  # fmt: skip
PLACELESS = 0b1_1111_000  # an entry of a table of places
LONGEST_PLACE_ENTRY = 8  # units that one entry covers, at most
AnyFunction = ast.FunctionDef | ast.AsyncFunctionDef


def compile_folder(
    folder: Path, sourced: list[str], annotated: list[str], traced: list[str]
) -> None:
    """Replace all modules below a folder by their bytecode.

    sourced: files that stay sources, since they read themselves; annotated: folders whose
    annotations stay, since they are read; traced: folders whose numbers of lines stay. All of them
    are given below the folder.
    """
    for file in sorted(folder.rglob("*.py")):
        name = file.relative_to(folder).as_posix()
        if name not in sourced:
            source = file.read_bytes()
            tree = ast.parse(source)
            tree = tree if name.startswith(tuple(annotated)) else strip(tree)
            code = compile(tree, str(file), "exec", dont_inherit=True, optimize=2)
            _replace(file, code if name.startswith(tuple(traced)) else _untraced(code))


def _untraced(code: CodeType) -> CodeType:
    """Code without its numbers of lines, which are a tenth of it.

    Its table of places must cover all of it, or tracebacks fail: here with entries of up to eight
    units of code that have no place, in the format that CPython has for it.
    """
    whole, rest = divmod(len(code.co_code) // 2, LONGEST_PLACE_ENTRY)
    table = bytes(
        [PLACELESS | (LONGEST_PLACE_ENTRY - 1)] * whole + [PLACELESS | (rest - 1)] * bool(rest)
    )
    inner = [_untraced(one) if isinstance(one, CodeType) else one for one in code.co_consts]
    return code.replace(co_linetable=table, co_consts=tuple(inner))


def _replace(file: Path, code: CodeType) -> None:
    digest = importlib.util.source_hash(file.read_bytes())
    pyc = _bootstrap_external._code_to_hash_pyc(code, digest, checked=False)  # type: ignore[attr-defined]
    file.with_suffix(".pyc").write_bytes(pyc)
    file.unlink()


def strip(module: ast.Module) -> ast.Module:
    """A module without what only type checkers read; the tree that is given changes."""
    stripped = ast.fix_missing_locations(_Stripper().visit(module))
    assert isinstance(stripped, ast.Module)
    return stripped


class _Stripper(ast.NodeTransformer):
    """in_class: whether statements are those of a class itself."""

    in_class = False

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST | None:
        return self._function(node)

    def visit_AsyncFunctionDef(self, node: ast.AsyncFunctionDef) -> ast.AST | None:
        return self._function(node)

    def _function(self, node: AnyFunction) -> ast.AST | None:
        if any(_is(one, "overload") for one in node.decorator_list):
            return None
        decorators = {_name(one) for one in node.decorator_list}
        if decorators <= HARMLESS:
            node.returns = None
            for argument in _arguments(node.args):
                argument.annotation = None
        return self._within(node, in_class=False)

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.AST:
        return self._within(node, in_class=True)

    def _within(self, node: AnyFunction | ast.ClassDef, in_class: bool) -> ast.AST:
        before = self.in_class
        self.in_class = in_class
        self.generic_visit(node)
        self.in_class = before
        node.body = node.body or [ast.Pass()]
        return node

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.AST:
        # without a value it may still make a name local, so it stays
        if self.in_class or node.value is None:
            return node
        return ast.copy_location(ast.Assign([node.target], node.value), node)

    def visit_If(self, node: ast.If) -> ast.AST | list[ast.AST]:
        if _is(node.test, "TYPE_CHECKING"):
            left = ast.Module(node.orelse or [ast.Pass()], [])
            self.generic_visit(left)
            return list[ast.AST](left.body)
        self.generic_visit(node)
        node.body = node.body or [ast.Pass()]
        return node


def _is(node: ast.expr, name: str) -> bool:
    """Whether something is this name, and no call of it (Numba has an `overload`, too)."""
    return not isinstance(node, ast.Call) and _name(node) == name


def _name(node: ast.expr) -> str:
    """The last name of what is asked, or of what is called."""
    node = node.func if isinstance(node, ast.Call) else node
    if isinstance(node, ast.Attribute):
        return node.attr
    return node.id if isinstance(node, ast.Name) else ""


def _arguments(args: ast.arguments) -> Iterator[ast.arg]:
    yield from (*args.posonlyargs, *args.args, *args.kwonlyargs)
    yield from filter(None, (args.vararg, args.kwarg))
