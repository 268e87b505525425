r"""Theorem F.5: the minimizer of the convex problem is near the truth once enough entries are seen, like a power of the decay."""

import jax.numpy as jnp
import numpy as np

from ...lab import Param, Simulation
from ...lab.settings.symmetric_completion import pose
from ..base import Claim, Control, Evidence, at_least, at_most
from ..drawing import Axis, Drawing, Panel, Points, Slope
from ..labelled import last_power
from .convex import least_value


def simulate(key, problem, *, d):
    """The size of the truth: nothing moves here, the answers are the convex problem's own."""
    values = jnp.linalg.eigvalsh(problem.truth)
    return {"frobenius": jnp.sqrt(jnp.sum(values**2)), "nuclear": jnp.sum(jnp.abs(values))}


def refer(problem, decay):
    """The minimizer, and how far it is from the truth."""
    least = least_value(problem, decay)
    return {"least": least, "error": np.linalg.norm(least.effective - np.ravel(problem.truth))}


SIMULATION = Simulation(
    simulate,
    pose=pose,
    params=[
        Param(
            "decay",
            (1e-4, 1e-3, 1e-2),
            (1e-5, 1e-4, 1e-3, 1e-2),
            smoke=(1e-3, 1e-2),
            low=1e-7,
            high=1.0,
            unit="strength",
        ),
        Param("d", 12, 30, smoke=6, low=2, high=60, unit="rows", static=True),
        Param("rank", 1, 2, smoke=1, low=1, high=20, unit="rank of the truth", static=True),
        Param("negative", 0, low=0, high=20, unit="negative eigenvalues of the truth", static=True),
        Param("seen", 0.7, 0.5, smoke=0.8, low=0.01, high=1.0, unit="share of the entries", static=True),
    ],
    returns=dict.fromkeys(("frobenius", "nuclear"), ""),
)


def judge(data, told, decay, d) -> Evidence:
    """The power of the decay in the error, and the error over the theorem's scale."""
    error = told["error"]
    power = -last_power(error.isel(decay=slice(None, 2)), "decay")
    scale = decay**0.5 * data.nuclear * np.log(d)
    return Evidence(
        holds=[
            at_least(
                "power of the decay in the error, the median draw",
                power.median("trial"),
                0.5,
                why="the theorem's own power; without noise the error is linear in the decay, power 1",
            ),
            at_most(
                "error over root(decay) |X|_* log(d), the largest",
                (error / scale).max(),
                1,
                why="the theorem's bound with incoherence and constant one, which only make it larger",
            ),
            at_most(
                "error over the truth's size at the least decay, the median draw",
                (error / data.frobenius).isel(decay=0).median("trial"),
                0.05,
                why="recovery: linear in the decay with n times decay over the truth's entries, 1e-2",
            ),
        ],
    )


def draw(data, told, decay) -> Drawing:
    """The error against the decay."""
    error = (told["error"] / data.frobenius).transpose("decay", "trial")
    x = np.repeat(decay.values, error.sizes["trial"])
    middle = error.median("trial").values
    ends, through = [float(decay.values.min()), float(decay.values.max())], (float(decay.values[0]), float(middle[0]))
    panel = Panel(
        [
            Points("each draw", x, error.values.ravel()),
            Slope("power 1", ends, through, 1),
            Slope("power 1/2, the theorem's", ends, through, 0.5, role="control"),
        ],
        x=Axis("decay", scale="log"),
        y=Axis("distance from the truth, relative", scale="log"),
    )
    return Drawing(
        panels=[panel],
        columns=1,
        caption="The global minimizer of matrix completion with decay against the truth. The theorem allows the root of the "
        "decay; without noise the distance falls in proportion to it.",
    )


CLAIM = Claim(
    kind="theorem",
    title="Minimizers recover the truth as the decay vanishes",
    says="With enough entries of a matrix of low rank and spread eigenvectors, the global minimizer with decay is within "
    "root(decay) times the nuclear norm, mu^2 log(d) and a constant, of the truth. Without noise the distance "
    "is linear in the decay.",
    source="lyu2024, theorem F.5",
    simulation=SIMULATION,
    refer=refer,
    judge=judge,
    draw=draw,
    least={"decay": 2},
    control=Control(
        "a tenth of the entries, too few to tell the matrix",
        changes={"seen": 0.1},
        breaks=(
            "power of the decay in the error, the median draw",
            "error over the truth's size at the least decay, the median draw",
        ),
    ),
    seconds={"quick": 20, "paper": 60},
)
