"""The mutation tool: mistakes are what they are called, samples are fair, nothing is written."""

import ast

import pytest
from tools.mutants import python, script
from tools.mutants.places import PLACES, ROOT, files_of, holds_compiled, is_compiled, module_of


def mistakes(source: str, kind: str, **manner: bool) -> list[str]:
    """What the statement becomes by each mistake of a kind."""
    return [one.after for one in python.changes(source, **manner) if one.kind == kind]


@pytest.mark.parametrize(
    ("kind", "source", "after"),
    [
        ("comparison", "f(a < b)", ["f(a <= b)"]),
        ("comparison", "f(a in b, c is d)", ["f(a not in b, c is d)", "f(a in b, c is not d)"]),
        ("and, or", "f(a and b)", ["f(a or b)"]),
        ("arithmetic", "f(a + b)", ["f(a - b)"]),
        ("arithmetic", "a += b // c", ["a -= b // c", "a += b * c"]),
        ("sign or not", "f(-a, not b)", ["f(a, not b)", "f(-a, b)"]),
        ("condition", "if a:\n    b()", ["if not a:\n    ..."]),
        ("condition", "f(a if not b else c)", ["f(a if b else c)"]),
        ("condition", "f([a for a in b if a])", ["f([a for a in b if not a])"]),
        ("constant", "f(0, 3000, True, 0.5)",
         ["f(1, 3000, True, 0.5)", "f(0, 6000, True, 0.5)", "f(0, 3000, False, 0.5)",
          "f(0, 3000, True, 0.75)"]),
        ("text", "f('a', '')", ["f('ax', '')"]),
        ("swapped arguments", "f(a, b, c)", ["f(b, a, c)"]),
        ("swapped arguments", "say('{x} hits {y}.', x=a, y=b)", ["say('{x} hits {y}.', x=b, y=a)"]),
        ("dropped keyword", "f(a, b=1, c=2)", ["f(a, b=1)"]),
        ("opposite function", "f(min(a), any(b))", ["f(max(a), any(b))", "f(min(a), all(b))"]),
        ("off by one", "f(range(n), range(a, n, 2))",
         ["f(range(n + 1), range(a, n, 2))", "f(range(n), range(a, n + 1, 2))"]),
        ("loop never run", "for a in b:\n    c()", ["for a in ():\n    ..."]),
        ("returned value", "def f():\n    return a\n    return None", ["return None"]),
        ("statement", "def f():\n    a.b = 1\n    c()\n    raise d", ["pass"] * 3),
        ("decorator", "@cache\n@property\ndef f(): ...", ["@property\ndef f():\n    ..."]),
    ],
)  # fmt: skip
def test_a_mistake_is_what_it_is_called(kind: str, source: str, after: list[str]) -> None:
    assert mistakes(source, kind) == after


@pytest.mark.parametrize(
    "source",
    [
        '"""A text of 1 or 2."""',
        "__all__ = ['a', 'b']",
        "from a import b",
        "def f(a: int | None = a) -> 'B': pass",
        "log.error('told %s', 1)",
        "say('Only the wording.')",
        "f'{a} of'",
        "raise a",
        "@rule\ndef f(s):\n    return s.a + 1",
        "if TYPE_CHECKING:\n    a = 1",
    ],
)
def test_what_tests_need_not_notice_is_left_alone(source: str) -> None:
    assert python.changes(source) == []


def test_constants_that_are_frozen_into_compiled_code_and_measures_of_a_drawing_are_left_alone():
    source = "A = 3\n\ndef f():\n    return circle(7, 'edge', 'M0 0')"
    assert "A = 4" in mistakes(source, "constant")
    assert mistakes(source, "constant", frozen=True) == ["return circle(8, 'edge', 'M0 0')"]
    assert mistakes(source, "constant", drawn=True) == ["A = 3"][:0]
    assert mistakes(source, "text", drawn=True) == ["return circle(7, 'edgex', 'M0 0')"]


def test_every_mistake_of_a_real_file_compiles_is_another_code_and_keeps_its_lines() -> None:
    path = "src/diablerie/table/bots/turn_queue.py"
    source = (ROOT / path).read_text("utf-8")
    plain = ast.dump(ast.parse(source))
    lines = {node.lineno for node in ast.walk(ast.parse(source)) if isinstance(node, ast.stmt)}
    for number in range(python.count(source)):
        change, tree = python.changed(source, number)
        assert ast.dump(tree) != plain
        assert change.before != change.after
        assert change.line in lines
        assert change.line <= change.last
        compile(tree, path, "exec")
    assert python.count(source) > 30


def test_compiled_code_is_known() -> None:
    (function,) = ast.parse("@numba.njit(cache=True)\ndef f(): ...").body
    assert isinstance(function, ast.FunctionDef)
    assert is_compiled(function)
    assert holds_compiled((ROOT / "src/diablerie/bots/tree.py").read_text("utf-8"))
    assert not holds_compiled((ROOT / "src/diablerie/table/commands/chat.py").read_text("utf-8"))
    assert module_of("src/diablerie/table/__init__.py") == "diablerie.table"


# -- the script --------------------------------------------------------------------------------


def edited(source: str, kind: str) -> list[str]:
    numbers = range(script.count(source))
    found = (script.changed(source, number) for number in numbers)
    return [text for change, text in found if change.kind == kind]


@pytest.mark.parametrize(
    ("kind", "source", "after"),
    [
        ("comparison", "f(a === b, c < d);", ["f(a !== b, c < d);", "f(a === b, c <= d);"]),
        ("and, or", "f(a && b ?? c);", ["f(a || b ?? c);", "f(a && b && c);"]),
        ("arithmetic", "f(a + -b, i++);", ["f(a - -b, i++);", "f(a + -b, i--);"]),
        ("sign or not", "f(!a, -b);", ["f(a, -b);", "f(!a, b);"]),
        ("constant", "f(1, 2500, true);", ["f(1, 2500, false);", "f(1, 5000, true);",
                                           "f(2, 2500, true);"]),
        ("text", 'f("a", "");', ['f("ax", "");']),
        ("condition", "if (a && b) c();", ["if (!(a && b)) c();"]),
        ("returned value", "  return a;", ["return undefined;"]),
        ("statement", "  a.b(c);", [""]),
    ],
)  # fmt: skip
def test_a_mistake_in_the_script_is_what_it_is_called(
    kind: str, source: str, after: list[str]
) -> None:
    found = [text.strip() for text in edited(source, kind)]
    assert sorted(found) == sorted(after)


def test_patterns_comments_templates_and_imports_stay() -> None:
    source = 'import { a } from "./b.js"; // 1\nx = y.replace(/[a-z]+ 1/g, `${1} 2`);'
    assert not edited(source, "constant")
    assert edited(source, "text") == []
    assert 'ok = a / 2; // "' in edited('ok = a * 2; // "', "arithmetic")


def test_marks_tell_of_blocks_and_change_nothing_else() -> None:
    source = "const f = (a) => {\n  if (a) { return { a: 1 }; }\n};\nf(2);"
    marked = script.marked(source, "x.js")
    assert marked.count("console.debug") == 2
    for line, start in ((1, source.index("{")), (2, source.index("{ return"))):
        marked = marked.replace(script.MARK.format(f'"reached x.js:{line}:{start}"'), "")
    assert marked == source
    numbers = [n for n in range(script.count(source)) if script.edits(source)[n][0] == "constant"]
    assert [script.block_of(source, n) for n in numbers] == [source.index("{ return"), None]


def test_every_file_of_the_script_is_read_and_has_room_for_mistakes() -> None:
    place = next(one for one in PLACES if one.scripted)
    files = list(files_of(place))
    assert len(files) > 15
    for path in files:
        source = (ROOT / path).read_text("utf-8")
        assert script.count(source) > 5
        assert all(
            script.changed(source, n)[1] != source for n in range(0, script.count(source), 9)
        )
