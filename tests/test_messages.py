"""Every word a person sees can be translated: messages are literals, with named values."""

import ast
import string
from pathlib import Path

from tools.messages import messages

SOURCES = Path(__file__).parent.parent / "src" / "diablerie"


def calls():
    """Every call of `say` and `says`, with its file and line."""
    for path in SOURCES.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            named = isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
            if named and node.func.id in ("say", "says"):
                yield f"{path.name}:{node.lineno}", node


def names_in(message: str) -> set[str]:
    return {field for _, field, _, _ in string.Formatter().parse(message) if field is not None}


def test_every_message_is_a_literal_whose_names_are_given():
    count = 0
    for where, call in calls():
        texts = call.args[: 2 if call.func.id == "says" else 1]
        assert all(isinstance(t, ast.Constant) and isinstance(t.value, str) for t in texts), where
        given = {k.arg for k in call.keywords} | ({"n"} if call.func.id == "says" else set())
        if None not in given:  # no **values
            for text in texts:
                assert names_in(text.value) <= given, where
        count += 1
    assert count > 50


def test_the_extractor_finds_them():
    found = {m.id if isinstance(m.id, str) else m.id[0] for m in messages() if m.id}
    for where, call in calls():
        assert call.args[0].value in found or not call.args[0].value, where
