"""Golden files: a change fails with its diff and the way to accept it, and `make golden` writes."""

from pathlib import Path

import pytest

from tests import snapshots


@pytest.fixture(autouse=True)
def _comparing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("GOLDEN", raising=False)


def test_what_is_as_it_was_passes(tmp_path: Path) -> None:
    (tmp_path / "a").write_text("one\ntwo\n", "utf-8")
    snapshots.compare_folder(tmp_path, {"a": "one\ntwo\n"})


def test_what_has_changed_fails_with_its_diff_and_the_command(tmp_path: Path) -> None:
    (tmp_path / "a").write_text("one\ntwo\n", "utf-8")
    with pytest.raises(pytest.fail.Exception, match=r"(?s)-two\n\+2\n.*make golden"):
        snapshots.compare_folder(tmp_path, {"a": "one\n2\n"})


def test_a_file_that_is_missing_or_no_longer_made_fails(tmp_path: Path) -> None:
    with pytest.raises(pytest.fail.Exception, match=r"\+new\n"):
        snapshots.compare(tmp_path / "a", "new\n")
    (tmp_path / "old").write_text("old\n", "utf-8")
    with pytest.raises(pytest.fail.Exception, match=r"-old\n"):
        snapshots.compare_folder(tmp_path, {})


def test_a_last_line_without_an_end_is_a_change(tmp_path: Path) -> None:
    (tmp_path / "a").write_text("one", "utf-8")
    with pytest.raises(pytest.fail.Exception):
        snapshots.compare(tmp_path / "a", "one\n")


def test_writing_makes_them_so_that_they_pass(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "old").write_text("old\n", "utf-8")
    monkeypatch.setenv("GOLDEN", "write")
    snapshots.compare_folder(tmp_path, {"a": "one\n"})
    monkeypatch.delenv("GOLDEN")
    snapshots.compare_folder(tmp_path, {"a": "one\n"})
    assert [file.name for file in tmp_path.iterdir()] == ["a"]
