r"""Figure 2 and three errata: the coordinate function $q$ of the implicit bias and $r$ of the distance to the initialization."""

from functools import partial

import numpy as np

from ...claims.base import Claim, Control, Evidence, at_least, at_most, near
from ...claims.drawing import Axis, Drawing, Line, Panel, Points, Slope
from ...claims.marks import log_axis, one_panel
from .simulations.entropy_curves import DISTANCES, PREFACTOR

Z = log_axis("$z$")


def judge_distance(data, first) -> Evidence:
    """The ratio at zero and far away, the growth over |z|, and r by two independent ways."""
    upper, z = data[f"{first}_far"], data.far
    over = upper / z
    growth = (over[-1] - over[-3]) / np.log(z[-1] / z[-3])
    short = (1 - data.r_far / z) * z**0.5 / 2
    ratio, error = upper / data.r_far, abs(data.least / data.r - 1).max()
    far = r"$(\log z - 1)/2$ is 8.7 at $z = 10^8$; a constant ratio would give 1"
    next_term = r"$r = |z| - 2 \sqrt{|z|} + 3/2 + O(|z|^{-1/2})$: the next term is 0.75e-4 of this one at $z = 10^8$"
    return Evidence(
        sound=[at_most("$r$ by search against the root", error, 1e-9, key="r", why="equal up to rounding error")],
        holds=[
            near("$q/r$ near zero", ratio[0], 2, 1e-4, key="near_zero", why="$z^2/4$ over $z^2/8$, up to $O(z^2)$"),
            at_least("$q/r$ far from zero over that near zero", ratio[-1] / ratio[0], 5, key="far", why=far),
            near(r"slope of $q/|z|$ in $\log|z|$", growth, 1, 1e-3, key="growth", why=r"$q = |z| \log|z| - |z| + 2 + O(1/|z|)$"),
            near(r"$|z| - r(z)$ over $2 \sqrt{|z|}$", short[-1], 1, 1e-3, key="shortfall", why=next_term),
        ],
    )


def draw_distance(data) -> Drawing:
    """Both functions on both sides of zero, and each over |z| on a logarithmic axis."""
    z, far = np.concatenate([-data.z.values[::-1], [0.0], data.z.values]), data.far.values
    q, r = (np.concatenate([y[::-1], [0.0], y]) for y in (data.q.values, data.r.values))
    over = [
        Line("$q(z)/|z|$", far, (data.q_far / data.far).values),
        Line("$r(z)/|z|$", far, (data.r_far / data.far).values, role="second"),
    ]
    return Drawing(
        [
            Panel([Line("$q(z)$", z, q), Line("$r(z)$", z, r, role="second")], Axis("$z$"), Axis("value", low=0)),
            Panel(over, Z, Axis("value over $|z|$", low=0), title="Far from zero"),
        ],
        caption="The function that gradient flow minimizes, $q$, and that of the distance to the initialization, $r$. Both are "
        "quadratic near zero; $q$ grows faster than $|z|$ by a logarithm, $r$ tends to $|z|$ polynomially.",
    )


def judge_roots(data, count, taken) -> Evidence:
    """How many real roots, and which of them is the smallest distance found by search."""
    search, error = (abs(part - 1).max() for part in (data.r / data.q4, data[taken] / data.r))
    exact = r"exact at every $z > 0$; the others are a pair with an imaginary part of order $|z|^{2/3}$ near zero"
    simple = "a simple root is exact up to rounding times the size of the coefficients"
    return Evidence(
        sound=[at_most("$r$ by search against $q_4$, relative", search, 1e-12, key="r", why="$r = q_4$ up to rounding error")],
        holds=[
            at_most("values of $z$ with another number of real roots", (data.roots != count).sum(), 0, key="count", why=exact),
            at_most("the root against the smallest distance, relative", error, 1e-9, key="root", why=simple),
        ],
    )


def draw_roots(data) -> Drawing:
    """Both real roots against z, with the distance found by search on the smaller."""
    z, every = data.z.values, slice(None, None, max(1, data.z.size // 20))
    return one_panel(
        [
            Line("smaller real root", z, data.least.values, role="theory"),
            Line("larger real root", z, data.most.values, role="control"),
            Points("squared distance, by search", z[every], data.r.values[every]),
        ],
        Axis("$z$"),
        Axis("$u$", low=0),
        "The printed quartic has two real roots. The squared distance to the initialization, $r(z)$, is the smaller; the larger "
        "belongs to another critical point, at which one weight has changed its sign.",
    )


def judge_prefactor(data, alpha, power) -> Evidence:
    """The formula over the distance found by search."""
    off = abs(alpha**power * data.r / data.distance - 1).max()
    why = "differences of weights, at least 2e-4 $\\alpha$, are squared after rounding: 1e-12, and as much for the search"
    return Evidence(holds=[at_most("formula over the distance by search, less 1", off, 1e-6, key="formula", why=why)])


def draw_prefactor(data, alpha, beta) -> Drawing:
    """Both formulas and the search against the scale."""
    at, one = float(beta.values[-2]), data.isel(beta=-2)
    return one_panel(
        [
            Points("squared distance, by search", alpha.values, one.distance.values),
            Line(r"$\alpha^2 r(\beta/\alpha^2)$", alpha.values, (alpha**2 * one.r).values, role="theory"),
            Line(r"printed: $r(\beta/\alpha^2)$", alpha.values, one.r.values, role="control"),
        ],
        log_axis(r"$\alpha$"),
        log_axis("squared distance"),
        rf"The smallest squared distance of weights with $u^2 - v^2 = {at:g}$ to the initialization $u = v = \alpha$.",
    )


def remainder(data, form):
    r"""$q(z)$ less its expansion, at powers of ten from 10 to 1e6, where rounding error is far below it."""
    seen = (data.far > 9) & (data.far < 2e6)
    z = data.far[seen]
    return z, data.q_far[seen] - (z * np.log(z) + (2 - z if form == "corrected" else 0))


def judge_expansion(data, form) -> Evidence:
    """The remainder over its next term, and over the norm that is to be approached."""
    z, left = remainder(data, form)
    product, missing = (left * z)[(z > 90) & (z < 2e3)].mean(), abs(left / z).max()
    law = r"the next terms are $-1/|z| + O(|z|^{-3})$; rounding of $q$ is 1e-8 of it at $z \leq 2000$"
    small = r"$1/z^2$ is 0.01 at $z = 10$; a missing term proportional to $|z|$ would be a fraction of the $\ell_1$ norm"
    return Evidence(
        holds=[
            near("remainder times $|z|$", product, -1, 0.01, key="next_term", why=law),
            at_most("largest remainder over $|z|$", missing, 0.02, key="remainder", why=small),
        ]
    )


def draw_expansion(data) -> Drawing:
    """The remainder of either expansion."""
    (z, corrected), (_, printed) = remainder(data, "corrected"), remainder(data, "printed")
    return one_panel(
        [
            Line(r"printed: $|z| \log|z|$", z.values, abs(printed).values, role="control"),
            Line(r"corrected: $|z| \log|z| - |z| + 2$", z.values, abs(corrected).values),
            Slope("$1/|z|$", z.values, (float(z[0]), 1 / float(z[0])), -1),
        ],
        Z,
        log_axis("remainder of $q(z)$"),
        r"The printed expansion lacks $-|z| + 2$, a fraction $1/\log|z|$ of $q$: of the order of the distance to the $\ell_1$ "
        r"norm that it is used for, so that the conclusion, $O(1/\log)$, stands.",
    )


claim = partial(Claim, simulation=DISTANCES, seconds={"quick": 1, "paper": 1})
erratum = partial(claim, kind="erratum")

CLAIMS = (
    claim(
        id="woodworth2020/figure_2",
        kind="figure",
        title="The implicit bias is not the distance to the initialization",
        says=r"$q(z)$ and $r(z)$ are similar but not proportional: $q = z^2/4$ and $r = z^2/8$ near zero, while far from zero "
        r"$q$ grows like $|z| \log|z|$ and $r$ like $|z| - 2 \sqrt{|z|}$.",
        source="woodworth2020, figure 2",
        judge=judge_distance,
        draw=draw_distance,
        constants={"first": "q"},
        controls=[Control("$r$ in place of $q$", changes={"first": "r"}, breaks=("near_zero", "far", "growth"))],
    ),
    erratum(
        id="woodworth2020/quartic_root",
        title="Two real roots, of which $r$ is the smaller",
        says=r"The quartic $u^4 - 6u^3 + (12 - 2z^2)u^2 - (8 + 10z^2)u + z^2 + z^4$ has two real roots for $z \neq 0$, and "
        r"$r(z)$ is the smaller; the paper calls $r$ its unique real root.",
        source="woodworth2020, section 4 after equation 9",
        judge=judge_roots,
        draw=draw_roots,
        constants={"count": 2, "taken": "least"},
        controls=[Control("one real root, as printed, or the larger", {"count": 1, "taken": "most"}, breaks=("count", "root"))],
    ),
    erratum(
        id="woodworth2020/r_prefactor",
        title=r"The prefactor $\alpha^2$ of the distance",
        says=r"The smallest squared distance to the initialization is $R_\alpha(\beta) = \alpha^2 \sum_i r(\beta_i/\alpha^2)$; "
        r"the paper prints it without $\alpha^2$. The minimizer is the same, the value and its limit $\|\beta\|_1$ are not.",
        source="woodworth2020, section 4 after equation 9",
        simulation=PREFACTOR,
        judge=judge_prefactor,
        draw=draw_prefactor,
        constants={"power": 2},
        controls=[Control("no prefactor, as printed", changes={"power": 0}, breaks=("formula",))],
    ),
    erratum(
        id="woodworth2020/q_expansion",
        title="The expansion of $q$ far from zero",
        says=r"$q(z) = |z| \log|z| - |z| + 2 - 1/|z| + O(|z|^{-3})$ as $|z| \to \infty$; in print $Q_\alpha$ is $\sum_i "
        r"|\beta_i| \log(|\beta_i|/\alpha^2)$, without $-|z| + 2$.",
        source="woodworth2020, section 4 after theorem 1",
        judge=judge_expansion,
        draw=draw_expansion,
        constants={"form": "corrected"},
        controls=[Control(r"$|z| \log|z|$, as printed", changes={"form": "printed"}, breaks=("next_term", "remainder"))],
    ),
)
