"""Figure 7c: curves from starts of different scale, second layer five times as large."""

from . import curves


def judge(data, told, level, width, rich, lazy):
    """Straight lines from the small start, the kernel's curve from the large one, and the two apart."""
    return curves.judge(data, told, level, width, rich, lazy)


CLAIM = curves.of_layers(
    "7c",
    "second layer heavier",
    "with its second layer five times as large and its first a fifth",
    ratio=0.2,
    judge=judge,
)
