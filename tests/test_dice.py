"""Dice are numbered by draws: who knows the key moves none by what else is written. Old files count lines."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner

import diablerie
from diablerie.cli import TAKEN_OVER, commands
from diablerie.engine import files, proof
from diablerie.engine.fair import DiceStream, pledge
from diablerie.engine.match import Match
from diablerie.engine.plies import PlyKind, count_draws
from diablerie.games import ALL

FORMATS = sorted(
    (Path(__file__).parent / "formats").glob("*.jsonl")
)  # as 0.3.0 and later wrote them
LUCK = 0.15
PLEDGES = (pledge("a"), pledge("b"))


def opened(by_lines: bool) -> Match:
    """A match in which both players gave a nonce, all bets made; COALS of two draws at each pull."""
    fair = DiceStream(b"k" * 32, ("a", "b"), PLEDGES, ("", ""), by_lines=by_lines)
    match = Match.new(ALL["coals"], seats=2, fair=fair)
    while match.node == "bet":
        match.play("bet 50", match.pending[0])
    return match


def written(match: Match, word: str) -> Match:
    """The match after something that draws nothing, by who has seat 0 and the key."""
    if word == "bet" and match.node == "bet" and 0 in match.pending:
        match.play("bet 50", 0)
        match.take_back(match.ply - 1, 0)
    elif word == "deadline":
        match.note(PlyKind.DEADLINE, 0)
    else:
        match.note(PlyKind.HAND_OVER, 0, by="sensible")
        match.note(PlyKind.HAND_OVER, 0)
    return match


def next_die(match: Match) -> float:
    """What whoever knows the key knows to come after the next decision."""
    return match.fair.draw(match.copy()._number + match.fair.by_lines)


def lucky(match: Match, word: str) -> list[float]:
    """The next ten dice, where seat 0 writes notes before each until it will be low."""
    dice: list[float] = []
    while len(dice) < 10:
        for _ in range(100):
            if next_die(match) < LUCK:
                break
            written(match, word)
        expected, draws = next_die(match), match.draws
        match.play(match.legal()[0], match.pending[0])
        if match.draws > draws:
            dice.append(expected)
    return dice


@pytest.mark.parametrize("word", ["handover", "deadline", "bet"])
def test_who_knows_the_key_moves_no_die_by_notes(word: str) -> None:
    fair = opened(by_lines=False).fair
    begun = opened(by_lines=False).draws
    dice = lucky(opened(by_lines=False), word)
    assert dice == [fair.draw(begun + k) for k in range(10)]
    assert sum(die < LUCK for die in dice) < 5  # 1.5 are expected


def test_dice_that_are_numbered_by_lines_were_chosen_so() -> None:
    """The attack is one: it takes every die of a match from before 0.4.0."""
    assert all(die < LUCK for die in lucky(opened(by_lines=True), "handover"))


def numbers(match: Match) -> list[float]:
    """The dice of all that was drawn, by the number that the match gave each."""
    return [match.fair.draw(k) for k in range(match.draws)]


def test_what_was_taken_back_is_drawn_with_a_new_number() -> None:
    match = opened(by_lines=False)
    for _ in range(20):
        match.play(match.legal()[0])
        match.take_back()
    assert len(set(numbers(match))) == match.draws == count_draws(match.plies) > 20


@pytest.mark.parametrize("file", FORMATS, ids=lambda f: f.stem)
def test_files_that_are_numbered_by_lines_are_read_and_verified(file: Path, tmp_path: Path) -> None:
    head = json.loads(file.read_text("utf-8").splitlines()[0])
    assert head["diablerie"] == int(file.stem[7])
    match = diablerie.verify(file)
    assert match.fair.by_lines
    assert written_anew(match, head) == file.read_text("utf-8")
    again = tmp_path / "match.jsonl"
    files.save(match, again)
    assert files.dump(diablerie.verify(again)) == files.dump(match)
    told = CliRunner().invoke(commands, ["verify", str(file)])
    assert told.exit_code == (TAKEN_OVER if match.taken else 0)
    assert "numbered by lines, as before 0.4.0" in told.output


def written_anew(match: Match, old: dict[str, object]) -> str:
    """The file of a match as it is written today, under a header of the format that it had."""
    head, *rest = files.match_lines(match)
    fields = json.loads(head) | {"diablerie": old["diablerie"]}
    assert fields.pop("by_lines")
    assert fields == old
    return "\n".join([json.dumps(old, separators=(",", ":"), ensure_ascii=False), *rest, ""])


def test_there_is_a_file_of_each_old_format() -> None:
    assert {int(file.stem[7]) for file in FORMATS} == {1, 2, 3, 4, 5}
    assert any(file.stem.endswith("taken") for file in FORMATS)


@pytest.mark.parametrize("file", FORMATS, ids=lambda f: f.stem)
@pytest.mark.parametrize("number", [6, 0, 7])
def test_an_old_file_is_no_other_format(file: Path, number: int) -> None:
    head, *rest = file.read_text("utf-8").splitlines()
    told = json.dumps(json.loads(head) | {"diablerie": number})
    with pytest.raises(diablerie.Damaged):
        files.parse_match("\n".join([told, *rest]).encode(), ALL, dice=True)


def continued(past: Match, step: int, by_lines: bool = False) -> Match:
    """A match of another key that goes on from another one after its first plies."""
    fair = DiceStream(b"x" * 32, ("a", "b"), PLEDGES, ("", ""), by_lines=by_lines)
    match = Match.opening(past.game, seats=2, fair=fair)
    match.taken = step
    for ply in past.plies[:step]:
        match.append(ply)
    return match


def test_plies_of_another_match_have_no_number() -> None:
    past = opened(by_lines=False)
    for _ in range(6):
        past.play(past.legal()[0])
    match = continued(past, 6)
    assert (match.draws, count_draws(match.plies) > 0) == (0, True)
    match.play(match.legal()[0])
    assert match.draws == count_draws(match.plies[6:]) > 0
    while not match.over:
        match.play(match.legal()[-1])
    again = files.parse_match(files.dump(match).encode(), ALL, dice=True)
    assert (again.taken, again.draws, again.events) == (6, match.draws, match.events)
    assert again.at(6).draws == again.at(2).draws == 0
    assert again.at(again.ply).draws == match.draws


def test_a_match_that_goes_on_from_an_old_one_is_numbered_by_draws() -> None:
    match = continued(opened(by_lines=True), 3)
    assert not match.fair.by_lines
    assert not files.header(match).by_lines


@pytest.mark.parametrize(("taken", "said"), [(5, "draws"), (-1, "taken over"), (999, "taken over")])
def test_what_is_taken_over_cannot_be_said_otherwise(taken: int, said: str) -> None:
    past = opened(by_lines=False)
    past.play(past.legal()[0])
    match = continued(past, past.ply)
    for _ in range(20):
        match.play(match.legal()[0])
    head, *rest = files.match_lines(match)
    told = json.dumps(json.loads(head) | {"taken": taken if taken != 5 else match.taken - 1})
    with pytest.raises(diablerie.Damaged, match=said):
        files.parse_match("\n".join([told, *rest]).encode(), ALL, dice=True)


def test_lines_that_are_taken_over_end_with_a_ply() -> None:
    """Else the number of the next die would depend on who reads the file."""
    file = next(file for file in FORMATS if file.stem.endswith("taken"))
    head, *rest = file.read_text("utf-8").splitlines()
    rows = [json.loads(row) for row in rest]
    cut = next(n for n in range(3, len(rows)) if rows[n]["seat"] == "chance")
    bare = json.loads(head) | {"diablerie": 2, "taken": cut}
    for name in ("nonces", "hashes", "by", "labels", "digest"):
        bare[name] = []
    bare["digest"] = ""
    with pytest.raises(diablerie.Damaged, match="within a ply"):
        files.parse_match("\n".join([json.dumps(bare), *rest]).encode(), ALL)


HEADS: dict[str, Callable[[Match], object]] = {
    "header": files.header,
    "digest": proof.match_digest,
    "taken": proof.taken_in_file,
}


@pytest.mark.parametrize("what", HEADS)
def test_nothing_fixed_at_the_start_tells_how_much_was_drawn_in_what_is_taken_over(
    what: str,
) -> None:
    """In UNDERWORLD it is a secret whether a look had chance decide what lies there."""
    past = opened(by_lines=False)
    for _ in range(6):
        past.play(past.legal()[0])
    more = continued(past, 6)
    less = more.copy()
    less.plies = [ply._replace(events=ply.events[:1]) for ply in more.plies]
    assert count_draws(less.plies) < count_draws(more.plies)
    assert HEADS[what](less) == HEADS[what](more)


def test_a_digest_binds_how_draws_are_numbered() -> None:
    assert proof.match_digest(opened(True)) != proof.match_digest(opened(False))


def test_verify_says_what_could_be_chosen(tmp_path: Path) -> None:
    match = diablerie.start("coals", seats=2, seed=5)
    while not match.over:
        match.play(match.legal()[-1])
    path = tmp_path / "match.jsonl"
    files.save(match, path)
    told = CliRunner().invoke(commands, ["verify", str(path)]).output
    assert "numbered by draws, of which none was taken back" in told
    match = diablerie.start("coals", seats=2, seed=5)
    while match.node == "bet":
        match.play("bet 50", match.pending[0])
    for _ in range(3):
        match.play("pull")
        match.take_back()
    while not match.over:
        match.play(match.legal()[-1])
    files.save(match, path)
    told = CliRunner().invoke(commands, ["verify", str(path)]).output
    assert "numbered by draws; 3 were taken back, and others drawn after them" in told
