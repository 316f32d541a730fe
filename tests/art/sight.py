"""Colours as people see them: contrast, and the distance of colours under colour blindness."""

import re
from importlib.resources import files

import numpy as np

CSS = files("diablerie.web") / "static"

# Machado, Oliveira and Fernandes 2009, severity 1, on linear RGB.
SIGHTS = {
    "normal": np.eye(3),
    "protanopia": np.array(
        [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216],
         [-0.003882, -0.048116, 1.051998]]
    ),
    "deuteranopia": np.array(
        [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413],
         [-0.011820, 0.042940, 0.968881]]
    ),
    "tritanopia": np.array(
        [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602],
         [0.004733, 0.691367, 0.303900]]
    ),
}  # fmt: skip

# Ottosson 2020: linear RGB to OKLab.
CONES = np.array(
    [[0.4122214708, 0.5363325363, 0.0514459929], [0.2119034982, 0.6806995451, 0.1073969566],
     [0.0883024619, 0.2817188376, 0.6299787005]]
)  # fmt: skip
LAB = np.array(
    [[0.2104542553, 0.7936177850, -0.0040720468], [1.9779984951, -2.4285922050, 0.4505937099],
     [0.0259040371, 0.7827717662, -0.8086757660]]
)  # fmt: skip


def themes() -> dict[str, dict[str, str]]:
    """The colours of tokens.css that differ by day and by night."""
    pairs = re.findall(
        r"--([\w-]+): light-dark\((.+), ([^,]+)\);", (CSS / "tokens.css").read_text()
    )
    return {
        "light": {name: day for name, day, _ in pairs},
        "dark": {name: night for name, _, night in pairs},
    }


def linear(colour: str) -> np.ndarray:
    """#rrggbb as linear RGB."""
    value = np.array([int(colour[i : i + 2], 16) for i in (1, 3, 5)]) / 255
    return np.where(value <= 0.04045, value / 12.92, ((value + 0.055) / 1.055) ** 2.4)


def contrast(a: str, b: str) -> float:
    """The contrast of WCAG."""
    low, high = sorted(float(linear(c) @ [0.2126, 0.7152, 0.0722]) for c in (a, b))
    return (high + 0.05) / (low + 0.05)


def distance(a: str, b: str, sight: str) -> float:
    """How far apart two colours are in OKLab for somebody who sees so; 0.02 is just noticeable."""
    seen = [np.clip(SIGHTS[sight] @ linear(c), 0, 1) for c in (a, b)]
    lab = [LAB @ np.cbrt(CONES @ rgb) for rgb in seen]
    return float(np.linalg.norm(lab[0] - lab[1]))
