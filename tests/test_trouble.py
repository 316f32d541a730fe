"""What docs/trouble.md quotes are the very words of the program."""

import ast
import re
from io import BytesIO
from pathlib import Path

import pytest
from babel.messages.pofile import read_po

from tests.test_cli import run
from tools import setup

ROOT = Path(__file__).parent.parent
PAGE = ROOT / "docs" / "trouble.md"
CATALOGUE = ROOT / "src/diablerie/locales/de/LC_MESSAGES/diablerie.po"
QUOTED = re.findall("^> (.+)$", PAGE.read_text("utf-8"), re.MULTILINE)
GAP = re.compile(r"\{[^}]*\}|%[sd]")


def in_code(path):
    """The texts in a file of Python; what is put into them is “…”."""
    inner = set()  # the parts of formatted texts, which are no texts of their own
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.JoinedStr):
            inner |= set(node.values)
            yield "".join(
                part.value if hasattr(part, "value") and isinstance(part.value, str) else "…"
                for part in node.values
            )
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and node not in inner:
            yield GAP.sub("…", node.value)


@pytest.fixture(scope="module")
def said():
    texts = [
        GAP.sub("…", message.id)
        for message in read_po(BytesIO(CATALOGUE.read_bytes()))
        if isinstance(message.id, str)
    ]
    for folder in ("src/diablerie", "tools"):
        for path in (ROOT / folder).rglob("*.py"):
            texts += in_code(path)
    return "\n".join(texts)


@pytest.mark.parametrize("quoted", QUOTED)
def test_the_program_says_what_the_page_quotes(quoted, said):
    assert quoted in said


def test_the_page_quotes_much_and_is_found():
    assert len(QUOTED) > 30
    for name in ("README.md", "docs/hosting.md", "docs/site.md", "docs/install.md"):
        assert "trouble.md" in (ROOT / name).read_text("utf-8"), name


def test_what_stops_make_play_leads_to_the_page(monkeypatch, capsys):
    leads = "docs/trouble.md says what to do.\n"
    assert not run("print", "chess", "--out", "x").output.endswith(leads)
    monkeypatch.setenv("DIABLERIE_MAKE", "1")
    assert run("print", "chess", "--out", "x").output.endswith(leads)
    assert setup.stop("no.") == 2
    assert capsys.readouterr().err == f"diablerie: no.\n{leads}"
