"""`diablerie simulate`: its tables, its JSON, its page, its refusals."""

import json
import re
import sys
from html.parser import HTMLParser

import pytest

from diablerie.cli import commands
from diablerie.engine.sources import PACKAGE
from diablerie.lab.html.figures import PAGE_COLOURS
from tests.test_cli import refused, run

START = ("simulate", "coals", "--option", "goal=400", "--workers", "1")
VARY = ("--games", "60", "--vary", "mouth=0,20")


def test_the_tables(tmp_path):
    done = run(*START, *VARY, "--players", "sensible,random")
    assert done.exit_code == 0, done.output
    for words in ("coals, 60 games per setting, seed 1", "mouth 20", "goal 400", "begins",
                  "sensible against random", "(C21)", "pull", "Bonferroni"):  # fmt: skip
        assert words in done.output
    assert "compared with mouth 0" in done.output


def test_json_is_the_whole_summary():
    found = json.loads(run(*START, *VARY, "--json").stdout)
    assert found["reproducible"] is True
    assert [one["label"] for one in found["settings"]] == ["mouth 0", "mouth 20"]
    assert found["settings"][0]["games"] == 60
    assert {"value", "low", "high"} == set(found["settings"][0]["length"]["mean"])
    assert found["comparisons"][0]["base"] == "mouth 0"


class Reader(HTMLParser):
    """Whether tags are balanced, and all ids and references."""

    def __init__(self):
        super().__init__()
        self.open, self.ids, self.wanted, self.loaded = [], [], set(), []

    def handle_starttag(self, tag, attrs):
        if tag not in ("meta", "link", "br", "img"):
            self.open.append(tag)
        for name, value in attrs:
            if name == "id":
                self.ids.append(value)
            elif name in ("src", "href", "xlink:href"):
                (self.wanted.add if value.startswith("#") else self.loaded.append)(value)

    def handle_startendtag(self, tag, attrs):
        self.handle_starttag(tag, attrs)
        self.open.pop()

    def handle_endtag(self, tag):
        assert self.open.pop() == tag


def test_the_report_is_one_page_that_needs_nothing_else(tmp_path):
    path = tmp_path / "study.html"
    done = run(*START, *VARY, "--report", str(path))
    assert done.exit_code == 0, done.output
    text = path.read_text("utf-8")
    page = Reader()
    page.feed(text)
    assert page.open == []
    assert page.loaded == []
    assert len(set(page.ids)) == len(page.ids)
    assert {wanted[1:] for wanted in page.wanted} <= set(page.ids)
    assert "url(" not in re.sub(r"url\(#[\w-]+\)", "", text)
    assert text.count("<svg viewBox") == 6
    assert text.count("<figcaption>") == 6
    assert not any(stand_in in text for stand_in in PAGE_COLOURS)
    assert re.search(r"stroke: *var\(--ink\)", text)
    assert "simulate coals --players sensible --games 60 --seed 1 --option goal=400" in text
    again = tmp_path / "again.html"
    run(*START, *VARY, "--report", str(again))
    assert again.read_text("utf-8") == text


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["simulate", "chess"], "no game “chess”"),
        ([*START, "--players", "wise"], "no bot “wise”"),
        ([*START, "--players", "random,sensible,imp"], "2 sides"),
        ([*START, "--vary", "mouth"], "what varies"),
        ([*START, "--vary", "mooth=1,2"], "mooth"),
        ([*START, "--games", "0"], "games"),
        ([*START, "--file", "README.md"], "README.md, line "),
    ],
)
def test_a_wrong_argument_ends_with_status_2_and_one_line(words, said):
    assert said in refused(*words)


def test_the_finding_stands_above_the_tables_in_a_sentence():
    done = run(
        "simulate", "coals", "--games", "200", "--players", "sensible,random", "--workers", "1"
    )
    assert "sensible has" in done.output
    assert "of the wins; a fair share is 50.0 %." in done.output
    done = run("simulate", "coals", "--games", "200", "--workers", "1")
    assert "chance of a difference this large by luck" in done.output
    done = run("simulate", "coals", "--games", "200", "--vary", "goal=1600,400", "--workers", "1")
    assert "The surest difference: " in done.output
    assert "with goal 400 instead of goal 1600" in done.output


def test_from_the_command_to_its_table_one_reads_at_most_25_files():
    """Whoever follows a small simulation through the code, once all is loaded and compiled."""
    words, package, files = ["coals", "--games", "5", "--workers", "1"], f"{PACKAGE}/", set()
    command = commands.commands["simulate"]
    command.main(words, standalone_mode=False)

    def follow(frame, *_):
        if frame.f_code.co_filename.startswith(package):
            files.add(frame.f_code.co_filename.removeprefix(package))

    sys.setprofile(follow)
    try:
        command.main(words, standalone_mode=False)
    finally:
        sys.setprofile(None)
    assert "lab/simulate/playing.py" in files
    assert len(files) <= 25, " ".join(sorted(files))
