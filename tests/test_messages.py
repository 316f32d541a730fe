"""Every word a person sees can be translated: messages are literals, with named values."""

import ast
from functools import cache
from pathlib import Path
from string import Formatter

import pytest
from jinja2 import nodes
from markupsafe import Markup

from diablerie.web.html.templates import environment
from tests.languages import messages_of
from tools.messages import COMMANDS, calls, main, missing

pytestmark = pytest.mark.xdist_group("sources")
ROOT = Path(__file__).parent.parent
PACKAGES = {
    ROOT / "src" / "diablerie": 500,
    ROOT / "examples" / "coasters" / "src" / "coasters": 20,
    ROOT / "plugins" / "exact" / "src" / "diablerie_exact": 20,
}
package = pytest.mark.parametrize("package", PACKAGES, ids=lambda path: path.name)


@cache
def calls_of(package: Path) -> list[tuple[str, ast.Call]]:
    return list(calls(package))


@package
def test_every_message_is_a_literal_whose_names_are_given(package):
    found = calls_of(package)
    assert len(found) > PACKAGES[package]
    for where, call in found:
        if "/second_person.py" in where:
            continue  # it has the values of the sentence that it stands for: test_second_person
        assert not missing(call), where


@package
def test_the_collector_finds_them(package):
    found = {m.id if isinstance(m.id, str) else m.id[0] for m in messages_of(package) if m.id}
    for where, call in calls_of(package):
        if where.partition("/")[0] == COMMANDS:
            continue  # commands speak English
        assert call.args[0].value in found or not call.args[0].value, where


def test_a_package_gets_its_own_template(tmp_path, monkeypatch, capsys):
    game = tmp_path / "hat"
    game.mkdir()
    (game / "__init__.py").write_text('say("{who} has a hat.", who=1)\nsays("a", "b", n=2)\n')
    monkeypatch.setattr("sys.argv", ["messages", str(game)])
    main()
    assert "2 messages in hat/locales/hat.pot" in capsys.readouterr().out
    written = (game / "locales" / "hat.pot").read_text()
    assert 'msgid "{who} has a hat."' in written
    assert 'msgid_plural "b"' in written


def test_what_is_no_package_is_refused_in_one_line(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr("sys.argv", ["messages", str(tmp_path)])
    with pytest.raises(SystemExit) as stop:
        main()
    assert stop.value.code == 2
    assert capsys.readouterr().err.count("\n") == 1


def lacking(call: nodes.Call) -> set[str]:
    """The names in the messages of a template's call that it gives no value for."""
    texts = [arg.value for arg in call.args if isinstance(arg, nodes.Const)]
    named = {name for text in texts for _, name, _, _ in Formatter().parse(text) if name}
    several = isinstance(call.node, nodes.Name) and call.node.name == "ngettext"
    return named - {keyword.key for keyword in call.kwargs} - ({"n"} if several else set())


def test_templates_give_every_value_that_their_messages_name():
    several = 0
    for path in (ROOT / "src/diablerie/web/templates").rglob("*.html"):
        for call in environment("en").parse(path.read_text("utf-8")).find_all(nodes.Call):
            if isinstance(call.node, nodes.Name) and call.node.name in ("_", "ngettext"):
                assert isinstance(call.args[0], nodes.Const), path.name
                assert not lacking(call), path.name
                several += 1
    assert several > 200


def test_values_are_escaped_and_messages_are_html():
    code = """{{ _("<b>{name}</b>: 5% {{}}", name=name) }} {{ ngettext("{n}", "{n}s", n) }}"""
    page = environment("en").from_string(code)
    given = {"name": "<i>&", "n": Markup("<u>2</u>")}
    assert page.render(given) == "<b>&lt;i&gt;&amp;</b>: 5% {} <u>2</u>s"


@pytest.mark.parametrize("call", ['say("{who} wins")', 'says("{n} of {of}", "{n}", n=1)'])
def test_a_missing_value_is_seen(tmp_path, call):
    (tmp_path / "x.py").write_text(call)
    ((_, found),) = calls(tmp_path)
    assert missing(found) in ({"who"}, {"of"})


def test_a_message_that_is_put_together_is_seen(tmp_path):
    (tmp_path / "x.py").write_text("say(prefix + 'x')")
    ((_, found),) = calls(tmp_path)
    with pytest.raises(ValueError, match="literal"):
        missing(found)
