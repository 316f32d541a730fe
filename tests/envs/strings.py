"""Settings as OpenSpiel's game strings."""

from diablerie.testing.positions import GameSetting


def small(setting: GameSetting) -> str:
    """The game string of a setting; COALS with a low goal, since random games are long."""
    game = setting.game
    chosen = {o.name: o.format(v) for o in game.options for k, v in setting.options if k == o.name}
    short = {"goal": "210"} if setting.name == "coals" else {}
    texts = {"players": str(setting.seats), **short, **chosen}
    written = {"yes": "true", "no": "false"}
    inside = ",".join(f"{k}={written.get(v, v.replace(',', '/'))}" for k, v in texts.items())
    return f"diablerie_{setting.name}({inside})"
