"""Parsing of forms and queries: fields of text become the struct that a route declares.

What is not UTF-8, not a form, or does not fit a field's type is refused in a sentence, not repaired.
"""

import asyncio
import re
from collections import defaultdict
from collections.abc import Awaitable, Callable, Iterable, Mapping
from typing import Annotated, Any, TypeVar
from urllib.parse import parse_qsl

import msgspec
from starlette.requests import ClientDisconnect, Request

from diablerie.api import Frozen, Seat
from diablerie.engine.foreign_json import BadJson, UnfitJson, read_json
from diablerie.engine.text import Line, say
from diablerie.table.errors import BadInput, Refused
from diablerie.web.edges.errors import Unreadable

MOST_FIELDS = 64  # at most in a form
FORM_SECONDS = 10.0  # seconds for a form to arrive
LONGEST_FORM_BYTES = 64 * 1024  # bytes of a body
FORM_TYPE = "application/x-www-form-urlencoded"
JSON_TYPE = "application/json"
TOO_LONG = say("That is too much at once.")
UPLOAD_TYPE = "multipart/form-data"
FORM_ROOM_BYTES = 4 * 1024  # bytes of a form around its file
LONGEST_HEAD = 2 * 1024  # bytes of the headers of a part
FILE_FIELD = "file"  # the field of a form's file, which may hold what it likes

# What a person can neither type nor see; text that is pasted has tabs and line breaks. Nothing that
# is read here holds them, so a template may be cut at one (`table_page.CUT_MARK`).
CONTROLS = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]")
INVISIBLE = say("This holds a character that can be neither typed nor seen.")
# A parameter of a header. Not by Python's `email` or `http.cookies`: their cost is quadratic.
PARAMETER = r';[ \t]*{}=(?:"([^"\r\n]*)"|([^\s";]+))'
FIELD_NAME = re.compile(PARAMETER.format("name").encode(), re.IGNORECASE)
BOUNDARY = re.compile(PARAMETER.format("boundary"), re.IGNORECASE)
LONGEST_BOUNDARY = 70  # characters, as RFC 2046 has it

Count = Annotated[int, msgspec.Meta(ge=0, lt=100)]  # of players: more than there are seats
NAMING_SEATS = ("as", "seat", "eyes")  # the fields that name a seat


class Form(Frozen, kw_only=True):
    """A form of a table's page. `chosen` is the seat which that page was shown as (`?as=`).

    screen: the page is that of the screen in the middle.
    """

    chosen: Seat | None = msgspec.field(name="as", default=None)
    screen: bool = False


class Owned(Form):
    """A form about a seat of one's own."""

    seat: Seat


F = TypeVar("F", bound=msgspec.Struct)


async def read_form(request: Request) -> dict[str, str]:
    """The fields of the form in a request's body. Raises Unreadable."""
    body = await content(request)
    if body and _kind(request) != FORM_TYPE:
        raise Unreadable(415, say("This address expects a form, sent as {kind}.", kind=FORM_TYPE))
    return _fields(body)


def with_file(longest: int) -> Callable[[Request], Awaitable[dict[str, str]]]:
    """A reader of forms with a file of so many bytes at most, in the field FILE_FIELD.

    The file becomes text, where what is not UTF-8 is replaced.
    """

    async def read(request: Request) -> dict[str, str]:
        too_long = say("This file is too large: {n} KiB are the most.", n=longest // 1024)
        body = await content(request, longest + FORM_ROOM_BYTES, too_long)
        if body and _kind(request) != UPLOAD_TYPE:
            raise Unreadable(
                415, say("This address expects a form, sent as {kind}.", kind=UPLOAD_TYPE)
            )
        fields = _parts(request.headers.get("content-type", ""), body)
        if any(len(data) > longest for data in fields.values()):
            raise Unreadable(413, too_long)
        texts = {name: data.decode("utf-8", "replace") for name, data in fields.items()}
        # The file may hold what it likes; everything else was typed by a person.
        visible([*texts, *(text for name, text in texts.items() if name != FILE_FIELD)])
        return texts

    return read


def _parts(kind: str, body: bytes) -> dict[str, bytes]:
    """The fields of a form that was sent in parts, as RFC 7578 has it. Raises Unreadable."""
    if not body:
        return {}
    found = BOUNDARY.search(kind)
    boundary = (found[1] or found[2]) if found else ""
    if not 0 < len(boundary) <= LONGEST_BOUNDARY:
        raise _cut_short()
    _, *parts = (b"\r\n" + body).split(f"\r\n--{boundary}".encode("latin-1"), MOST_FIELDS + 2)
    _few(len(parts))
    if not parts or not parts.pop().startswith(b"--"):
        raise _cut_short()
    fields = dict(map(_part, parts))
    if len(fields) != len(parts):
        raise Unreadable(400, say("This form has the same field twice."))
    return fields


def _part(part: bytes) -> tuple[str, bytes]:
    head, blank, data = part.removeprefix(b"\r\n").partition(b"\r\n\r\n")
    lines = head.split(b"\r\n") if len(head) <= LONGEST_HEAD else []
    disposition = next(
        (one for one in lines if one.lower().startswith(b"content-disposition:")), b""
    )
    name = FIELD_NAME.search(disposition)
    if not blank or not name:
        raise _cut_short()
    return (name[1] or name[2] or b"").decode("utf-8", "replace"), data


def _cut_short() -> Unreadable:
    return Unreadable(400, say("This form was cut short."))


async def json(request: Request) -> bytes:
    """The JSON body of a request, not decoded; `{}` if it is empty. Raises Unreadable."""
    body = await content(request)
    if body and _kind(request) != JSON_TYPE:
        raise Unreadable(
            415, say("This address expects a body of the type {kind}.", kind=JSON_TYPE)
        )
    return body or b"{}"


def _kind(request: Request) -> str:
    return request.headers.get("content-type", "").partition(";")[0].strip().lower()


async def content(
    request: Request, longest: int = LONGEST_FORM_BYTES, too_long: Line = TOO_LONG
) -> bytes:
    """The body of a request. Raises Unreadable if it is too long, too slow, or breaks off."""
    try:
        async with asyncio.timeout(FORM_SECONDS):
            return await _read(request, longest, too_long)
    except TimeoutError:
        raise Unreadable(408, say("This form did not arrive in time.")) from None
    except ClientDisconnect:
        raise _cut_short() from None


async def _read(request: Request, longest: int, too_long: Line) -> bytes:
    body = bytearray()
    async for chunk in request.stream():
        body += chunk
        if len(body) > longest:
            raise Unreadable(413, too_long)
    return bytes(body)


def _few(fields: int) -> None:
    if fields > MOST_FIELDS:
        raise Unreadable(413, TOO_LONG)


def _fields(body: bytes) -> dict[str, str]:
    _few(body.count(b"&") + 1)
    try:
        pairs = parse_qsl(body.decode(), keep_blank_values=True, errors="strict")
    except ValueError:
        raise Unreadable(400, say("This form cannot be read: it is not UTF-8.")) from None
    if len({name for name, _ in pairs}) != len(pairs):
        raise Unreadable(400, say("This form has the same field twice."))
    visible(text for pair in pairs for text in pair)
    return dict(pairs)


def visible(texts: Iterable[str]) -> None:
    """Raises Unreadable if one of these texts holds a control character."""
    if any(map(CONTROLS.search, texts)):
        raise Unreadable(400, INVISIBLE)


def typed(kind: type[F], fields: Mapping[str, str], status: int = 422) -> F:
    """The fields as a struct. Empty fields count as missing, unknown ones are ignored.

    Raises BadInput for a missing field or a seat that cannot exist, and Unreadable with `status` for
    text that does not fit the field's type.
    """
    known = kind.__struct_encode_fields__
    filled = {name: value for name, value in _filled(fields).items() if name in known}
    try:
        form = msgspec.convert(filled, kind, strict=False)
    except msgspec.ValidationError as error:
        raise _refusal(str(error), kind, fields, status) from None
    for name, attribute in zip(known, kind.__struct_fields__, strict=True):
        number = type(getattr(form, attribute)) is int and name in filled
        if number and not fields[name].isdigit():  # msgspec reads 1.0 and 1e3 as whole numbers
            raise _refusal(f"`$.{name}`", kind, fields, status)
    return form


def parsed(kind: type[F], body: bytes) -> F:
    """A JSON body as a struct. Raises Unreadable: 400 if it is no JSON, 422 if it does not fit."""
    try:
        found = read_json(body, kind)
    except UnfitJson as error:
        raise Unreadable(422, say("This body is not valid: {why}.", why=error)) from None
    except BadJson as error:
        raise Unreadable(400, say("This body is not JSON: {why}.", why=error)) from None
    visible(_texts(msgspec.to_builtins(found)))
    return found


def _texts(value: Any) -> Iterable[str]:
    """Every text in what JSON can say."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        yield from _texts([*value, *value.values()])
    elif isinstance(value, list):
        for one in value:
            yield from _texts(one)


def _filled(fields: Mapping[str, str]) -> dict[str, str | dict[str, str]]:
    """The fields that were filled in. Names with a hyphen form groups: `option-goal` is `option["goal"]`."""
    groups: defaultdict[str, dict[str, str]] = defaultdict(dict)
    for name, text in fields.items():
        if "-" in name:
            group, _, rest = name.partition("-")
            groups[group][rest] = text
    return {name: text for name, text in fields.items() if text and "-" not in name} | groups


def _refusal(message: str, kind: type[F], fields: Mapping[str, str], status: int) -> Refused:
    """The refusal for an error of msgspec, whose message ends with the field in backticks."""
    name = message.split("`")[-2].removeprefix("$.")
    text = fields.get(name, "")[:40]
    if not text:
        return BadInput(say("This form lacks the field “{name}”.", name=name))
    if name in NAMING_SEATS:
        return BadInput(say("There is no seat “{text}”.", text=text))
    return Unreadable(status, _misfit(_type_of(kind, name), name, text), BadInput.slug)


def _type_of(kind: type[F], name: str) -> msgspec.inspect.Type:
    """The type of a field; of a union its first type."""
    about = msgspec.inspect.type_info(kind)
    assert isinstance(about, msgspec.inspect.StructType)
    found = next(field.type for field in about.fields if field.encode_name == name)
    return found.types[0] if isinstance(found, msgspec.inspect.UnionType) else found


def _misfit(fitting: msgspec.inspect.Type, name: str, text: str) -> Line:
    """Why a text does not fit the type of its field."""
    if isinstance(fitting, msgspec.inspect.LiteralType):
        names = ", ".join(str(value) for value in fitting.values if value)
        return say(
            "The field “{name}” must be one of these: {names}; not “{text}”.",
            name=name,
            names=names,
            text=text,
        )
    if isinstance(fitting, msgspec.inspect.IntType) and fitting.ge is not None:
        most = fitting.le if fitting.le is not None else (fitting.lt or 0) - 1
        return say(
            "The field “{name}” must be a whole number from {least} to {most}, not “{text}”.",
            name=name,
            least=fitting.ge,
            most=most,
            text=text,
        )
    return say("The field “{name}” cannot be “{text}”.", name=name, text=text)
