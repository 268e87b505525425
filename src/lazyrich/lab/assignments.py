"""How values are written on a command line: `0.1`, `1,3,10`, `0..9`, `lin:0:1:11`, `log:1e-4:1e2:25`."""

import math
from collections.abc import Iterable

from ..errors import BadInput

Number = int | float
# Values that one text may stand for.
MOST = 10**7


def assignments(texts: Iterable[str]) -> dict[str, Number | tuple[Number, ...]]:
    """NAME=VALUE texts as a dict, later ones winning."""
    found = {}
    for text in texts:
        name, sign, value = text.partition("=")
        if not sign or not name.strip() or not value.strip():
            raise BadInput(
                needed="a parameter is set as NAME=VALUE", given=repr(text), cure="Write for example weight_decay=1e-3."
            )
        found[name.strip()] = values(value.strip())
    return found


def values(text: str) -> Number | tuple[Number, ...]:
    """One number, or several as a tuple."""
    try:
        if text.startswith(("lin:", "log:")):
            kind, low, high, count = text.split(":")
            return _spread(kind, float(low), float(high), int(count))
        if ".." in text:
            low, high = (int(part) for part in text.split(".."))
            if high < low or high - low >= MOST:
                raise ValueError
            return tuple(range(low, high + 1))
        parts = tuple(_number(part) for part in text.split(","))
    except ValueError as error:
        raise _refusal(text) from error
    return parts[0] if len(parts) == 1 else parts


def _spread(kind: str, low: float, high: float, count: int) -> tuple[float, ...]:
    if not 2 <= count <= MOST or not math.isfinite(high - low) or (kind == "log" and min(low, high) <= 0):
        raise ValueError
    if kind == "lin":
        return tuple(low + (high - low) * i / (count - 1) for i in range(count))
    a, b = math.log(low), math.log(high)
    return (low, *(math.exp(a + (b - a) * i / (count - 1)) for i in range(1, count - 1)), high)


def _number(text: str) -> Number:
    number = float(text)
    if not math.isfinite(number):
        raise ValueError
    try:
        return int(text)
    except ValueError:
        return number


def _refusal(text: str) -> BadInput:
    return BadInput(
        needed="a value is a number, 1,3,10, 0..9, lin:0:1:11 or log:1e-4:1e2:25",
        given=repr(text),
        cure="Write numbers with a point, not a comma, as decimal sign.",
    )
