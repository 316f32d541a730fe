"""The question to a viewer, as parts: a template, and what is put into its slots.

The template is rendered once for all who are shown the same but for the slots, at any table. What
changes from ply to ply (the sentence, the buttons, numbers) is in the slots. Before the game begins
the page says what the table waits for.
"""

from collections.abc import Callable, Hashable, Mapping, Sequence
from functools import lru_cache
from itertools import chain, repeat
from typing import NamedTuple
from urllib.parse import quote

from markupsafe import Markup

from diablerie.art import marks
from diablerie.engine.text import Line, say, says
from diablerie.table.commands.latecomers import closed_to, free_for, wished
from diablerie.table.commands.logbook import LogEntry
from diablerie.table.state.nonce_exchange import awaited, waited
from diablerie.table.state.table_state import LegalMove, TableState
from diablerie.table.state.take_back import may_request, may_take_back, outstanding, returner
from diablerie.web.frames.board import Board
from diablerie.web.frames.table_page import CUT_MARK, Page
from diablerie.web.html.second_person import about, said_to

# -- before the game begins ------------------------------------------------------------------------


class WaitingRoom(NamedTuple):
    """What the viewer is told and offered before the game begins."""

    prompt: Line  # what the table waits for
    late: bool  # the viewer may begin without players whose browsers do not answer
    people: int  # how many sit at the table
    devils: list[int]  # with how many devils it may begin now


def waiting_room(page: Page) -> WaitingRoom:
    """The waiting room of a table's page."""
    here = [who.here for who in page.context.presence]
    late = page.seated and bool(page.fair.phase) and waited(page.live, page.context.now, here)
    live = page.live
    people = len(live.seats) - live.free
    # Alone one may choose; among people a devil is only asked to make up the number.
    counts = [n for n in live.game.seats if people <= n <= len(live.seats)]
    devils = [n - people for n in counts][: None if people == 1 else 2]
    return WaitingRoom(waits_for(page), late, people, devils)


def waits_for(page: Page) -> Line:
    """The sentence that says what a table waits for."""
    if page.fair.phase:
        # Before a rematch, those who still look at the podium.
        away = [seat for seat in awaited(page.live) if _is_away(page, seat)]
        if away:
            return _waiting(page.live, away)
        return say("One moment: the browsers are adding their part of the dice.")
    if page.live.free:
        return says("{n} seat is still open.", "{n} seats are still open.", page.live.free)
    return say("The game is ready in a moment.")


def _is_away(page: Page, seat: int) -> bool:
    """Whether a seat is another person's, whose page of the table is not open."""
    return seat not in page.viewpoint.own and not page.context.presence[seat].here


# -- once it has begun -----------------------------------------------------------------------------

LATEST_SHOWN = 6  # sentences below the question: as many as there is room for
MANY_BUTTONS = 5  # buttons; more of them are small
FIRST_STANDS_OUT = 3  # if there are so few moves, the first stands out
QUESTIONS_KEPT = 4096
BUTTON = Markup(
    '  <li><button class="{}" name="do" value="{}" id="do-{}" data-light="{}">{}</button></li>\n'
)


class Wish(NamedTuple):
    """Somebody asks for a bot's seat; `name` is "" if none was given."""

    seat: int
    name: str


class Question(NamedTuple):
    """What a viewer is asked, and may ask for, once the game has begun."""

    board: Board
    complete: bool  # the draft is a whole turn, which can be sent
    advisable: bool  # the viewer may ask what a devil would do
    returnable: bool  # the viewer may take back a decision; not while there is a draft
    requestable: bool  # the viewer may ask the others for a take-back
    outstanding: list[int]  # seats that are still asked whether they agree to a take-back
    relieved: int | None  # the viewer's seat, if a bot stands in for it
    next_here: int | None  # another person at this screen who is to decide, if the viewer is not
    wishes: tuple[Wish, ...]  # who asks the viewer, who leads the table, for a bot's seat
    closed: Line | None  # why a watcher cannot ask for one
    takeable: tuple[int, ...]  # those that a watcher may ask for
    wished: int | None  # the one that the watcher asks for
    declined: bool  # whether the host has refused the watcher


def question_of(page: Page) -> Question:
    """The question to the viewer of a page."""
    live = page.live
    viewpoint = page.viewpoint
    position = viewpoint.position
    free = not viewpoint.draft
    assert position is not None
    # The seat that may take back at once is the same for all who look.
    last = page.memory.get(("returner", live.id, live.version), lambda: returner(live))
    others = [seat for seat in viewpoint.own if seat in live.pending]
    visitor = page.recipient.visitor
    watches = page.running and not page.seated
    closed = closed_to(live, visitor) if watches else None
    return Question(
        page.board,
        complete=position.plan is not None,
        advisable=page.asked and live.hints,
        returnable=free and may_take_back(live, viewpoint.viewer, last),
        requestable=free and may_request(live, viewpoint.viewer, last),
        outstanding=outstanding(live, live.request) if live.request and page.running else [],
        relieved=_relieved(page),
        next_here=others[0] if others and not page.asked and free else None,
        wishes=wishes_of(page),
        closed=closed,
        takeable=tuple(free_for(live, visitor)) if watches and not closed else (),
        wished=wished(live, visitor) if watches else None,
        declined=watches and any(visitor and info.declined == visitor for info in live.seats),
    )


def wishes_of(page: Page) -> tuple[Wish, ...]:
    """Who asks for the seat of a bot, told to who may give it."""
    asked_for = page.live.seats if page.leading and page.running else ()
    return tuple(Wish(info.seat, info.wanted_name) for info in asked_for if info.wanted)


def _relieved(page: Page) -> int | None:
    seat = page.viewpoint.viewer
    match = page.live.match
    if seat < 0 or not page.running or (match and seat in match.resigned):
        return None
    return seat if page.live.seats[seat].stand_in else None


def question(page: Page) -> tuple[str, ...]:
    """The parts of the question's region."""
    if page.viewpoint.cover is not None:
        return (page.render("pass-on"),)
    if page.viewpoint.position is None:
        return (page.render("lobby", model=waiting_room(page)),)
    model = question_of(page)
    parts = list[str]()
    key = _key(page, model)

    def rendered() -> list[str]:
        """The template; every second piece is the name of a slot."""
        return page.render("ask", model=model, slot=SLOTS).split(CUT_MARK)

    # Without a key the template shows more than its slots, so nobody else is shown the same.
    for i, piece in enumerate(page.memory.get(key, rendered) if key else rendered()):
        if i % 2:
            parts += (
                CHOICE_MAKERS[piece](model.board) if piece in CHOICE_MAKERS else FILLS[piece](page)
            )
        else:
            parts.append(piece)
    return tuple(parts)


def _key(page: Page, model: Question) -> Hashable:
    """All that the question shows apart from its slots, to a viewer who waits or decides.

    None if there is more to show.
    """
    live = page.live
    viewpoint = page.viewpoint
    answer = page.answer
    # What only some see (a plan, a request, several people at a screen) is not worth keeping.
    plain = (
        page.running and len(viewpoint.own) < 2 and viewpoint.chosen is None and not viewpoint.draft
    )
    more = (
        page.nameless is not None
        or model.relieved is not None
        or model.next_here is not None
        or bool(answer.hints)
        or bool(model.wishes)
        or model.wished is not None
    )
    if not plain or more or live.origin or live.request or answer.refusal:
        return None
    amount = model.board.amount
    plainly = page.speech.plain
    if amount:
        doing = plainly(amount.doing) if amount.doing else ""
        asked: tuple[Hashable, ...] = (amount.template, amount.step, plainly(amount.label), doing)
    else:
        asked = (_several(model.board.listed), _several(model.board.offered))
    may = model.returnable, model.requestable, model.advisable
    # A watcher is offered the seats of bots by their names, under the watcher's own.
    offered = (model.takeable, page.speech.names, page.recipient.known_as) if model.takeable else ()
    closed = model.closed and model.closed.text
    late = closed, offered, model.wished, model.declined
    who = page.seated, page.hand, page.sociable, page.asked, (late if not page.seated else ())
    return ("question", page.recipient.locale, *who, may, asked)


def _several(moves: Sequence[LegalMove]) -> int:
    """Whether there are no moves (0), few (1) or many (2): the template differs by that alone."""
    if not moves:
        return 0
    return 2 if len(moves) > MANY_BUTTONS else 1


def prompt_of(page: Page) -> Line:
    """The sentence above the board: what the table waits for, or what is asked."""
    position = page.viewpoint.position
    if position is None:
        return waits_for(page)
    if page.over and position.going_on:
        return say("The game is over: all other players have resigned.")
    return position.prompt


# -- what is put into the slots --------------------------------------------------------------------


def _whose(page: Page) -> tuple[str, ...]:
    """Who looks: name, colour and sign; at a shared screen, whose turn it is."""
    seat = page.viewpoint.viewer
    if page.viewpoint.shared:
        line = say("{who}, it is your turn.", who=seat) if page.deciding else None
    elif page.live.seats[seat].name:
        line = say("{who}, you are {colour}.", who=seat, colour=page.colour)
    elif page.nameless is not None:
        line = say("You are {colour}: who are you?", colour=page.colour)
    else:
        line = say("You are {colour}.", colour=page.colour)
    return (marks.dot(seat), " ", page.speech.html(line)) if line else ()


def _prompt(page: Page) -> tuple[str, ...]:
    line = said_to(page.viewpoint.viewer, prompt_of(page), page.game)
    return (page.speech.html(line),)


def _latest(page: Page) -> tuple[str, ...]:
    """The last sentences of the log: what others than the viewer did, and what it did to the viewer.

    Whoever reads knows what they did themselves.
    """
    viewer = page.viewpoint.viewer
    latest: tuple[str, ...] = ()
    for entry in reversed(page.entries):
        if entry.seat != viewer:
            latest = _told(page, entry) + latest
        if len(latest) >= LATEST_SHOWN:
            break
    return latest[-LATEST_SHOWN:]


def _told(page: Page, entry: LogEntry) -> tuple[str, ...]:
    viewer = page.viewpoint.viewer
    speech = page.speech

    def told() -> tuple[str, ...]:
        lines = (said_to(viewer, line, page.game) for line in entry.lines)
        return tuple(f"<li>{speech.html(line)}</li>" for line in lines if not about(viewer, line))

    return entry.rendered(("latest", viewer, page.recipient.locale, speech.names), told)


def _recalled(page: Page) -> tuple[str, ...]:
    line = page.recalled
    return (f'<li class="recalled">{page.speech.html(line)}</li>',) if line else ()


def _waiting(live: TableState, seats: Sequence[int]) -> Line:
    """The sentence that says whom the viewer waits for."""
    names = [live.name(seat) for seat in seats]
    if len(names) == 1:
        return say("Waiting for {name}.", name=names[0])
    return say("Waiting for {n} players.", n=len(names))


def _buttons(board: Board, moves: Sequence[LegalMove]) -> tuple[str, ...]:
    """A list item with a button for each move. `klass` is their class, `first` that of the first."""
    klass = "btn small wide" if len(moves) > MANY_BUTTONS else "btn"
    first = f"{klass} primary" if len(board.moves) <= FIRST_STANDS_OUT else klass
    return tuple(
        _button(kind, move.text, move.action, board.speech.plain(move.line))
        for move, kind in zip(moves, chain([first], repeat(klass)), strict=False)
    )


@lru_cache(QUESTIONS_KEPT)
def _button(klass: str, text: str, action: int, words: str) -> Markup:
    return BUTTON.format(klass, text, action, text, words)


def _number(name: str) -> Callable[[Board], tuple[str, ...]]:
    return lambda board: (str(getattr(board.amount, name)),)


NUMBERS = {name: _number(name) for name in ("low", "high", "start")}
CHOICE_MAKERS: Mapping[str, Callable[[Board], tuple[str, ...]]] = {
    "listed": lambda board: _buttons(board, board.listed),
    "offered": lambda board: _buttons(board, board.offered),
    **NUMBERS,
}
FILLS: Mapping[str, Callable[[Page], tuple[str, ...]]] = {
    "table": lambda page: (page.live.id,),
    "ply": lambda page: (str(page.live.ply),),
    "seat": lambda page: (str(max(page.viewpoint.viewer, 0)),),
    "back": lambda page: (quote(page.viewpoint.url),),
    "prompt": _prompt,
    "whose": _whose,
    "waiting": lambda page: (page.speech.html(_waiting(page.live, page.live.pending)),),
    "latest": lambda page: (*_latest(page), *_recalled(page)),
}
SLOTS = {name: f"{CUT_MARK}{name}{CUT_MARK}" for name in (*FILLS, *CHOICE_MAKERS)}


def filled_choices(board: Board) -> dict[str, Markup]:
    """What is put into the slots of `parts/choices.html`, for a page that is rendered at once."""
    return {
        name: Markup("".join(fill(board)))
        for name, fill in CHOICE_MAKERS.items()
        if (name in NUMBERS) is bool(board.amount)
    }
