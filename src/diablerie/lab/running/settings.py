"""Settings of studies: declared once, in a struct, and checked by it; options, bots, seeds.

A setting is a field of a struct whose `msgspec.Meta` has its bounds and its help. A command's
options (`lab.cli.command_options.settings_options`), the checks and Python's parameters follow from it. This
module imports no game, so that a command's help does not either.
"""

import hashlib
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple, TypeVar, get_args, get_type_hints

import msgspec

import diablerie
from diablerie.engine.options import OptionValues
from diablerie.engine.text import say
from diablerie.lab.running.errors import BadConfig

if TYPE_CHECKING:
    from diablerie.engine.game import Game

S = TypeVar("S", bound=msgspec.Struct)
CONTINUES = re.compile(r"\w+=")  # a piece that belongs to the spec before it
Seed = Annotated[
    int, msgspec.Meta(ge=0, le=2**63 - 1, description="The seed of the dice and the bots.")
]

Seats = Annotated[
    int | None, msgspec.Meta(description="Number of players; the fewest if left out.")
]
GameOptions = Annotated[
    dict[str, str],
    msgspec.Meta(
        description="An option of the game; may be repeated.", extra={"flags": ["--option"]}
    ),
]


class Setting(NamedTuple):
    """A setting as it is declared; the bounds of a tuple are those of its numbers."""

    name: str
    kind: Any  # int, tuple[float, ...], str | None, …
    default: object  # msgspec.NODEFAULT if it must be given
    low: float | None
    high: float | None
    help: str
    extra: dict[str, Any]  # more that `click.option` gets; "flags": the option's names


def settings_of(declared: type[msgspec.Struct]) -> list[Setting]:
    """The settings that a struct declares: its fields with a description, in their order."""
    kinds = get_type_hints(declared)
    found = [_setting(one, kinds[one.name]) for one in msgspec.structs.fields(declared)]
    return [one for one in found if one.help]


def _setting(field: msgspec.structs.FieldInfo, kind: object) -> Setting:
    low = None
    high = None
    help = ""
    extra = dict[str, Any]()
    for meta in _metas(field.type):
        low = low if meta.ge is None else meta.ge
        high = high if meta.le is None else meta.le
        help = meta.description or help
        extra = extra | (meta.extra or {})
    factory = field.default_factory
    default = field.default if factory is msgspec.NODEFAULT else factory()
    return Setting(field.name, kind, default, low, high, help, extra)


def _metas(kind: object) -> Iterator[msgspec.Meta]:
    """What a type and its parts are annotated with, from the inside to the outside."""
    for part in get_args(kind):
        yield from [part] if isinstance(part, msgspec.Meta) else _metas(part)


def settled(declared: type[S], given: Mapping[str, object]) -> S:
    """The settings of a struct with these values.

    Raises BadConfig for a value out of bounds or of another type, and for an unknown setting.
    """
    for one in settings_of(declared):
        value = given.get(one.name)
        for number in value if isinstance(value, tuple) else (value,):
            if isinstance(number, int | float) and one.low is not None and one.high is not None:
                check_bounds(one.name, number, one.low, one.high)
    try:
        return msgspec.convert(given, declared)
    except msgspec.ValidationError as why:
        raise BadConfig(say("{name} cannot be read: {why}", name="a setting", why=why)) from why


class StudyConfig(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Everything that fixes a study's results, and the first line of its file. Subclasses add more.

    A file is continued only by an equal config: it names the version that played the games.
    """

    diablerie: str
    game: str
    version: int  # of the rules

    @property
    def rules(self) -> "Game":
        """The game."""
        from diablerie.games import ALL

        return ALL[self.game]

    @property
    def made_by(self) -> str:
        """What made the results, as a report says it."""
        return f"diablerie {self.diablerie}, rules version {self.version}"

    @property
    def specs(self) -> tuple[str, ...]:
        """The bots that play; a cluster needs the modules of those that a user wrote."""
        return getattr(self, "players", ())


def origin(game: "Game") -> dict[str, Any]:
    """The fields of a `StudyConfig` for a game, played by this version of diablerie."""
    return {"diablerie": diablerie.__version__, "game": game.name, "version": game.version}


def option_texts(game: "Game", seats: int, options: OptionValues) -> dict[str, str]:
    """All options of a game as text, those that are left out too. Raises BadOption."""
    settled = game.settled(seats, options)
    return {option.name: option.format(settled[option.name]) for option in game.options}


def split_specs(text: str) -> tuple[str, ...]:
    """The specs of a comma-separated list; `key=value` belongs to the spec before it."""
    specs: list[str] = []
    for piece in (piece.strip() for piece in text.split(",")):
        if specs and CONTINUES.match(piece):
            specs[-1] += f",{piece}"
        elif piece:
            specs.append(piece)
    return tuple(specs)


def parse_variation(text: str) -> tuple[str, list[str]]:
    """The name and the values of `NAME=A,B,C`, or of `NAME=A|B|C`, where values have commas.

    Raises BadConfig for anything else.
    """
    name, equals, rest = text.partition("=")
    if name.strip() == "players" and "|" not in rest:
        values = list(split_specs(rest))
    else:
        values = [value.strip() for value in re.split(r"\|" if "|" in rest else ",", rest)]
    if not equals or len(values) < 2 or not all(values) or len(set(values)) < len(values):
        raise BadConfig(
            say(
                "what varies is written NAME=VALUE,VALUE,… with different values, not “{text}”",
                text=text[:80],
            )
        )
    return name.strip(), values


def read_variations(_: object, __: object, words: tuple[str, ...]) -> dict[str, list[str]]:
    """What all these words vary, as click asks for it."""
    return dict(map(parse_variation, words))


def check_players(specs: Sequence[str]) -> None:
    """Raise BadSpec or BadConfig unless every text is the spec of a bot."""
    from diablerie.bots.spec import parse_bot

    for spec in specs:
        try:
            parse_bot(spec, imports=True)
        except ValueError:
            raise
        except Exception as error:  # a user's module may raise anything when it is imported
            why = f"{type(error).__name__}: {error}"
            raise BadConfig(say("{name} cannot be read: {why}", name=spec, why=why)) from error


def check_bounds(what: str, value: float, low: float, high: float) -> None:
    """Raise BadConfig unless a setting lies from low to high. what: its name."""
    if not low <= value <= high:
        raise BadConfig(
            say(
                "{what} is {low} to {high}, not {value}", what=what, low=low, high=high, value=value
            )
        )


def seed_for(seed: int, *purpose: int | str) -> int:
    """The seed (64 bits) of one generator of a study: of a table's dice, of a seat in a game.

    It is the beginning of the SHA-256 of the study's seed and of the words that say what the
    generator is for, so generators for different purposes are independent.
    """
    words = " ".join(str(word) for word in (seed, *purpose))
    return int.from_bytes(hashlib.sha256(words.encode()).digest()[:8], "big")
