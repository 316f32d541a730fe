"""Settings of studies: each declared once, in a struct, with its bounds and its help, and checked by it.

A setting is a field of a struct whose `msgspec.Meta` has its bounds and its help. A command's
options (`lab.command_options.settings_options`), the checks and Python's parameters follow from it.
This module imports no game, so that a command's help does not either.
"""

import hashlib
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple, TypeVar, get_args, get_type_hints

import msgspec
from msgspec import Meta

import diablerie
from diablerie.engine.options import OptionValues
from diablerie.engine.text import say
from diablerie.lab.running.errors import BadConfig

if TYPE_CHECKING:
    from diablerie.engine.game import Game


S = TypeVar("S", bound=msgspec.Struct)
CONTINUES = re.compile(r"\w+=")  # a piece that belongs to the spec before it
Seed = Annotated[int, Meta(ge=0, le=2**63 - 1, description="The seed of the dice and the bots.")]

Seats = Annotated[int | None, Meta(description="Number of players; the fewest if left out.")]
GameOptions = Annotated[
    dict[str, str],
    Meta(description="An option of the game; may be repeated.", extra={"flags": ["--option"]}),
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


def _metas(kind: object) -> Iterator[Meta]:
    """What a type and its parts are annotated with, from the inside to the outside."""
    for part in get_args(kind):
        yield from [part] if isinstance(part, Meta) else _metas(part)


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


# -- the settings of each study --------------------------------------------------------------------


SPECS = {"metavar": "SPEC[,SPEC…]"}


class DatasetSettings(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Games of one setting. players: a spec for all seats, or one for each side."""

    seats: Seats = None
    options: GameOptions = {}
    players: Annotated[
        str, Meta(description="One bot for all seats, or one for each side.", extra=SPECS)
    ] = "sensible"
    games: Annotated[int, Meta(ge=1, le=100_000_000, description="Games for each setting.")] = 1000
    seed: Seed = 1


class SimulationSettings(DatasetSettings, frozen=True, kw_only=True):
    """Games of one setting, or of several that are compared with the first.

    players: several take turns in the seats. vary: the values that "players", "seats" or an option
    takes; every combination is a setting of `games` games.
    """

    vary: Annotated[
        dict[str, list[str]],
        Meta(
            description="Compare values of an option, of players or of seats; may be repeated.",
            extra={"metavar": "NAME=A,B,…", "callback": read_variations},
        ),
    ] = {}


class TournamentSettings(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Who plays, and how often.

    players: specs such as "search:ms=200" or "my_module:MyBot". games: rounded up until every player
    has every seat equally often. mixed: the default where more than two sides play.
    """

    seats: Seats = None
    options: GameOptions = {}
    players: Annotated[
        tuple[str, ...],
        Meta(
            description="Bots: random, sensible, … or module:Class of your own.",
            extra=SPECS,
        ),
    ]
    games: Annotated[
        int,
        Meta(ge=1, le=1_000_000, description="Games for each pairing; at mixed tables, in total."),
    ] = 100
    seed: Seed = 1
    mixed: Annotated[
        bool | None,
        Meta(
            description="Play at mixed tables, or every pairing; the game decides if left out.",
            extra={"flags": ["--mixed/--pairings"]},
        ),
    ] = None
