"""Whether a picture offers what a list of buttons does."""

from markupsafe import escape


def pictured(board: str, action: str) -> bool:
    """Whether an action can be chosen in a picture.

    At a spot, as the first step of a walk, among the choices turned through, or by laying cards.
    """
    named = (f'="{escape(action)}{end}' for end in '";')
    return "data-assign=" in board or any(one in board for one in named)
