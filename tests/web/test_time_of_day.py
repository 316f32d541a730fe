"""Scripts measure how long something takes by a clock that nobody sets: phones correct theirs."""

from collections import Counter
from pathlib import Path

import diablerie

HOME = Path(diablerie.__file__).parent
# what has to do with the time of day all the same, by script
TIMES_OF_DAY = {
    "site/static/friends.js": 1,  # a certificate expires
    "site/static/invitation.js": 5,  # a link's evening, which outlives the page
    "site/static/shell.js": 1,  # is told to a worker, whose other clock begins elsewhere
    "site/static/worker.js": 1,  # hears that
    "web/static/alive.js": 8,  # a machine that sleeps stops every other clock
    "web/static/clock.js": 2,  # deadlines of the server
}


def test_only_what_needs_the_time_of_day_asks_for_it() -> None:
    scripts = [*HOME.glob("site/static/*.js"), *HOME.glob("web/static/*.js")]
    assert len(scripts) > 30
    found = Counter[str]()
    for script in scripts:
        text = script.read_text("utf-8")
        found[script.relative_to(HOME).as_posix()] = text.count("Date.now()")
    assert +found == TIMES_OF_DAY
