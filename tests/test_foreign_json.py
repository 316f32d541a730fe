"""The reader of JSON that others wrote: one kind of error, whatever the text is."""

import msgspec
import pytest

from diablerie.engine.foreign_json import BadJson, UnfitJson, read_json


class Pair(msgspec.Struct):
    left: int
    right: int = 0


def test_what_fits_is_read():
    assert read_json(b'{"left":1,"right":2}', Pair) == Pair(1, 2)
    assert read_json('{"left":1,"left":2}', Pair) == Pair(2)


@pytest.mark.parametrize("text", [b"", b"{", b"\xff", '{"left":1}' * 2])
def test_what_is_no_json_is_one_error(text):
    with pytest.raises(BadJson) as caught:
        read_json(text, Pair)
    assert not isinstance(caught.value, UnfitJson)
    assert str(caught.value)


@pytest.mark.parametrize("once", [False, True])
def test_what_is_nested_too_deep_is_the_same_error(once):
    with pytest.raises(BadJson):
        read_json(b"[" * 100_000, object, fields_once=once)


@pytest.mark.parametrize("text", [b"3", b"{}", b'{"left":1.5}', b'{"left":null}'])
def test_json_of_another_type_is_told_apart(text):
    with pytest.raises(UnfitJson):
        read_json(text, Pair)


def test_a_field_that_is_there_twice_is_refused_where_readers_would_differ():
    with pytest.raises(BadJson, match="twice"):
        read_json(b'{"left":1,"left":2}', Pair, fields_once=True)
