"""Arithmetic of labelled arrays that judges share: distances along an axis, spreads over draws."""


def norm(a, axis: str = "d"):
    """The Euclidean norm along an axis."""
    return (a**2).sum(axis, skipna=False) ** 0.5


def relative_distance(a, b, axis: str = "d"):
    r"""$\|a - b\|_2/\|b\|_2$ along an axis."""
    return norm(a - b, axis) / norm(b, axis)


def spread(a, axis: str):
    """The largest less the smallest along an axis."""
    return a.max(axis, skipna=False) - a.min(axis, skipna=False)
