"""What several commands read from their arguments."""


def pairs(options: tuple[str, ...]) -> dict[str, str]:
    """`NAME=VALUE` words as a mapping. Raises ValueError for a word without `=`."""
    chosen = {}
    for word in options:
        name, equals, value = word.partition("=")
        if not equals:
            raise ValueError(f"an option is written NAME=VALUE, not “{word}”")
        chosen[name] = value
    return chosen
