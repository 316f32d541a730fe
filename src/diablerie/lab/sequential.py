"""A sequential test of a tournament's two players: what is asked, and how its games are watched."""

from collections.abc import Iterator
from math import inf

from diablerie.engine.text import say
from diablerie.lab.config import Config
from diablerie.lab.errors import BadConfig
from diablerie.lab.results import Results
from diablerie.lab.sprt import Sequential, Sprt
from diablerie.lab.standings import scores


def sprt(config: Config, text: str, alpha: float = 0.05, beta: float = 0.05) -> Sprt:
    """A test of two Elo differences, written `0,10`. Raises BadConfig."""
    try:
        low, high = (float(word) for word in text.split(","))
    except ValueError:
        low = high = inf
    if not -1000 <= low < high <= 1000:
        raise BadConfig(
            say("a test is two differences in Elo such as 0,10, not “{text}”", text=text[:60])
        )
    if not (0 < alpha and 0 < beta and alpha + beta < 1):
        raise BadConfig(say("alpha and beta are probabilities above 0, together below 1"))
    if config.mixed or len(config.players) != 2:
        raise BadConfig(
            say("a sequential test is between two players, in pairs of games of two sides")
        )
    return Sprt(low, high, alpha, beta)


class Watch:
    """Follows a test through the results of a tournament, which may come in any order."""

    def __init__(self, test: Sprt) -> None:
        self.sequential, self._next = Sequential(test), 0

    def over(self, results: Results) -> bool:
        """Count the pairs that are there now and were not; whether the test is over."""
        for outcome in outcomes(results, self._next):
            self._next += 2
            if self.sequential.count(outcome):
                break
        return self.sequential.verdict != "undecided"


def outcomes(results: Results, begin: int = 0) -> Iterator[int]:
    """The scores of the first player in pair after pair, in quarters, up to the first gap.

    begin: the number of the game to begin with, a pair's first.
    """
    teams, played = results.config.teams, results.played
    while begin in played and begin + 1 in played:
        pair = [(results.jobs[n].players, scores(played[n].returns, teams))
                for n in (begin, begin + 1)]  # fmt: skip
        yield round(2 * sum(score[teams[seats.index(0)]] for seats, score in pair))
        begin += 2
