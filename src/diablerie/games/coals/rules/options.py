"""The options of COALS, and how their values are read; each clause says what its option does."""

from collections.abc import Sequence
from dataclasses import replace

from diablerie.engine.options import BadOption, Option, choice_option, flag_option, number_option
from diablerie.engine.text import Line, say
from diablerie.games.coals.rules.state import (
    BEGIN,
    DEVIL,
    FULL,
    LAST_MARK,
    LAST_ROUND,
    MARKS,
    UNIT,
    VALUES,
)


def parse_track(text: str) -> tuple[int, ...]:
    """The marks after 0-50, as `200,300,…,1600` (C4). Raises BadOption."""
    marks = [number or 0 for number in _numbers(text)]
    rising = all(a < b for a, b in zip([50, *marks], marks, strict=False))
    tens = all(m % UNIT == 0 for m in marks)
    known = BEGIN in marks and marks[-1] == LAST_MARK
    if not (rising and tens and known and len(marks) <= MARKS):
        raise BadOption(
            say(
                "Option track must be at most 12 increasing multiples of 10 above 50, with "
                "200 among them and 1600 as the last, not “{text}”.",
                "C4",
                text=text[:80],
            )
        )
    return tuple(marks)


def parse_goal(text: str) -> int:
    """The total that ends the game (C21). Raises BadOption."""
    goal = _tens(text, BEGIN + UNIT, LAST_MARK)
    if goal is None:
        raise BadOption(
            say(
                "Option goal must be a multiple of 10 from 210 to 1600, not “{text}”.",
                "C21",
                text=text[:80],
            )
        )
    return goal


def parse_stakes(text: str) -> int:
    """What every stake is a multiple of (C7). Raises BadOption."""
    step = _tens(text, UNIT, BEGIN)
    if step is None:
        raise BadOption(
            say(
                "Option stakes must be a multiple of 10 from 10 to 200, not “{text}”.",
                "C7",
                text=text[:80],
            )
        )
    return step


def parse_furnace(text: str) -> tuple[int, ...]:
    """The numbers of pieces for 100, 75, 50, 25, 20, 10 and devils, as `0,0,1,2,2,2,3` (C1).

    Raises BadOption.
    """
    counts = tuple(n for n in _numbers(text) if n is not None)
    if len(counts) != len(FULL) or text.count(",") + 1 != len(FULL):
        raise _wrong_furnace(
            text, say("it needs one number for each of 100, 75, 50, 25, 20, 10 and devils")
        )
    for value, count, most in zip(VALUES, counts, FULL, strict=True):
        if count > most:
            raise _wrong_furnace(text, _too_many(value, count, most))
    if sum(counts[:DEVIL]) == 0:
        raise _wrong_furnace(text, say("at least one piece must be coal"))
    if counts[DEVIL] == 0:
        raise _wrong_furnace(text, say("at least one piece must be a devil"))
    return counts


def _too_many(value: int, count: int, most: int) -> Line:
    if value == 0:
        return say("there are at most {most} devils, not {count}", most=most, count=count)
    return say(
        "there are at most {most} pieces of {value}, not {count}",
        most=most,
        value=value,
        count=count,
    )


def _wrong_furnace(text: str, why: Line) -> BadOption:
    return BadOption(
        say("Option furnace cannot be “{text}”: {why}.", "C1", text=text[:80], why=why)
    )


def _numbers(text: str) -> list[int | None]:
    return [_whole(word.strip()) for word in text.split(",")]


def _whole(word: str) -> int | None:
    """The number that a word is, if it is one of at most five digits."""
    return int(word) if word.isascii() and word.isdigit() and len(word) < 6 else None


def _tens(text: str, low: int, high: int) -> int | None:
    """The multiple of UNIT from `low` to `high` that a text is; None if it is none."""
    number = _whole(text)
    return number if number is not None and number in range(low, high + 1, UNIT) else None


def _joined(numbers: Sequence[int]) -> str:
    return ",".join(str(n) for n in numbers)


OPTIONS = (
    choice_option(
        "pact",
        say("The pact pays"),
        say(
            "A pact pays 50 for every devil the others wake in a round, or only for the first.",
            "C15",
        ),
        [("every_devil", say("for every devil")), ("first_devil", say("for the first devil"))],
    ),
    number_option(
        "mouth",
        say("Refill the furnace at"),
        say(
            "The furnace is refilled when this many pieces or fewer are left after a round.",
            "C23",
        ),
        0,
        sum(FULL) - 1,
        20,
        samples=(0, 47),
    ),
    Option(
        "track",
        say("Marks of the track"),
        say(
            "The marks after 0–50, with commas between them. More marks show more exactly who is "
            "behind.",
            "C4",
        ),
        (200, 300, 500, 800, 1200, LAST_MARK),
        parse_track,
        _joined,
        samples=((200, 1600), (100, 200, 400, 1600), (*range(60, 160, 10), 200, 1600)),
    ),
    Option(
        "goal",
        say("Goal"),
        say("The game ends when somebody owns this much: from 210 (a short game) to 1600.", "C21"),
        LAST_MARK,
        parse_goal,
        samples=(210, 400),
    ),
    Option(
        "furnace",
        say("Pieces in the furnace"),
        say("How many pieces of each value there are, and how many devils.", "C1"),
        FULL,
        parse_furnace,
        _joined,
        samples=((0, 0, 1, 2, 2, 2, 3), (0, 0, 0, 0, 0, 1, 1)),
    ),
    Option(
        "stakes",
        say("Stakes in steps of"),
        say("Every stake is a multiple of this: 10 to 200.", "C7"),
        UNIT,
        parse_stakes,
        samples=(50, 200),
        later=True,
    ),
    replace(
        number_option(
            "rounds",
            say("Rounds at most"),
            say("The game ends after this many rounds if nobody has reached the goal.", "C24"),
            1,
            LAST_ROUND,
            LAST_ROUND,
            samples=(1, 3),
        ),
        later=True,
    ),
    flag_option(
        "open_purses",
        say("Open purses"),
        say("Everybody’s money is shown all the time, so nobody has to remember it.", "C16"),
    ),
)
