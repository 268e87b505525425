r"""Erratum: $1/\sqrt n$ is the coherence of the Fourier basis with the canonical one; its own is 0."""

import numpy as np

from ...lab import Param, Simulation
from ...numerics.coherence import coherence, one_coherence, unit_columns
from ..axes import places
from ..base import Claim, Control, Evidence, at_most
from ..drawing import SERIES, Axis, Drawing, Panel, Points, Slope


def fourier(n: int) -> np.ndarray:
    r"""The columns $e^{-2\pi i jk/n}/\sqrt n$."""
    return np.exp(-2j * np.pi * np.outer(np.arange(n), np.arange(n)) / n) / np.sqrt(n)


def measure(*, d, most) -> dict[str, np.ndarray]:
    r"""Coherences of the Fourier basis: with the canonical basis, for the sum of $s$ products of a column; and with itself."""
    basis = fourier(d)
    products = np.sort(np.abs(unit_columns(basis).conj().T), axis=1)[:, ::-1]
    return {
        "canonical": products.cumsum(axis=1)[:, :most].max(axis=0),
        "itself": np.array([one_coherence(basis, s) for s in range(1, most + 1)]),
        "pair": np.asarray(coherence(basis, np.eye(d))),
    }


SIMULATION = Simulation(
    measure,
    params=[
        Param("d", (6, 16, 45, 100), (6, 16, 45, 100, 512), smoke=(6, 16), low=5, high=4_096, unit="size of the basis"),
        Param("most", 4, low=1, high=5, unit="largest s"),
    ],
    returns={"canonical": "s", "itself": "s", "pair": ""},
    random=False,
    host=True,
)


def judge(data, d, beside) -> Evidence:
    """The printed value against the coherence with one basis or the other, and the other's own."""
    count = places(data.canonical, "s") + 1
    return Evidence(
        holds=[
            at_most(
                "1-coherence over s/sqrt(n), less one, the farthest",
                abs(data[beside] * d**0.5 / count - 1).max(),
                1e-12,
                why="every product of a wave with a unit vector has the size 1/sqrt(n); rounding",
            ),
            at_most(
                "coherence with the canonical basis times sqrt(n), less one, the farthest",
                abs(data.pair * d**0.5 - 1).max(),
                1e-12,
                why="the same, by the definition for two matrices",
            ),
            at_most(
                "1-coherence of the Fourier basis with itself, the largest",
                data.itself.max(),
                1e-10,
                why="it is orthonormal; rounding of n terms",
            ),
        ],
    )


def draw(data, d) -> Drawing:
    """The sum of s products against the size of the basis, and what is printed."""
    points = [
        Points(f"with the canonical basis, s = {s + 1}", d.values, data.canonical.isel(s=s).values, role=SERIES[at])
        for at, s in enumerate((0, data.sizes["s"] - 1))
    ]
    return Drawing(
        [
            Panel(
                [
                    *points,
                    Points("with itself, s = 1", d.values, data.itself.isel(s=0).values, role="control"),
                    Slope("1/sqrt(n)", [float(d[0]), float(d[-1])], (float(d[0]), float(d[0]) ** -0.5), -0.5),
                ],
                x=Axis("size n of the basis", scale="log"),
                y=Axis("sum of s products", scale="log"),
            )
        ],
        columns=1,
        caption="The Fourier basis: s/sqrt(n) is its coherence with unit vectors. Its columns are orthogonal to one another, up "
        "to rounding.",
    )


CLAIM = Claim(
    kind="erratum",
    title="The Fourier basis is coherent with another, not itself",
    says="The sums of s products that the example gives, s/sqrt(n), are those of the Fourier basis with the canonical one. "
    "Printed is that they are its own 1-coherence and mutual coherence, which are 0, as it is orthonormal.",
    source="beyond_l2, example C.1",
    simulation=SIMULATION,
    judge=judge,
    draw=draw,
    constants={"beside": "canonical"},
    control=Control(
        "with itself, as printed",
        changes={"beside": "itself"},
        breaks=("1-coherence over s/sqrt(n), less one, the farthest",),
    ),
    seconds={"quick": 1, "paper": 10},
)
