r"""Theorem C.1: Gaussian rows are incoherent with any basis: products of at most $2\beta\sqrt{\ln(nN)}/n^a$, nearly surely."""

import math

import numpy as np

from ...lab.settings.random_rows import SIMULATION
from ..base import Claim, Control, Evidence, at_least, at_most
from ..drawing import Axis, Drawing, Line, Panel, Points


def shares(data, n, d, power, beta, what):
    """The share of all draws beyond the bound, the theorem's for it, and the exact one."""
    level = 2 * beta * np.log(n * d) ** 0.5
    found = (data[what] > level / d**power).mean(("r", "trial"))
    allowed = (1.0 * n * d) ** (1 - 2 * beta**2)
    one = level.copy(data=np.vectorize(math.erfc)(level.values / 2**0.5))
    exact = 1 - (1 - one) ** (n * data.directions.isel(trial=0))
    return found, allowed, exact


def judge(data, n, d, power, beta, what) -> Evidence:
    """How often a product is beyond the bound, against what the theorem allows, and against the law of the largest."""
    found, allowed, exact = shares(data, n, d, power, beta, what)
    draws = data.sizes["r"] * data.sizes["trial"]
    # Rows of another size are the same draws once more.
    seen = exact.where(exact * draws >= 10).isel(power=0)
    scores = ((found.isel(power=0) - seen) / (seen * (1 - seen) / draws) ** 0.5) ** 2
    return Evidence(
        sound=[
            at_least(
                "settings at which at least ten draws are expected beyond the bound",
                seen.notnull().sum(),
                4,
                why="a share can be compared only where there is one",
            )
        ],
        holds=[
            at_most(
                "share of draws beyond the bound less what the theorem allows, in its standard errors, the largest",
                ((found - allowed) / (allowed * (1 - allowed) / draws) ** 0.5).max(),
                4,
                why="one setting in thirty thousand is further off by chance",
            ),
            at_most(
                "mean square of (share beyond the bound - exact share) in standard errors",
                scores.mean(),
                4,
                why="one for the true law, products being independent normal numbers; a mean of about ten squares has a "
                "deviation of 0.45, and where ten draws are expected a long tail",
            ),
        ],
    )


def draw(data, n, d, power, beta) -> Drawing:
    """How often the bound is missed against what the theorem allows and what is exact."""
    found, allowed, exact = shares(data, n, d, power, beta, "largest")
    floor = 0.5 / (data.sizes["r"] * data.sizes["trial"])
    found, allowed, exact = (
        (part + 0 * found).transpose(*found.dims).values.ravel() for part in (found, allowed, exact)
    )
    ends = [float(allowed.min()), float(allowed.max())]
    return Drawing(
        [
            Panel(
                [
                    Points("measured", allowed, np.maximum(found, floor)),
                    Points("exact", allowed, np.maximum(exact, floor), role="second"),
                    Line("what the theorem allows", ends, ends, role="theory"),
                ],
                x=Axis("1/(nN)^(2 beta^2 - 1)", scale="log"),
                y=Axis("share of draws beyond the bound", scale="log"),
            )
        ],
        columns=1,
        caption="How often the largest product of a Gaussian row with a direction of the basis is beyond the theorem's bound. "
        "Shares of less than half a draw are shown at half a draw.",
    )


CLAIM = Claim(
    kind="theorem",
    title="Gaussian measurements are incoherent with any basis",
    says="N rows with entries of variance n^(-2 a) have products with m <= n orthonormal directions of at most "
    "2 beta sqrt(log(n N))/n^a, but for a share 1/(n N)^(2 beta^2 - 1) of all draws, beta > 1. The products are meant as "
    "they are: divided by the lengths of rows, as the definition of coherence has them, they know nothing of a.",
    source="beyond_l2, theorem C.1",
    simulation=SIMULATION,
    judge=judge,
    draw=draw,
    constants={"what": "largest"},
    control=Control(
        "rows at length one, as in the definition of coherence",
        changes={"what": "normalized"},
        breaks=(
            "share of draws beyond the bound less what the theorem allows, in its standard errors, the largest",
            "mean square of (share beyond the bound - exact share) in standard errors",
        ),
    ),
    seconds={"quick": 3, "paper": 60},
)
