r"""Least l1 needs of the order of $r^*\log d$ samples, least l2 of the order of $d$."""

import jax
import numpy as np

from ...lab import Param, Simulation
from ...lab.settings.recovery_scale import posed
from ...problems import Split
from ..base import Claim, Control, Evidence, at_most, near
from ..drawing import Axis, Drawing, Panel, Points, Slope


def fewest(problem, predictor, level) -> int:
    """The fewest samples, of those of the problem in their order, whose interpolant has an error of at most the level."""
    low, high, most = 1, 4, problem.train.n
    # On the host: each cut of a device's array would be a program of its own.
    x, y, truth = (np.asarray(part) for part in (problem.train.x, problem.train.y, problem.truth))

    def recovers(n: int) -> bool:
        told = predictor.solve(Split(*jax.device_put((x[:n], y[:n]))))
        return told.ok and float(((told.effective - truth) ** 2).sum()) <= level

    while high < most and not recovers(high):
        low, high = high + 1, min(2 * high, most)
    while low < high:
        n = (low + high) // 2
        low, high = (low, n) if recovers(n) else (n + 1, high)
    return low


def search(key, problem, *, level):
    """By bisection, for both norms."""
    from ...predictors import MinL1, MinL2

    return {"l1": fewest(problem, MinL1(), level), "l2": fewest(problem, MinL2(), level)}


SIMULATION = Simulation(
    search,
    pose=posed,
    params=[
        Param("d", (40, 80, 160, 320), (50, 100, 200, 400, 800), smoke=(16, 32), low=8, high=5_000, unit="unknowns"),
        Param("n", "=d", low=8, high=5_000, unit="samples at most"),
        Param("sparsity", (2, 4), (2, 4, 8), smoke=(1,), low=1, high=100, unit="entries of the truth"),
        Param("noise", 0.0, low=0.0, high=0.0, unit="standard deviation"),
        Param("level", 0.025, low=1e-4, high=0.5, unit="error that counts as recovery"),
        Param("trials", 8, 10, smoke=1, low=1, high=1_000, unit="draws"),
    ],
    returns={"l1": "", "l2": ""},
    host=True,
)


def judge(data, d, sparsity, kept) -> Evidence:
    """The powers of d, and the count in units of r log d."""
    first, last = data[kept].mean("trial").isel(d=0), data[kept].mean("trial").isel(d=-1)
    span = float(np.log(d[-1] / d[0]))
    unit = data[kept].mean("trial") / (sparsity * np.log(d))
    dense = np.log(data.l2.mean("trial").isel(d=-1) / data.l2.mean("trial").isel(d=0)) / span
    return Evidence(
        holds=[
            at_most(
                "power of d of the samples that least l1 needs, the largest",
                (np.log(last / first) / span).max(),
                0.5,
                why="a logarithm over these d has a local power of 1/log(d) to 1/log(d/r), 0.2 to 0.35; a multiple of d has 1",
            ),
            near(
                "power of d of the samples that least l2 needs, the farthest",
                1 + abs(dense - 1).max(),
                1,
                0.1,
                why="least l2 recovers to 1 - n/d: the count is (1 - level) d, up to its fluctuation of order sqrt(d)",
            ),
            at_most(
                "samples that least l1 needs over r log d, the largest",
                unit.max(),
                3,
                why="2 r log(d/r) + 1.25 r + 1 suffices for noiseless recovery; three times r log d leaves room for draws",
            ),
        ],
    )


def draw(data, d, sparsity) -> Drawing:
    """Both counts against d."""
    marks = [
        Points(f"least l1, r = {int(r)}", d.values, data.l1.sel(sparsity=r).mean("trial").values, role="measured")
        for r in sparsity.values
    ]
    dense = data.l2.isel(sparsity=0).mean("trial").values
    return Drawing(
        panels=[
            Panel(
                [
                    *marks,
                    Points("least l2", d.values, dense, role="second"),
                    Slope("d", d.values, (float(d[-1]), float(dense[-1])), 1),
                ],
                x=Axis("d", scale="log"),
                y=Axis("samples needed", scale="log"),
            )
        ],
        columns=1,
        caption="The fewest samples that recover a truth of r entries, means over draws: least l1 needs a multiple of r log d, "
        "least l2 nearly d.",
    )


CLAIM = Claim(
    kind="statement",
    title="r log d samples against d",
    says="Least l1, the rich limit, recovers a truth of r entries from of the order of r log d samples; least l2, the "
    "kernel limit, needs of the order of d.",
    source="woodworth2020, section 4",
    simulation=SIMULATION,
    judge=judge,
    draw=draw,
    constants={"kept": "l1"},
    least={"d": 2},
    control=Control(
        "least l2 in the place of least l1",
        changes={"kept": "l2"},
        breaks=(
            "power of d of the samples that least l1 needs, the largest",
            "samples that least l1 needs over r log d, the largest",
        ),
    ),
    seconds={"quick": 10, "paper": 200},
)
