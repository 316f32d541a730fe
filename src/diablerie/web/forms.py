"""Forms, read strictly: what is not UTF-8 or not a form is refused, not repaired."""

from urllib.parse import parse_qsl

from starlette.requests import Request

from diablerie.engine.text import say
from diablerie.web.errors import Unreadable

FIELDS = 64
LONGEST = 64 * 1024  # bytes
KIND = "application/x-www-form-urlencoded"


class Form(dict[str, str]):
    """The fields of a form by name."""

    def number(self, name: str, default: int, low: int, high: int) -> int:
        """A whole number from a field, held between `low` and `high`. Raises Unreadable."""
        text = self.get(name, "").strip() or str(default)
        if not (text.isascii() and text.isdigit() and len(text) < 7):
            raise Unreadable(422, say("“{text}” is not a whole number.", text=text[:40]))
        return min(max(int(text), low), high)

    def back(self, table: str) -> str:
        """The address of the table page this form was on, as the same seat."""
        seat = self.get("as", "")
        return f"/t/{table}" + (f"?as={seat}" if seat.isdigit() and len(seat) == 1 else "")


async def read(request: Request) -> Form:
    """The form a request brings. Raises Unreadable."""
    body = await _body(request)
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if body and kind != KIND:
        raise Unreadable(415, say("A form is expected, sent as {kind}.", kind=KIND))
    return Form(_pairs(body))


async def _body(request: Request) -> bytes:
    body = bytearray()
    async for chunk in request.stream():
        body += chunk
        if len(body) > LONGEST:
            raise Unreadable(413, say("That is too much at once."))
    return bytes(body)


def _pairs(body: bytes) -> list[tuple[str, str]]:
    try:
        pairs = parse_qsl(
            body.decode("ascii"), keep_blank_values=True, errors="strict", max_num_fields=FIELDS
        )
    except ValueError:
        raise Unreadable(400, say("This form cannot be read: it is not UTF-8.")) from None
    if len({name for name, _ in pairs}) != len(pairs):
        raise Unreadable(400, say("This form has a field twice."))
    return pairs
