r"""Figure 5 and footnote 4: matrix completion over scale and width; the transition is at $\alpha^2 k \sim 1$."""

from functools import partial

import numpy as np

from ...claims.base import Claim, Control, Evidence, at_least, at_most, near
from ...claims.drawing import Drawing, Heat, Line
from ...claims.marks import log_axis, one_panel
from .shared.readings import fitted
from .shared.readings import power as fitted_power
from .simulations.matrix_completion import SIMULATION

# Twenty by twenty: k from d to 10^4, alpha over two decades and a half around k^(-1/2).
GRID = {
    "alpha": tuple(10.0 ** (-3 + 2.5 * at / 19) for at in range(20)),
    "width": tuple(float(round(10 ** (1 + 3 * at / 19))) for at in range(20)),
    "trials": 20,
}
PREDICTOR = Control(
    r"the scale of the predictor, $\alpha^2 \sqrt{k}$, in place of $\alpha^2 k$", {"power": -0.25}, breaks=("exponent",)
)


def lifted(data):
    r"""The scale of the lifted matrix, $\alpha^2 k$, up to rounding."""
    return data.alpha**2 * data.width * (1 + 1e-9)


def threshold(curve, level: int | float):
    r"""The $\alpha$ at which a rising curve crosses a level, $\log\alpha$ linear between the cells; NaN where it does not."""
    import xarray as xr

    x = np.log(curve.alpha.values)

    def one(y):
        above = np.flatnonzero((y[1:] >= level) & (y[:-1] < level))
        if above.size == 0:
            return np.nan
        at = above[0]
        return np.exp(x[at] + (level - y[at]) / (y[at + 1] - y[at]) * (x[at + 1] - x[at]))

    return xr.apply_ufunc(one, curve, input_core_dims=[["alpha"]], vectorize=True)


def exponent(alpha):
    """The slope of the threshold against the width, in logarithms."""
    return fitted_power(alpha, alpha.width, "width")


def judge_excess(data, power) -> Evidence:
    r"""Small below, large above, and the threshold in $\alpha$ moves with the width as for a constant $\alpha^2 k$."""
    excess = ((data.nuclear - data.true_nuclear) / data.true_nuclear).mean("trial", skipna=False)
    scale = lifted(data)
    edge = threshold(excess.sel(width=data.width >= 1000), 0.1)
    return Evidence(
        sound=[fitted(data, 1e-9)],
        holds=[
            at_most(
                r"excess nuclear norm at $\alpha^2 k \leq 10^{-3}$, over $\|Y^*\|_*$",
                excess.where(scale <= 1.1e-3).max(),
                0.1,
                key="rich",
                why="nearly zero: a tenth of the norm; negative where $Y^*$ does not have the minimum nuclear norm",
            ),
            at_least(
                r"excess nuclear norm at $\alpha^2 k \geq 10^3$, over $\|Y^*\|_*$",
                excess.where(scale >= 1e3).min(),
                1,
                key="kernel",
                why=r"the initial norm, $\sigma d^{3/2} \geq 100$ against $\|Y^*\|_* \sim 10$, stays in unseen entries",
            ),
            near(
                r"exponent of the threshold $\alpha$ in the width, $k \geq 1000$",
                exponent(edge),
                power,
                0.12,
                key="exponent",
                why=r"only $\alpha^2 k$ counts: $\alpha \sim k^{-1/2}$. The initial norm and Gram matrices off by 0.14 at $k = "
                r"1000$ move the threshold by a quarter at most: $\log 1.25/\log 10 = 0.1$",
            ),
        ],
    )


def judge_change(data, n, d, cols, power) -> Evidence:
    """All the way to the ground truth below the threshold, nearly nothing above it in wide nets."""
    fraction = (data.change / data.needed).mean("trial", skipna=False)
    scale, wide = lifted(data), data.width >= 1000
    edge = threshold(-fraction.sel(width=data.width >= 100), -1 / 3)
    expected = np.sqrt(n * (1 / d + 1 / cols) / 4 / data.width)
    return Evidence(
        sound=[fitted(data, 1e-9)],
        holds=[
            at_least(
                r"fraction of the way to the ground truth at $\alpha^2 k \leq 10^{-3}$",
                fraction.where(scale <= 1.1e-3).min(),
                0.65,
                key="rich",
                why="1 in the limit; entries that the others hardly determine lag behind",
            ),
            at_most(
                r"fraction of the way to the ground truth at $\alpha^2 k \geq 10$, $k \geq 1000$",
                fraction.where((scale >= 10) & wide).max(),
                0.15,
                key="kernel",
                why=r"kernel regime: first-order moves of unseen entries are $\sqrt{n/(2dk)}$ of what is needed, 0.055 at $k = "
                r"1000$, and second-order ones fall like $1/(\alpha^2 k)$",
            ),
            near(
                r"fraction of the way over $\sqrt{n (1/d + 1/d')/(4k)}$ at $\alpha^2 k \geq 100$, $k \geq 1000$",
                (fraction / expected).where((scale >= 99) & wide).mean(),
                1,
                0.4,
                key="first_order",
                why=r"$A = -r/(2 \alpha^2 k)$ on seen entries moves unseen ones by $A V V^\top + U U^\top A$, sums of $n/d + "
                r"n/d'$ products with off-diagonal Gram entries $\alpha^2 \sqrt{k}$; the residuals of 4 trials vary by a third",
            ),
            near(
                r"exponent of the threshold $\alpha$ in the width, a third of the way, $k \geq 100$",
                exponent(edge),
                power,
                0.1,
                key="exponent",
                why=r"only $\alpha^2 k$ counts: $\alpha \sim k^{-1/2}$; the narrowest Gram matrix is off by 0.45, 0.05 in the "
                "exponent",
            ),
        ],
    )


def heat(values, name: str, title: str, caption: str, *, high: int | float) -> Drawing:
    """A map over scale and width, with the line on which the lifted matrix has the size of the data."""
    alpha, width = values.alpha.values, values.width.values
    cells = Heat(name, alpha, width, values.mean("trial").transpose("width", "alpha").values, low=0.0, high=high)
    edge = Line(r"$\alpha^2 k = 1$", np.clip(1 / np.sqrt(width), alpha.min(), alpha.max()), width, role="theory")
    return one_panel([cells, edge], log_axis(r"$\alpha$"), log_axis("width $k$"), caption, title)


def draw_excess(data) -> Drawing:
    """The map of the excess."""
    return heat(
        data.nuclear - data.true_nuclear,
        "excess nuclear norm",
        "Excess nuclear norm",
        r"Nuclear norm of the completed matrix less that of the ground truth, mean over trials, clipped at 10. Near zero below "
        r"$\alpha^2 k = 1$, large above. Slightly negative values are real: $Y^*$ need not have the minimum nuclear norm.",
        high=10.0,
    )


def draw_change(data) -> Drawing:
    """The map of the moves."""
    return heat(
        data.change,
        "root mean square change",
        "Change of unseen entries",
        r"Root mean square change of unseen entries from $U(0) V(0)^\top$, mean over trials. Near zero above $\alpha^2 k = 1$ in "
        r"wide nets. It rises again like $\alpha^2$, since the initial output $\alpha^2 \sqrt{k}$ must be undone where entries "
        r"are seen; at $k = d$ the Gram matrix is far from a multiple of $I$ and entries move at every scale.",
        high=1.0,
    )


claim = partial(Claim, simulation=SIMULATION, constants={"power": -0.5}, least={"alpha": 2, "width": 2}, controls=[PREDICTOR])
figure = partial(
    claim,
    kind="figure",
    sizes={"paper": GRID},
    edges={r"$\alpha^2 k = 1$": "=alpha**2*width"},
    seconds={"quick": 12, "paper": 240},
)

CLAIMS = (
    figure(
        id="woodworth2020/figure_5_left",
        title="Excess nuclear norm over scale and width",
        says=r"When a rank-one $10 \times 10$ matrix is completed from 60 entries by factors of width $k$ with $N(0, \alpha^2)$ "
        r"initialization, the excess of the nuclear norm over that of the ground truth is near zero for $\alpha^2 k \ll 1$ and "
        r"large for $\alpha^2 k \gg 1$: the transition is at a constant $\alpha^2 k$.",
        source="woodworth2020, figure 5 left",
        judge=judge_excess,
        draw=draw_excess,
        aliases=("figure_5",),
    ),
    figure(
        id="woodworth2020/figure_5_right",
        title="Change of unseen entries over scale and width",
        says=r"When a rank-one $10 \times 10$ matrix is completed from 60 entries by factors of width $k$ with $N(0, \alpha^2)$ "
        r"initialization, unseen entries reach the ground truth for $\alpha^2 k \ll 1$ and stay at their initial values for "
        r"$\alpha^2 k \gg 1$ and $k \gg d$: the transition is at a constant $\alpha^2 k$.",
        source="woodworth2020, figure 5 right",
        judge=judge_change,
        draw=draw_change,
    ),
    claim(
        id="woodworth2020/non_square",
        kind="statement",
        title="The transition does not need square matrices",
        says=r"When a rank-one $6 \times 16$ matrix is completed from 60 entries, unseen entries reach the ground truth for "
        r"$\alpha^2 k \ll 1$ and stay at their initial values for $\alpha^2 k \gg 1$ and $k \gg d$, with the transition at a "
        r"constant $\alpha^2 k$, as for square matrices.",
        source="woodworth2020, section 6, footnote 4",
        judge=judge_change,
        draw=draw_change,
        sizes=dict.fromkeys(("quick", "smoke", "paper"), {"d": 6, "cols": 16, "n": 60}),
        seconds={"quick": 12, "paper": 20},
    ),
)
