r"""Wide Gaussian initializations $[V; U]$ with $N(0, h^{-2a})$ entries: level of imbalance, orthogonality, singular values."""

from functools import partial

import numpy as np

from ...claims.axes import along
from ...claims.base import Claim, Control, Evidence, Reading, at_least, at_most, near
from ...claims.drawing import SERIES, Axis, Drawing, Line, Panel, Points, Rule
from ...claims.labelled import farthest
from ...claims.marks import family, log_axis, one_panel, tex
from ...lab import Param, Simulation
from ...lab.simulations.dictionaries import generator
from .shared.marks import EXPONENT, paired
from .shared.widths import WIDTH, powers, radius, root_mean_square
from .simulations.linear_net_flow import require_under_determined


def triangles(random: np.random.Generator, rows: int, width: int | float, draws: int) -> np.ndarray:
    r"""Lower triangular $L$: $LL^\top$ has the law of $GG^\top$ for $G$ with that many rows and $h$ columns of $N(0, 1)$ entries.

    Assumes: $h$ is at least the number of rows. Bartlett's decomposition.
    """
    below = np.tril(random.standard_normal((draws, rows, rows)), -1)
    squares = random.chisquare(np.maximum(width - np.arange(rows), 1.0), (draws, rows))
    return below + np.sqrt(squares)[:, None, :] * np.eye(rows)


def measure(key, *, n, d, outputs, width, exponent, draws) -> dict[str, np.ndarray]:
    r"""Level of imbalance, $\|Z\|_F$ and $\|U_1V^\top\|_F$ of each $[V; U_1; U_2]$ with entries of standard deviation $h^{-a}$.

    `least` and `most` are its extreme singular values, over the standard deviation.
    """
    require_under_determined(n, d)
    init = triangles(generator(key), d + outputs, width, draws)
    seen = outputs + n
    gram = init @ init.swapaxes(1, 2)
    moving = init[:, :seen]
    signs = np.concatenate([-np.ones(outputs), np.ones(n)])
    values = np.linalg.eigvalsh(moving.swapaxes(1, 2) @ (signs[:, None] * moving))
    sizes = np.linalg.svd(init, compute_uv=False)
    scale = width ** (-2 * exponent)
    return {
        "level": scale * (np.maximum(values[:, -n], 0) + np.maximum(-values[:, outputs - 1], 0)),
        "defect": scale * np.sqrt((gram[:, :seen, seen:] ** 2).sum((1, 2))),
        "product": scale * np.sqrt((gram[:, outputs:seen, :outputs] ** 2).sum((1, 2))),
        "least": sizes[:, -1],
        "most": sizes[:, 0],
    }


SIMULATION = Simulation(
    measure,
    params=[
        Param("n", 5, 20, smoke=3, low=1, high=1_000, unit="samples"),
        Param("d", 10, 50, smoke=5, low=2, high=1_000, unit="inputs"),
        Param("outputs", 2, 5, low=1, high=100),
        Param("width", (500.0, 5e3, 5e4, 5e6), (2e3, 2e4, 2e5, 2e7), smoke=(500.0, 5e3), low=1, high=1e12, unit="hidden units"),
        Param("exponent", (0.3, 0.4, 0.5), smoke=(0.5,), low=0.0, high=2.0, unit="$a$: weights $N(0, h^{-2a})$"),
        Param("draws", 1_000, 5_000, smoke=50, low=2, high=1_000_000, unit="initializations per trial"),
    ],
    returns=dict.fromkeys(("level", "defect", "product", "least", "most"), "s"),
    host=True,
)
TIMES = (0.5, 1.0, 1.5, 2.0, 2.5, 3.0)
SAMPLES = ("trial", "s")


def wide_enough(width, s) -> Reading:
    """The hypothesis of lemma 11 on the width."""
    name, why = "smallest width over the width that lemma 11 requires", "the hypothesis of the lemma, $h > 16s^2$"
    return at_least(name, width.min() / (16 * s**2), 1, key="width", why=why)


def failures(where: str, fails, delta) -> Reading:
    """How often a bound of lemma 11 fails."""
    fraction = fails.mean(SAMPLES).max()
    why = r"the failure probability $\delta$ of the lemma"
    return at_most(f"fraction of initializations {where}, maximum", fraction, delta, key="failures", why=why)


def level_and_edge(data, width, exponent, d, outputs):
    """The level of imbalance over $h^{1-2a}$, and twice the lower edge of the spectrum of the Gram matrix."""
    return data.level / width ** (1 - 2 * exponent), 2 * (1 - np.sqrt((outputs + d) / width)) ** 2


def judge_level(data, width, exponent, d, outputs, delta, claimed) -> Evidence:
    """How often the level is below the bound of the lemma, and its value at large width."""
    ratio, edge = level_and_edge(data, width, exponent, d, outputs)
    middle = ratio.median(SAMPLES)
    return Evidence(
        sound=[wide_enough(width, radius(outputs, d, delta))],
        holds=[
            failures(r"with $\Delta \leq h^{1-2a}$", ratio <= claimed, delta),
            near(
                r"$\Delta/h^{1-2a}$ at the largest width, median farthest from 2",
                farthest(middle.isel(width=-1), 2),
                2,
                0.02,
                key="limit",
                why=r"the Gram matrix is $h^{1-2a}I$ up to a few times $\sqrt{(m + r)/h}$, a thousandth",
            ),
            at_least(
                r"$\Delta/(2(1 - \sqrt{(m + n)/h})^2h^{1-2a})$, smallest median",
                (middle / edge).min(),
                1,
                key="edge",
                why="the smallest eigenvalues of both signs are at least the lower edge of the spectrum of the Gram matrix",
            ),
        ],
    )


def draw_level(data, width, exponent, d, outputs) -> Drawing:
    """Levels against the width."""
    ratio, edge = level_and_edge(data, width, exponent, d, outputs)
    low, middle = (ratio.quantile(q, SAMPLES) for q in (0.01, 0.5))
    marks = [
        *family(f"median, {EXPONENT}", width, middle, "exponent", mark=Points),
        Line("1% quantile", width, low.isel(exponent=-1).values, role="second"),
        Line("twice the edge of the spectrum", width, edge.values, role="theory"),
        Rule("lemma 11", 1.0, role="control"),
        Rule("limit", 2.0),
    ]
    caption = "The lemma guarantees 1; the limit at large width is 2. The points of all exponents coincide."
    return one_panel(marks, WIDTH, Axis(r"level of imbalance $\Delta/h^{1-2a}$", low=0.0, high=2.2), caption)


def judge_orthogonality(data, width, exponent, n, d, outputs, delta, half) -> Evidence:
    """How often the bounds fail, the mean squares against their closed forms, and the exponents of the width."""
    s = radius(outputs, d, delta)
    scale = width ** (half - 2 * exponent)
    defect, product = (root_mean_square(part) for part in (data.defect, data.product))
    over = (data.defect > 2 * np.sqrt(outputs + n) * s * scale) | (data.product > 2 * np.sqrt(outputs) * s * scale)
    off = [abs(powers(part).isel(width=-1) - (half - 2 * exponent)).max() for part in (defect, product)]
    return Evidence(
        sound=[wide_enough(width, s)],
        holds=[
            failures("beyond a bound", over, delta),
            near(
                "root mean square of the defect over its closed form, farthest from 1",
                farthest(defect / (scale * np.sqrt((outputs + n) * (d - n))), 1),
                1,
                0.03,
                key="defect",
                why="independent Gaussian rows of length $h$; standard error of 4,000 samples of 35 squares: half a percent",
            ),
            near(
                "root mean square of the product over its closed form, farthest from 1",
                farthest(product / (scale * np.sqrt(outputs * n)), 1),
                1,
                0.04,
                key="product",
                why="the same with 10 squares per sample: one percent",
            ),
            at_most(
                "exponent of the width minus $1/2 - 2a$, maximum",
                max(map(float, off)),
                0.02,
                key="exponent",
                why="mean squares are exactly proportional to $h^{1-4a}$; sampling error of 2 percent over a log ratio of 5",
            ),
        ],
    )


def draw_orthogonality(data, width, exponent, n, d, outputs) -> Drawing:
    """Root mean squares against the width, with their closed forms."""
    panels = []
    for title, part, count in (
        ("Defect $Z$", data.defect, (outputs + n) * (d - n)),
        (r"Product $U_1V^\top$", data.product, outputs * n),
    ):
        marks = paired(width, root_mean_square(part), np.sqrt(count) * width ** (0.5 - 2 * exponent))
        panels.append(Panel(marks, WIDTH, log_axis("root mean square"), title=title))
    caption = "Rows of a wide Gaussian layer are nearly orthogonal: defect and product of the layers decay like $h^{1/2-2a}$."
    return Drawing(panels, caption=caption)


def outside(data, width, rows, beside):
    r"""The fraction of samples with a singular value farther from $\sqrt{h}$ than $t$ + `beside` $\cdot \sqrt{\mathrm{rows}}$."""
    reach = beside * np.sqrt(rows) + along(TIMES, "t", TIMES)
    root = np.sqrt(width)
    return ((data.least < root - reach) | (data.most > root + reach)).mean(SAMPLES)


def judge_singular(data, width, d, outputs, beside) -> Evidence:
    """Fractions beyond the bound, beside the probability that the lemma allows."""
    fraction = outside(data, width, d + outputs, beside)
    above = (data.most - np.sqrt(width)).median(SAMPLES) / np.sqrt(d + outputs)
    return Evidence(
        holds=[
            at_most(
                r"fraction beyond $\sqrt{m} + t$ minus $2e^{-t^2/2}$, maximum",
                (fraction - 2 * np.exp(-(fraction.t**2) / 2)).max(),
                0,
                key="failures",
                why="the probability that the lemma allows, in the form that is proved: the paper prints $e^{-t^2}$",
            ),
            at_least(
                r"$(\sigma_1 - \sqrt{n})/\sqrt{m}$, smallest median",
                above.min(),
                0.5,
                key="edge",
                why=r"the term $\sqrt{m}$ is needed: the extremes converge to $\sqrt{n} \pm \sqrt{m}$",
            ),
        ]
    )


def draw_singular(data, width, d, outputs) -> Drawing:
    """Fractions against $t$, beside the bound."""
    found = [outside(data, width, d + outputs, beside) for beside in (1.0, 0.0)]
    with_root, free = (part.max([name for name in part.dims if name not in ("t", "width")]) for part in found)
    fine = np.linspace(TIMES[0], TIMES[-1], 50)
    marks = [
        *(
            Line(f"$h = {tex(width[at])}$", TIMES, with_root.isel(width=at).values, role=role)
            for at, role in zip((0, -1), SERIES, strict=False)
        ),
        Line("$2e^{-t^2/2}$", fine, 2 * np.exp(-(fine**2) / 2), role="theory"),
        Line(r"without $\sqrt{m}$", TIMES, free.isel(width=-1).values, role="control"),
    ]
    return one_panel(
        marks,
        Axis("$t$"),
        Axis("fraction of samples beyond the bound", low=0.0, high=1.2),
        r"How often a singular value leaves the interval of the lemma. The bound is loose; without $\sqrt{m}$ it would be false.",
    )


lemma = partial(Claim, kind="lemma", simulation=SIMULATION, seconds={"quick": 5, "paper": 600})
CLAIMS = (
    lemma(
        id="min2021/lemma_11_imbalance",
        title="Wide Gaussian initializations are imbalanced",
        says=r"For $h > 16s^2$ with $s = \sqrt{m + n} + \frac{1}{2}\log(2/\delta)$ and weights $N(0, h^{-2a})$, the level of "
        r"imbalance satisfies $\Delta > h^{1-2a}$ with probability at least $1 - \delta$. At large width $\Delta/h^{1-2a} \to "
        "2$.",
        source="min2021, lemma 11",
        judge=judge_level,
        draw=draw_level,
        constants={"delta": 0.1, "claimed": 1.0},
        controls=[Control(r"the bound $\Delta > 2h^{1-2a}$", changes={"claimed": 2.0}, breaks=("failures",))],
    ),
    lemma(
        id="min2021/lemma_11_orthogonality",
        title="Wide Gaussian initializations are nearly orthogonal",
        says=r"With probability at least $1 - \delta$, $\|Z\|_F \leq 2\sqrt{m + r}\,s\,h^{1/2-2a}$ and $\|U_1V^\top\|_F \leq "
        r"2\sqrt{m}\,s\,h^{1/2-2a}$, where $s = \sqrt{m + n} + \frac{1}{2}\log(2/\delta)$. Their mean squares are $h^{1-4a}(m + "
        "r)(n - r)$ and $h^{1-4a}rm$.",
        source="min2021, lemma 11",
        judge=judge_orthogonality,
        draw=draw_orthogonality,
        constants={"delta": 0.1, "half": 0.5},
        controls=[Control("$h^{1/4-2a}$ in place of $h^{1/2-2a}$", changes={"half": 0.25}, breaks=("failures", "exponent"))],
        least={"width": 2},
    ),
    lemma(
        id="min2021/lemma_e_1",
        title="Singular values of a Gaussian matrix",
        says=r"With probability at least $1 - 2e^{-t^2/2}$, all singular values of an $n \times m$ matrix of $N(0, 1)$ entries "
        r"with $m \leq n$ lie between $\sqrt{n} - \sqrt{m} - t$ and $\sqrt{n} + \sqrt{m} + t$.",
        source="min2021, lemma E.1",
        judge=judge_singular,
        draw=draw_singular,
        constants={"beside": 1.0},
        controls=[Control(r"without the term $\sqrt{m}$", changes={"beside": 0.0}, breaks=("failures",))],
    ),
)
