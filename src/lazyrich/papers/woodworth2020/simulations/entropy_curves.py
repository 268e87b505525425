r"""The coordinate functions $q_D$, and $r$ beside them, as curves."""

import numpy as np

from ...numerics.entropy_links import link_of
from ...numerics.weight_distance import distance_quartic, real_roots, weight_distance
from ..params import Param
from ..simulation import Simulation

# Nodes at which Gauss and Legendre integrate a price below 0.8 to rounding.
_NODES = 80


def entropy(z, depth: int, log_scale=0.0):
    r"""$c\,q_D(z/c)$ of numbers, from $\log c$."""
    sizes, logs = np.broadcast_arrays(np.atleast_1d(np.asarray(z, float)), np.asarray(log_scale, float))
    found = link_of(depth).entropies(sizes, logs)
    return found if np.ndim(z) else found[0]


def entropy_by_quadrature(z: np.ndarray, depth: int) -> np.ndarray:
    r"""$q_D(z) = \int_0^P p\,h_D'(p)\,dp$ at $z = h_D(P)$: the defining integral, for moderate $z$."""
    z, power = np.abs(z), depth / (depth - 2) if depth > 2 else np.inf
    nodes, weights = np.polynomial.legendre.leggauss(_NODES)
    top = np.asarray(link_of(depth).price(link_of(depth).sigma(z, np.zeros_like(z))))[..., None]
    price = top * (nodes + 1) / 2
    slope = 2 * np.cosh(price) if depth == 2 else power * ((1 - price) ** (-power - 1) + (1 + price) ** (-power - 1))
    return (price * slope * weights * top / 2).sum(-1)


def depth_curves(depth, reach, points):
    r"""$q_D$ on $[0, \text{reach}]$ and at powers of ten, with the defining integral beside the first."""
    near, far = np.linspace(0, reach, points), np.logspace(-3, 6, 37)
    return {
        "z": near,
        "q": entropy(near, depth),
        "integral": entropy_by_quadrature(near, depth),
        "far": far,
        "q_far": entropy(far, depth),
    }


def distance_curves(reach, points):
    r"""$q$, $q_4$, and $r$ by search and as roots of the quartic, on $(0, \text{reach}]$ and at powers of ten."""
    near, far = np.linspace(0, reach, points + 1)[1:], np.logspace(-2, 8, 21)
    roots = [real_roots(distance_quartic(z)) for z in near]
    found = {"z": near, "far": far, "roots": np.array([one.size for one in roots])}
    found |= {"least": np.array([one[0] for one in roots]), "most": np.array([one[-1] for one in roots])}
    for tail, z in (("", near), ("_far", far)):
        found |= {f"q{tail}": entropy(z, 2), f"q4{tail}": entropy(z, 4), f"r{tail}": weight_distance(z)}
    return found


_CURVE = (
    Param("reach", 10.0, low=1.0, high=100.0, unit="largest z of the curve"),
    Param("points", 101, 1001, smoke=21, low=11, high=100_000, unit="values of z"),
)
DEPTHS = Simulation(
    depth_curves,
    params=[Param("depth", (2, 3, 4, 5, 10), (2, 3, 4, 5, 7, 10, 30), smoke=(2, 3, 10), low=2, high=100), *_CURVE],
    returns={**dict.fromkeys(("z", "q", "integral"), "m"), **dict.fromkeys(("far", "q_far"), "w")},
    random=False,
    host=True,
)
DISTANCES = Simulation(
    distance_curves,
    params=_CURVE,
    returns={
        **dict.fromkeys(("z", "q", "q4", "r", "roots", "least", "most"), "m"),
        **dict.fromkeys(("far", "q_far", "q4_far", "r_far"), "w"),
    },
    random=False,
    host=True,
)
