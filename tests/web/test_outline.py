"""The outline of a page has what can be read, reached and pressed, with accessible names."""

import pytest

from tests.web.outline import alerts, outline


@pytest.mark.parametrize(
    ("html", "told"),
    [
        (
            '<section aria-labelledby="a"><h2 id="a">Seats</h2></section>',
            'section "Seats"\n  h2 "Seats"',
        ),
        ('<label for="n">Name</label><input id="n" name="who">', 'input "Name" name="who"'),
        ('<label><input type="radio"> Dark</label>', 'input "Dark" type="radio"'),
        ('<button aria-label="Close"><svg></svg></button>', 'button "Close"'),
        ('<p>Read <a href="/rules">the <b>rules</b></a>.</p>', 'Read [a the rules href="/rules"].'),
        ('<p role="alert" hidden>Lost</p>', 'p hidden role="alert"\n  Lost'),
        ("<tr><td>1</td><td>two</td></tr>", "1 | two"),
        ('<div aria-hidden="true">decoration</div><script>code</script>', ""),
        (
            '<svg class="picture"><title>Board</title><g data-action="bet 5" /></svg>',
            'picture "Board"\n  spot "" data-action="bet 5"',
        ),
    ],
)
def test_what_is_said_is_told(html: str, told: str) -> None:
    assert outline(html).rstrip() == told


def test_ids_drawn_by_chance_are_numbered() -> None:
    ids = "ef2d127de37b942baa", "b17ef6d19c7a5b1ee8"
    html = "".join(f'<a href="/t/{one}">to</a>' for one in (*ids, ids[0]))
    assert [line.split("/")[-1] for line in outline(html).splitlines()] == ['ID1"', 'ID2"', 'ID1"']


@pytest.mark.parametrize("html", ["<p><b>bold</p></b>", "<div><p>open</p>"])
def test_elements_that_are_not_closed_in_order_are_an_error(html: str) -> None:
    with pytest.raises(AssertionError, match="close"):
        outline(html)


def test_a_label_of_nothing_is_an_error() -> None:
    with pytest.raises(AssertionError, match="nothing has the id"):
        outline('<nav aria-labelledby="gone"></nav>')


def test_alerts_are_told_after_the_title() -> None:
    html = '<title>Table</title><div role="alert"><p>Not <b>now</b>.</p></div><p role="alert"></p>'
    assert alerts(html) == ["Table", "Not now ."]
