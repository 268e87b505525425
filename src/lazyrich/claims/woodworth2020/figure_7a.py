"""Figure 7a: curves from starts of different scale, layers at standard scale."""

from . import curves


def judge(data, told, level, width, rich, lazy):
    """Straight lines from the small start, the kernel's curve from the large one, and the two apart."""
    return curves.judge(data, told, level, width, rich, lazy)


CLAIM = curves.of_layers("7a", "standard layers", "started with both layers at standard scale", ratio=1.0, judge=judge)
