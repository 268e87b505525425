r"""The distance at large width: $h^{1/2-2a}\sqrt{n - r}\,[\sum_i\sqrt{1 + (\theta_i/h^{1-2a})^2}]^{1/2}$."""

import numpy as np

from ...lab import Param
from ...lab.settings.wide_linear_net import SIMULATION
from ..base import Claim, Control, Evidence, at_most, near
from ..drawing import SERIES, Axis, Drawing, Line, Panel, Points, Rule
from ..labelled import farthest, norm
from .widths import root_mean_square


def refer(problem, width, exponent, shrink):
    """The closed form of the distance, with the scale of the start as it is or `shrink` times it."""
    from ...predictors.linear_rates import width_distance

    plain = width_distance(problem.train, width=int(width), exponent=exponent)
    # Another scale in the bracket alone: as that of another exponent, with the power in front put right.
    other = exponent - np.log(shrink) / (2 * np.log(width))
    told = plain if shrink == 1 else width_distance(problem.train, width=int(width), exponent=other) / shrink
    return {"law": told}


def judge(data, told, width, exponent, outputs, shrink) -> Evidence:
    """The root mean square of the distance over the closed form; and the second layer's Gram matrix from an even start."""
    ratio = root_mean_square(data.distance / told["law"])
    drawn, even = ratio.sel(ideal=0), data.sel(ideal=1)
    wide = even.isel(width=-1)
    scale = shrink * width.isel(width=-1) ** (1 - 2 * exponent)
    return Evidence(
        sound=[
            at_most(
                "distance of the even start over the closed form less that of the drawn one, the largest",
                abs(drawn - ratio.sel(ideal=1)).isel(width=-1).max(),
                5e-3,
                why="at the largest width the two starts agree to one over the root of the width",
            )
        ],
        holds=[
            near(
                "distance over the closed form, the farthest from one",
                farthest(drawn, 1),
                1,
                0.01,
                why="some 200,000 squares of normal numbers: the root of their mean spreads by 0.2 percent; the next order of "
                "the law is a tenth of a percent at the least width",
            ),
            at_most(
                "Gram matrix of the second layer from an even start less its closed form, relative",
                (norm(wide.gram - _root(wide.least, scale, outputs), "k") / norm(wide.gram, "k")).max(),
                1e-5,
                why="exact where the start is even: what is left is the error at which runs stop, 1e-6",
            ),
        ],
    )


def _root(least, scale, outputs):
    r"""$(s^2I + \Theta^\top\Theta)^{1/2}$, entries in a row."""
    import xarray as xr

    def one(flat, s):
        values, vectors = np.linalg.eigh(flat.reshape(outputs, outputs))
        return ((vectors * np.sqrt(s**2 + np.maximum(values, 0))) @ vectors.T).ravel()

    return xr.apply_ufunc(one, least, scale, input_core_dims=[["k"], []], output_core_dims=[["k"]], vectorize=True)


def draw(data, told, width, exponent) -> Drawing:
    """Distances against the width for each exponent on their closed forms, and the ratios."""
    rms = root_mean_square(data.distance).sel(ideal=0)
    law = (told["law"] ** 2).mean("trial") ** 0.5
    ratio = root_mean_square(data.distance / told["law"]).sel(ideal=0)
    names = [f"a = {a:g}" for a in exponent.values]
    x = Axis("width", scale="log")
    marks = []
    for at, name in enumerate(names):
        marks.append(Points(name, width, rms.isel(exponent=at).values, role=SERIES[at % 3]))
        marks.append(Line(f"closed form, {name}", width, law.isel(exponent=at).values, role="theory"))
    return Drawing(
        [
            Panel(marks, x=x, y=Axis("distance from least norm", scale="log"), title="Every width and scale"),
            Panel(
                [
                    *[
                        Points(n, width, ratio.isel(exponent=at).values, role=SERIES[at % 3])
                        for at, n in enumerate(names)
                    ],
                    Rule("closed form", 1.0),
                ],
                x=x,
                y=Axis("distance over the closed form", low=0.98, high=1.02),
                title="To a percent",
            ),
        ],
        caption="Root mean squares over all draws. The singular values of the least-norm map and the scale h^(1-2a) of the start "
        "are all that the distance depends on; no trajectory is needed.",
    )


CLAIM = Claim(
    kind="derived",
    title="The sharp law of the width",
    says="At large width h the distance from the least norm is h^(1/2 - 2a) sqrt(n - r) times the root of the sum of "
    "sqrt(1 + (theta_i / s)^2) over the outputs, with s = h^(1 - 2a) and theta_i the singular values of the least-norm map: "
    "V V^T ends at the root of s^2 + Theta^T Theta.",
    source="min2021, theorem 12 sharpened",
    simulation=SIMULATION.with_params(Param("ideal", (0, 1), low=0, high=1, unit="1: the start of infinite width")),
    refer=refer,
    judge=judge,
    draw=draw,
    constants={"shrink": 1.0},
    sizes={
        "quick": {"trials": 20},
        "paper": {"trials": 50},
    },
    least={"ideal": 2},
    control=Control(
        "the law with half of the scale s",
        changes={"shrink": 0.5},
        breaks=(
            "distance over the closed form, the farthest from one",
            "Gram matrix of the second layer from an even start less its closed form, relative",
        ),
    ),
    seconds={"quick": 20, "paper": 120},
)
