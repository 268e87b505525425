r"""The kernel $T$ of a linear network: sums of eigenvalues of the layers, which the imbalance determines for small products."""

import numpy as np

from ...claims.base import Claim, Control, Evidence, at_most, near
from ...claims.drawing import Axis, Drawing, Panel, Points, Slope
from ...claims.labelled import farthest
from ...claims.marks import equal, log_axis
from ...lab import Param, Simulation
from ...lab.simulations.dictionaries import generator
from .shared.marks import seeds


def measure(key, *, n, outputs, width, bend, coupling) -> dict[str, np.ndarray]:
    r"""Eigenvalues of $T: E\mapsto SU_1U_1^\top SE + S^2EVV^\top$ beside the sums $\lambda_i(U_1U_1^\top) + \lambda_j(VV^\top)$.

    $S$ has entries from 1 to `bend`. The component of $V$ in the row space of $U_1$, and with it the product, is multiplied by
    `coupling`; `gap` is the largest relative difference between the eigenvalues of the imbalance and of the layers.
    """
    random = generator(key)
    u = random.standard_normal((n, width)) / np.sqrt(width)
    v = random.standard_normal((outputs, width)) / np.sqrt(width)
    rows = np.linalg.qr(u.T)[0].T
    v = v - (1 - coupling) * (v @ rows.T) @ rows
    first, second = u @ u.T, v @ v.T
    scale = np.diag(np.geomspace(1.0, bend, n))
    kernel = np.kron(scale @ first @ scale, np.eye(outputs)) + np.kron(scale**2, second)
    seen, predicted = np.linalg.eigvalsh(first), np.linalg.eigvalsh(second)
    values = np.linalg.eigvalsh(u.T @ u - v.T @ v)
    gap = np.concatenate([values[-n:] / seen - 1, values[:outputs] / -predicted[::-1] - 1])
    return {
        "spectrum": np.linalg.eigvalsh(kernel),
        "sums": np.sort(np.add.outer(seen, predicted).ravel()),
        "gap": np.asarray(np.abs(gap).max()),
        "coupled": np.asarray(np.linalg.norm(u @ v.T)),
    }


SIMULATION = Simulation(
    measure,
    params=[
        Param("n", 6, 20, smoke=3, low=1, high=200, unit="samples"),
        Param("outputs", 3, 5, smoke=2, low=1, high=100),
        Param("width", 30, 100, smoke=10, low=2, high=2_000, unit="hidden units"),
        Param("bend", 1.0, low=1e-2, high=1e2, unit="smallest over largest singular value of $X$"),
        Param("coupling", (0.01, 0.03, 0.1, 0.3, 1.0), smoke=(0.1, 0.3), low=1e-6, high=1.0, unit="coupling of the layers"),
    ],
    returns={"spectrum": "m", "sums": "m", "gap": "", "coupled": ""},
    host=True,
)


def judge(data, power) -> Evidence:
    """The spectrum against the sums, and how fast the gap to the imbalance closes with the product."""
    rise = np.log(data.gap).diff("coupling") / np.log(data.coupled).diff("coupling")
    return Evidence(
        holds=[
            at_most(
                "eigenvalues of the kernel minus the sums, over the largest, maximum",
                (abs(data.spectrum - data.sums).max("m") / data.sums.max("m")).max(),
                1e-12,
                key="sums",
                why="a sum of Kronecker products with identities, up to rounding error",
            ),
            near(
                "exponent of the product in the gap between imbalance and layers",
                farthest(rise.isel(coupling=0), power),
                power,
                0.1,
                key="exponent",
                why="second-order perturbation of eigenvalues; the next order is the fourth power of the coupling",
            ),
        ]
    )


def draw(data) -> Drawing:
    """The spectrum of one trial against the sums; the gap against the product."""
    one, weakest = (data.isel(trial=0, coupling=at) for at in (-1, 0))
    reach = [float(data.coupled.min()), float(data.coupled.max())]
    square = Slope(r"$\|U_1V^\top\|^2$", reach, (float(weakest.coupled), float(weakest.gap)), 2)
    return Drawing(
        [
            Panel(
                [Points("one trial", one.sums, one.spectrum), equal([0.0], one.sums)],
                Axis(r"$\lambda_i(U_1U_1^\top) + \lambda_j(VV^\top)$"),
                Axis("eigenvalue of the kernel"),
                title="Spectrum of the kernel",
            ),
            Panel(
                [*seeds(data.coupled, data.gap, mark=Points), square],
                log_axis(r"$\|U_1V^\top\|_F$"),
                log_axis("relative gap of eigenvalues"),
                title="Imbalance and layers",
            ),
        ],
        caption="With whitened inputs the eigenvalues of the kernel are sums of one eigenvalue of each layer. The imbalance has "
        "the eigenvalues of the first layer as its positive ones and those of the second, with the opposite sign, as its "
        "negative ones, up to the square of the product.",
    )


CLAIM = Claim(
    id="min2021/kernel_spectrum",
    kind="statement",
    title="The eigenvalues of the kernel are sums over the layers",
    says=r"For whitened inputs the eigenvalues of the kernel $T$ are $\lambda_i(U_1U_1^\top) + \lambda_j(VV^\top)$. The "
    r"positive eigenvalues of the imbalance are those of $U_1U_1^\top$ and its negative ones those of $-VV^\top$, up to "
    r"$O(\|U_1V^\top\|^2)$.",
    source="min2021, section 3 and appendix C",
    simulation=SIMULATION,
    judge=judge,
    draw=draw,
    constants={"power": 2.0},
    least={"coupling": 2},
    controls=[Control("inputs that are not whitened", changes={"bend": 0.9}, breaks=("sums",))],
    seconds={"quick": 3, "paper": 5},
)
