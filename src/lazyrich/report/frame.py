"""The words around the panels: title, badge, caption, footer."""

from dataclasses import dataclass

from matplotlib.figure import Figure

from .palette import FAINT, SOFT, TEXT, UNKNOWN_VERDICT, VERDICTS
from .wording import safe, width_of, wrap

SIDE = 0.14  # inches kept free at the edges
TITLE, CAPTION, FOOTER, BADGE = 11.5, 8.8, 7.2, 8.6  # sizes in points
LEADING = 1.42  # a line's height in units of its size


@dataclass(frozen=True)
class Words:
    """What is written around the panels."""

    title: str = ""
    verdict: str | None = None
    caption: str = ""
    footer: str = ""


def write(figure: Figure, words: Words, middle: float) -> tuple[float, float]:
    """Write the words around a middle of this height (inches), set the figure's height to fit all.

    Gives the upper and lower end of the middle, as shares of that height.
    """
    width = figure.get_figwidth() - 2 * SIDE
    badge = width_of(words.verdict, size=BADGE, weight="bold") + 0.4 if words.verdict else 0.0
    title = wrap(words.title, width - badge, size=TITLE, weight="bold")
    caption = wrap(words.caption, width, size=CAPTION)
    footer = wrap(words.footer, width, size=FOOTER)
    head = max(_tall(title, TITLE), 0.24 if words.verdict else 0.0)
    head = head + 0.16 if head else 0.04
    foot = 0.08 + _tall(caption, CAPTION) + (0.06 if caption and footer else 0) + _tall(footer, FOOTER)
    foot = foot + 0.06 if caption or footer else 0.02
    whole = head + middle + foot
    figure.set_figheight(whole)
    top = whole - 0.13
    _block(figure, title, (SIDE, top), size=TITLE, color=TEXT, weight="bold")
    if words.verdict:
        _badge(figure, words.verdict, top - 0.085)
    low = foot - 0.08
    _block(figure, caption, (SIDE, low), size=CAPTION, color=SOFT)
    _block(figure, footer, (SIDE, low - _tall(caption, CAPTION) - 0.06 * bool(caption)), size=FOOTER, color=FAINT)
    return 1 - head / whole, foot / whole


def _tall(lines: list[str], size: float) -> float:
    return len(lines) * size * LEADING / 72


def _block(figure: Figure, lines: list[str], corner: tuple[float, float], *, size: float, color: str, **font) -> None:
    """Lines downward from an upper left corner, in inches from the lower left of the figure."""
    wide, tall = figure.get_size_inches()
    for number, line in enumerate(lines):
        y = corner[1] - (number * LEADING + 0.5) * size / 72
        style = {"fontsize": size, "color": color, "va": "center", **font}
        figure.text(corner[0] / wide, y / tall, line, **style).set_in_layout(False)


def _badge(figure: Figure, verdict: str, y: float) -> None:
    wide, tall = figure.get_size_inches()
    color = VERDICTS.get(verdict, UNKNOWN_VERDICT)
    box = {"boxstyle": "round,pad=0.42,rounding_size=0.55", "facecolor": color, "edgecolor": "none"}
    style = {"fontsize": BADGE, "color": "white", "weight": "bold", "ha": "right", "va": "center", "bbox": box}
    figure.text(1 - (SIDE + 0.06) / wide, y / tall, safe(verdict), **style).set_in_layout(False)
