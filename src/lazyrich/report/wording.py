"""Words as matplotlib sets them: their width, lines that fit, formulas that cannot break a figure."""

import re

from matplotlib.backends.backend_agg import RendererAgg
from matplotlib.cbook import is_math_text
from matplotlib.font_manager import FontProperties
from matplotlib.mathtext import MathTextParser

from .formulas import FORMULA, in_unicode

_PIECES = re.compile(r"(?:\$[^$]*\$|\S)+")  # words, each formula between dollar signs in one piece
_DOLLAR = re.compile(r"(?<!\\)\$")
_parser = MathTextParser("agg")
# What matplotlib calls otherwise than TeX, and where it needs braces that TeX does not.
_SYNONYMS = {
    "le": "leq",
    "ge": "geq",
    "tfrac": "frac",
    "dfrac": "frac",
    "text": "mathrm",
    "lVert": "|",
    "rVert": "|",
    "texttt": "mathtt",
}
_COMMAND = re.compile(r"\\([A-Za-z]+)")
_ONE = r"\s*(\{(?:[^{}]|\{[^{}]*\})*\}|\\[A-Za-z]+|[A-Za-z0-9])"
_UNARY = re.compile(rf"\\(mathcal|mathbb|mathbf|mathrm|mathtt|sqrt)(?!\s*\[){_ONE}")
_BINARY = re.compile(rf"\\frac{_ONE}{_ONE}")


def wrap(text: str, width: float, *, size: float, weight: str = "normal") -> list[str]:
    """Lines no wider than a width in inches; a formula between dollar signs is never broken."""
    lines: list[str] = []
    for paragraph in safe(text).split("\n"):
        line = ""
        for word in _PIECES.findall(paragraph):
            longer = f"{line} {word}".strip()
            if line and width_of(longer, size=size, weight=weight) > width:
                lines.append(line)
                longer = word
            line = longer
        if line:
            lines.append(line)
    return lines


def safe(text: str) -> str:
    """The text as matplotlib sets it; where it cannot set a formula, in Unicode and with plain dollar signs."""
    text = FORMULA.sub(lambda found: f"${_braced(found[1])}$", text)
    for piece in text.split("\n"):
        if _DOLLAR.search(piece) and not (is_math_text(piece) and _can_be_set(piece)):
            return in_unicode(text).replace("$", r"\$")
    return text


def _braced(tex: str) -> str:
    """A formula in the dialect of matplotlib."""
    tex = _COMMAND.sub(lambda found: "\\" + _SYNONYMS.get(found[1], found[1]), tex)
    tex = _UNARY.sub(lambda found: f"\\{found[1]}{_group(found[2])}", tex)
    return _BINARY.sub(lambda found: rf"\frac{_group(found[1])}{_group(found[2])}", tex)


def _group(tex: str) -> str:
    return tex if tex.startswith("{") else f"{{{tex}}}"


def _can_be_set(text: str) -> bool:
    """Whether each pair of dollar signs hugs a formula, and each formula is one that matplotlib knows."""
    formulas = _DOLLAR.split(text)[1::2]
    if any(formula != formula.strip() or not formula for formula in formulas):
        return False
    try:
        _parser.parse(text)
    except ValueError:
        return False
    return True


def width_of(text: str, *, size: float, weight: str = "normal") -> float:
    """Inches that a line takes."""
    font = FontProperties(size=size, weight=weight)
    formula = is_math_text(text)
    plain = text if formula else text.replace(r"\$", "$")
    return RendererAgg(10, 10, 72).get_text_width_height_descent(plain, font, formula)[0] / 72
