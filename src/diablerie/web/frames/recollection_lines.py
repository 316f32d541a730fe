"""What devils say of a group's series at the beginning of a game: five sentences a temper and kind.

`table/commands/recollections.py` chooses them. The tempers are those of the remarks in `regions.py`.
"""

from collections.abc import Mapping, Sequence

from diablerie.engine.text import Line, say
from diablerie.table.commands.recollections import LEAD, LOSS, Recollection, temper_of

Sentences = Mapping[str, Sequence[Line]]  # by kind


def _soot(name: str, n: int) -> Sentences:
    """Soot expects the worst."""
    return {
        LEAD: (
            say("{name} leads. I have ordered the black flag.", name=name),
            say("They say nobody catches up with {name}. I was the first to say it.", name=name),
            say(
                "I looked at the list of wins, saw {name} on top, and went back to bed.", name=name
            ),
            say("If {name} wins again, it will hurt. If not, something else will.", name=name),
            say("{name} in first place? I should have stayed a cloud.", name=name),
        ),
        LOSS: (
            say("{n} lost at one stroke, {name}. Since then I sleep even worse.", name=name, n=n),
            say("I still see it before me: {name}, {n}, and then only smoke.", name=name, n=n),
            say("Every chimney tells how {name} lost {n}. Mine whispers.", name=name, n=n),
            say("It was {name} who lost {n} in one go. Next time it will be me.", name=name, n=n),
            say("When {name} dropped {n}, I stopped hoping. It was restful.", name=name, n=n),
        ),
    }


def _flint(name: str, n: int) -> Sentences:
    """Flint boasts."""
    return {
        LEAD: (
            say("{name} leads because I was holding the door open.", name=name),
            say("Let {name} enjoy the first place. I have only been warming up.", name=name),
            say(
                "I have studied all wins of {name}. I could do each of them on one leg.", name=name
            ),
            say("Somebody tell {name} that the top of the list is my chair.", name=name),
            say("I let {name} pull ahead so that the story gets better.", name=name),
        ),
        LOSS: (
            say(
                "To lose {n} at one stroke takes talent, {name}. It is the only one I lack.",
                name=name,
                n=n,
            ),
            say("I could lose {n}, too, if I wanted. Ask {name} how it is done.", name=name, n=n),
            say("A record that I leave to others, generously: {n}, by {name}.", name=name, n=n),
            say("Beside the {n} of {name} even my worst day is a work of art.", name=name, n=n),
            say(
                "{n} in one go! Had {name} asked me, it would have been only half.", name=name, n=n
            ),
        ),
    }


def _ember(name: str, n: int) -> Sentences:
    """Ember takes everything to heart."""
    return {
        LEAD: (
            say("{name} leads! My heart cannot bear another evening like that!", name=name),
            say("Why always {name}? WHY? What is wrong with my horns?", name=name),
            say("I dreamt that I beat {name}. I woke up crying, and then laughing!", name=name),
            say("{name}, look me in the eye! Today it is you or my nerves!", name=name),
            say("Everybody adores {name}. Nobody ever embroiders my name!", name=name),
        ),
        LOSS: (
            say("{name}! The {n}! I was so moved that I have not eaten since!", name=name, n=n),
            say("When {name} lost {n}, I wept into the coals, and they hissed!", name=name, n=n),
            say("Do not speak of {n}! Oh, now I have said it. Forgive me, {name}!", name=name, n=n),
            say("{n} in one blow! {name}, let me hold your hand. Both hands!", name=name, n=n),
            say(
                "I have made a ballad of it: {name}, {n}, and forty verses of tears!",
                name=name,
                n=n,
            ),
        ),
    }


def _pitch(name: str, n: int) -> Sentences:
    """Pitch is polite, and keeps an account."""
    return {
        LEAD: (
            say("Dear {name}, I keep your wins in my book, in red ink.", name=name),
            say("After you, {name}. Leaders go first, also down the stairs.", name=name),
            say("My compliments on the lead, {name}. I shall collect it presently.", name=name),
            say("How gracious of {name} to lead. We all know where to aim.", name=name),
            say("The first place suits {name} so well that I would like to try it on.", name=name),
        ),
        LOSS: (
            say("The {n} that {name} once lost are well looked after. With me.", name=name, n=n),
            say("I have framed it: {n}, with kind regards from {name}.", name=name, n=n),
            say("Does {name} still miss the {n}? I merely ask for my book.", name=name, n=n),
            say(
                "Should {name} find another {n} to lose, I shall hold the bag. Gladly.",
                name=name,
                n=n,
            ),
            say("To {name}, to whom we owe {n}. I drank to it, twice.", name=name, n=n),
        ),
    }


REMEMBERING = (_soot, _flint, _ember, _pitch)  # by temper


def recollection_told(recollection: Recollection) -> Line:
    """What is told, by whom."""
    seat, kind, number, name, n = recollection
    sentences = REMEMBERING[temper_of(seat)](name, n)
    return say("{who}: “{words}”", who=seat, words=sentences[kind][number])
