r"""The coordinate functions $q_D$ and $r$ as curves, $Q_\alpha$ of two unit vectors, and the squared distance itself."""

import numpy as np

from ....lab.params import Param
from ....lab.simulation import Simulation
from ....numerics.entropy_links import link_of
from ....numerics.weight_distance import distance_quartic, real_roots, weight_distance

# Gauss-Legendre nodes: enough for prices below 0.8 up to rounding error.
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


def ratio(log_alpha, depth, d):
    r"""$Q(e_1)/Q(\mathbf 1/\sqrt d)$ at these scales."""
    log_scale = depth * np.asarray(log_alpha, float)
    one = np.ones_like(log_scale)
    return entropy(one, depth, log_scale) / (d * entropy(one / np.sqrt(d), depth, log_scale))


def ratio_curve(depth, d, least, most, points):
    """The ratio over the scales, at the known point, and the largest scale at which it is within 10% of its limit."""
    log_alpha = np.linspace(np.log(least), np.log(most), points)
    values = ratio(log_alpha, depth, d)
    near_l1 = np.interp(1.1, values * np.sqrt(d), log_alpha, left=-np.inf)
    known = ratio(np.log([0.1]), depth, 1000.0)[0]
    return {"alpha": np.exp(log_alpha), "ratio": values, "log_rich": near_l1, "known": known}


def least_distance(alpha, beta):
    r"""$\min_{u^2-v^2=\beta}(u-\alpha)^2+(v-\alpha)^2$ over the weights themselves, and $r(\beta/\alpha^2)$."""
    from scipy.optimize import fminbound

    def cost(v):
        u = np.sqrt(beta + v**2)
        return (u - alpha) ** 2 + (v - alpha) ** 2

    # The best v lies between 0 and alpha: beyond, both weights would be farther away.
    best = fminbound(cost, 0.0, alpha, xtol=1e-12 * alpha)
    return {"distance": cost(best), "r": entropy(beta / alpha**2, 4)}


_CURVE = (
    Param("reach", 10.0, low=1.0, high=100.0, unit="largest $z$ of the curve"),
    Param("points", 101, 1001, smoke=21, low=11, high=100_000, unit="values of $z$"),
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
RATIOS = Simulation(
    ratio_curve,
    params=[
        Param("depth", (2, 3, 5, 10), (2, 3, 4, 5, 7, 10), smoke=(2, 3), low=2, high=100),
        Param("d", 1000.0, low=2, high=1e9, unit="dimension"),
        Param("least", 1e-12, low=1e-100, high=1e-2, unit="smallest scale"),
        Param("most", 100.0, low=10.0, high=1e6, unit="largest scale"),
        Param("points", 281, 2801, smoke=57, low=29, high=100_000, unit="scales"),
    ],
    returns={"alpha": "m", "ratio": "m", "log_rich": "", "known": ""},
    random=False,
    host=True,
)
PREFACTOR = Simulation(
    least_distance,
    params=[
        Param("alpha", (0.03, 0.1, 0.3, 1.0, 3.0), smoke=(0.1, 2.0), low=1e-2, high=10.0, unit="initial weights"),
        Param("beta", (0.1, 0.5, 1.0, 4.0), smoke=(0.5, 1.0), low=1e-2, high=100.0, unit="$u^2 - v^2$"),
    ],
    returns={"distance": "", "r": ""},
    random=False,
    host=True,
)
