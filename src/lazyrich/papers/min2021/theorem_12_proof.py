r"""Erratum: $\|\Sigma^{1/2}U_1V^\top\|\le\lambda_1^{1/2}\|U_1V^\top\|$, where the proof of theorem 12 has $\lambda_r^{-1/2}$."""

import numpy as np

from ...lab import Param, Simulation
from ...lab.settings.dictionaries import generator
from ..base import Claim, Control, Evidence, at_least, at_most
from ..drawing import Axis, Drawing, Panel, Points, Rule


def measure(key, *, n, outputs, low, high, draws) -> dict[str, np.ndarray]:
    r"""$\|\Sigma^{1/2}P\|_F/\|P\|_F$ for normal $P$ and for one along the first row, with the ends of random spectra."""
    random = generator(key)
    spectra = np.sort(10 ** random.uniform(np.log10(low), np.log10(high), (draws, n)))[:, ::-1]
    product = random.standard_normal((draws, n, outputs))
    moved = np.sqrt(spectra)[:, :, None] * product
    return {
        "moved": np.linalg.norm(moved, axis=(1, 2)) / np.linalg.norm(product, axis=(1, 2)),
        "aligned": np.linalg.norm(moved[:, 0], axis=1) / np.linalg.norm(product[:, 0], axis=1),
        "top": spectra[:, 0],
        "bottom": spectra[:, -1],
    }


def judge(data, printed) -> Evidence:
    """The product with the data's singular values over its bound, of all draws and where the bound is reached."""
    allowed = data.bottom**-0.5 if printed else data.top**0.5
    return Evidence(
        sound=[
            at_least(
                "share of spectra whose ends multiply to more than one",
                (data.top * data.bottom > 1).mean(),
                0.1,
                why="elsewhere the printed form follows from the corrected one",
            )
        ],
        holds=[
            at_most(
                "size over its bound, normal products, the largest",
                (data.moved / allowed).max(),
                1,
                why="no entry grows by more than the root of the top eigenvalue",
            ),
            at_most(
                "size over its bound, products along the first direction, the largest",
                (data.aligned / allowed).max(),
                1 + 1e-12,
                why="there the corrected bound is reached: rounding",
            ),
        ],
    )


def draw(data) -> Drawing:
    """Sizes over both bounds against the product of the spectrum's ends."""
    one = data.isel(trial=0, s=slice(0, 400))
    ends = (one.top * one.bottom).values
    return Drawing(
        [
            Panel(
                [
                    Points("over lambda_1^(1/2)", ends, (one.moved / one.top**0.5).values),
                    Points("over lambda_r^(-1/2), printed", ends, (one.moved * one.bottom**0.5).values, role="control"),
                    Rule("bound", 1.0),
                ],
                x=Axis("lambda_1 lambda_r", scale="log"),
                y=Axis("size of the product over its bound", scale="log"),
            )
        ],
        columns=1,
        caption="Each point is a spectrum and a product. The printed bound fails once the ends of the spectrum multiply to more "
        "than one.",
    )


CLAIM = Claim(
    kind="erratum",
    title="The wrong end of the spectrum in the proof of theorem 12",
    says="The initial error is at most |Y| + lambda_1^(1/2) |U_1 V^T|; the proof has lambda_r^(-1/2), which is right only where "
    "lambda_1 lambda_r <= 1. The width it asks for is 4 (lambda_1/lambda_r)^2 m s^2 to the power 1/(4a - 1).",
    source="min2021, proof of theorem 12",
    simulation=Simulation(
        measure,
        params=[
            Param("n", 6, 50, smoke=3, low=1, high=1_000, unit="eigenvalues"),
            Param("outputs", 2, 5, low=1, high=100),
            Param("low", 0.03, low=1e-6, high=1e6, unit="of the eigenvalues"),
            Param("high", 300.0, low=1e-6, high=1e6, unit="of the eigenvalues"),
            Param("draws", 2_000, 10_000, smoke=50, low=1, high=1_000_000, unit="spectra a trial"),
        ],
        returns=dict.fromkeys(("moved", "aligned", "top", "bottom"), "s"),
        host=True,
    ),
    judge=judge,
    draw=draw,
    constants={"printed": 0},
    control=Control(
        "as printed: the last eigenvalue, inverted",
        changes={"printed": 1},
        breaks=(
            "size over its bound, normal products, the largest",
            "size over its bound, products along the first direction, the largest",
        ),
    ),
    seconds={"quick": 3, "paper": 10},
)
