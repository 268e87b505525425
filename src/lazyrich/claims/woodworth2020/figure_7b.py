"""Figure 7b: curves from starts of different scale, first layer three times as large."""

from . import curves


def judge(data, told, level, width, rich, lazy):
    """Straight lines from the small start, the kernel's curve from the large one, and the two apart."""
    return curves.judge(data, told, level, width, rich, lazy)


CLAIM = curves.of_layers(
    "7b",
    "first layer heavier",
    "with its first layer three times as large and its second a third",
    ratio=3.0,
    judge=judge,
)
