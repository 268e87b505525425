r"""The kernel $T$ of a linear net: sums of the layers' eigenvalues, which the imbalance knows where the product is small."""

import numpy as np

from ...lab import Param, Simulation
from ...lab.settings.dictionaries import generator
from ..base import Claim, Control, Evidence, at_most, near
from ..drawing import SERIES, Axis, Drawing, Line, Panel, Points, Slope
from ..labelled import farthest


def measure(key, *, n, outputs, width, bend, coupling) -> dict[str, np.ndarray]:
    r"""Eigenvalues of $T: E\mapsto SU_1U_1^\top SE + S^2EVV^\top$ beside the sums $\lambda_i(U_1U_1^\top) + \lambda_j(VV^\top)$.

    $S$ has entries from 1 to `bend`. The second layer's part along the first layer's rows is kept `coupling` times, and the
    product with it; `gap` is the largest difference between the eigenvalues of the imbalance and of the layers, relative.
    """
    random = generator(key)
    u = random.standard_normal((n, width)) / np.sqrt(width)
    v = random.standard_normal((outputs, width)) / np.sqrt(width)
    rows = np.linalg.qr(u.T)[0].T
    v = v - (1 - coupling) * (v @ rows.T) @ rows
    first, second = u @ u.T, v @ v.T
    scale = np.diag(np.geomspace(1.0, bend, n))
    kernel = np.kron(scale @ first @ scale, np.eye(outputs)) + np.kron(scale**2, second)
    seen, told = np.linalg.eigvalsh(first), np.linalg.eigvalsh(second)
    values = np.linalg.eigvalsh(u.T @ u - v.T @ v)
    gap = np.concatenate([values[-n:] / seen - 1, values[:outputs] / -told[::-1] - 1])
    return {
        "spectrum": np.linalg.eigvalsh(kernel),
        "sums": np.sort(np.add.outer(seen, told).ravel()),
        "gap": np.asarray(np.abs(gap).max()),
        "coupled": np.asarray(np.linalg.norm(u @ v.T)),
    }


def judge(data, power) -> Evidence:
    """The spectrum against the sums, and how the gap of the imbalance closes with the product."""
    rise = np.log(data.gap).diff("coupling") / np.log(data.coupled).diff("coupling")
    return Evidence(
        holds=[
            at_most(
                "eigenvalues of the kernel less the sums, over the largest, the farthest",
                (abs(data.spectrum - data.sums).max("m") / data.sums.max("m")).max(),
                1e-12,
                why="a sum of Kronecker products with identities: rounding",
            ),
            near(
                "power of the product in the gap between the imbalance and the layers",
                farthest(rise.isel(coupling=0), power),
                power,
                0.1,
                why="eigenvalues move by the square of what couples them; the next order is the fourth power of the coupling",
            ),
        ],
    )


def draw(data, coupling) -> Drawing:
    """The spectrum of one draw on the sums; the gap against the product."""
    one = data.isel(trial=0, coupling=-1)
    ends = [0.0, float(one.sums.max())]
    trials = range(min(3, data.sizes["trial"]))
    through = data.isel(trial=0, coupling=0)
    return Drawing(
        [
            Panel(
                [Points("one draw", one.sums, one.spectrum), Line("equal", ends, ends, role="theory")],
                x=Axis("sum of two layers' eigenvalues"),
                y=Axis("eigenvalue of the kernel"),
                title="The kernel's spectrum",
            ),
            Panel(
                [
                    *[
                        Points(f"draw {at + 1}", data.coupled.isel(trial=at), data.gap.isel(trial=at), role=SERIES[at])
                        for at in trials
                    ],
                    Slope(
                        "square",
                        [float(data.coupled.min()), float(data.coupled.max())],
                        (float(through.coupled), float(through.gap)),
                        2,
                    ),
                ],
                x=Axis("size of the product", scale="log"),
                y=Axis("gap of the imbalance, relative", scale="log"),
                title="What the imbalance knows of it",
            ),
        ],
        caption="With whitened inputs the kernel's eigenvalues are sums of one of each layer. The imbalance has them as its "
        "positive and its negative eigenvalues, up to the square of the product.",
    )


CLAIM = Claim(
    kind="statement",
    title="The kernel's eigenvalues are sums over the layers",
    says="For whitened inputs the eigenvalues of the kernel T are lambda_i(U_1 U_1^T) + lambda_j(V V^T). Where the product is "
    "small the positive and negative eigenvalues of the imbalance are those of the layers, up to its square.",
    source="min2021, section 3 and appendix C",
    simulation=Simulation(
        measure,
        params=[
            Param("n", 6, 20, smoke=3, low=1, high=200, unit="samples"),
            Param("outputs", 3, 5, smoke=2, low=1, high=100),
            Param("width", 30, 100, smoke=10, low=2, high=2_000, unit="hidden units"),
            Param("bend", 1.0, low=1e-2, high=1e2, unit="last singular value of the inputs over the first"),
            Param("coupling", (0.01, 0.03, 0.1, 0.3, 1.0), smoke=(0.1, 0.3), low=1e-6, high=1.0, unit="of the layers"),
        ],
        returns={"spectrum": "m", "sums": "m", "gap": "", "coupled": ""},
        host=True,
    ),
    judge=judge,
    draw=draw,
    constants={"power": 2.0},
    least={"coupling": 2},
    control=Control(
        "inputs that are not white",
        changes={"bend": 0.9},
        breaks=("eigenvalues of the kernel less the sums, over the largest, the farthest",),
    ),
    seconds={"quick": 3, "paper": 5},
)
