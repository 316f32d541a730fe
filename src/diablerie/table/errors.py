"""What the table refuses: a status for HTTP, a slug for programs, a sentence for people."""

from diablerie.engine.text import Line, UserError, say


class Refused(UserError):
    """A request that changed nothing."""

    status = 400
    slug = "refused"
    retry: int | None = None  # seconds after which it may be tried again


class Usual(Refused):
    """A refusal that mostly has the same sentence, `usual`."""

    usual: Line

    def __init__(self, line: Line | None = None) -> None:
        super().__init__(line or self.usual)


class BadInput(Refused):
    """The request makes no sense: unknown game, wrong option, text that is no action."""

    slug = "bad-input"


class Forbidden(Refused):
    """Not this visitor's seat, or not his to decide."""

    status = 403
    slug = "forbidden"


class NotFound(Usual):
    """There is no such table, seat or link."""

    status = 404
    slug = "not-found"
    usual = say("There is no such table.")


class WrongTime(Refused):
    """Not now: the game has begun, has not begun, or is over."""

    status = 409
    slug = "wrong-time"


class Stale(Refused):
    """The match has moved on since the page was drawn; `ply` is where it stands now."""

    status = 409
    slug = "stale"

    def __init__(self, ply: int) -> None:
        super().__init__(say("The game has moved on. Look again, then decide."))
        self.ply = ply


class Repeated(Stale):
    """The very decision was accepted before; nothing is lost and nothing was done twice."""

    slug = "repeated"

    def __init__(self, ply: int) -> None:
        super().__init__(ply)
        self.line = say("This decision has been accepted already.")


class BadFile(Refused):
    """A file that is no match which can be continued here."""

    status = 422
    slug = "bad-file"


class IllegalMove(Refused):
    """The rules forbid it: `clause` says which."""

    status = 422
    slug = "illegal"


class TooMany(Usual):
    """One client asked for too much at once."""

    status = 429
    slug = "too-many"
    retry = 2
    usual = say("That is too much at once: wait a moment and try again.")


class Unavailable(Usual):
    """The database does not take anything now (locked, full, gone); nothing was done."""

    status = 503
    slug = "unavailable"
    retry = 5
    usual = say("The table cannot be saved at the moment; nothing was changed. Try again soon.")


class UnreadableTable(Refused):
    """The rows of a match are not what these rules could have written; `why` is a sentence."""

    status = 410
    slug = "unplayable"

    def __init__(self, why: Line) -> None:
        super().__init__(say("This match can no longer be read: {why}", why=why))
