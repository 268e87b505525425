"""The sum of five sinusoids: figure 38, and the erratum on the number of its Fourier coefficients."""

import jax.numpy as jnp
import numpy as np

from ...claims.base import Claim, Control, Evidence, at_least, at_most, near
from ...claims.drawing import Axis, Drawing, Event, Line, Panel, Points
from ...claims.labelled import norm, relative_distance
from ...claims.marks import family, log_axis, one_panel
from ...lab import Param, Simulation
from ...problems import fourier, waves
from ...problems.signals import WAVES
from .shared.figure_claim import figure

MOST = 12  # coefficients of which the tail is returned
ZERO = 1e-9  # of the largest: below it lies rounding error
MIRRORED = "four frequencies and their mirror images"


def spectrum(d):
    """The number of nonzero coefficients, real and complex, and the relative norm left without the largest ones."""
    signal = waves(d)
    real = fourier(d).T @ signal
    complexes = jnp.fft.fft(signal)
    squares = jnp.sort(real**2)
    left = jnp.sqrt(jnp.cumsum(squares)[::-1][:MOST] / squares.sum())
    return {"cosines_and_sines": _count(real), "complexes": _count(complexes), "left": left}


def _count(coefficients):
    sizes = jnp.abs(coefficients)
    return jnp.sum(sizes > ZERO * sizes.max())


def shown(d):
    """The signal, its real coefficients, and the signal with every frequency above $n/2$ folded back."""
    t = jnp.arange(d)
    folded = jnp.zeros(d)
    for k, size, phase in WAVES:
        at, turned = (k, phase) if 2 * k <= d else (d - k, -phase)
        folded = folded + size * jnp.cos(2 * jnp.pi * at * t / d + turned)
    signal = waves(d)
    return {"signal": signal, "folded": folded, "coefficients": fourier(d).T @ signal}


def judge_signal(data, kept) -> Evidence:
    """The signal by its largest coefficients, its norm, and its aliases."""
    sizes, size = np.sort(abs(data.coefficients.values))[::-1], float(norm(data.signal, "t"))
    others, smallest = np.linalg.norm(sizes[kept:]) / size, sizes[kept - 1] / sizes[0]
    off = abs(np.linalg.norm(sizes) / size - 1)
    return Evidence(
        holds=[
            at_most("relative norm of the other coefficients", others, 1e-10, key="others", why="zero up to rounding error"),
            at_least(
                "smallest coefficient kept over the largest", smallest, 0.1, key="smallest", why="each belongs to a sinusoid"
            ),
            at_most(
                "norm of all coefficients over that of the signal, minus one",
                off,
                1e-12,
                key="norm",
                why="orthonormal basis: rounding error",
            ),
            at_most(
                "relative distance of the signal from its aliases below half of the samples",
                relative_distance(data.folded, data.signal, "t"),
                1e-10,
                key="aliases",
                why="frequencies $k$ and $n-k$ agree at integer times: rounding error of angles up to 600",
            ),
        ]
    )


def draw_signal(data, d) -> Drawing:
    """The signal over time, and its coefficients by frequency."""
    coefficients, frequencies, cosine = data.coefficients.values, (np.arange(d) + 1) // 2, np.arange(d) % 2 == 1
    marks = [
        Points("cosine", frequencies[cosine], coefficients[cosine]),
        Points("sine", frequencies[~cosine], coefficients[~cosine], role="second"),
    ]
    signal = Line("signal", np.arange(d), data.signal.values)
    return Drawing(
        [
            Panel([signal], Axis("time"), Axis("signal"), legend=False),
            Panel(marks, Axis("frequency"), Axis("coefficient")),
        ],
        caption="Five sinusoids and their real Fourier coefficients: six are nonzero, since two frequencies alias to 25 and 5.",
    )


def judge_count(data, count) -> Evidence:
    """The number of nonzero coefficients, and the norm left without the `count` largest."""
    first, left = data.isel(d=0), data.left.isel(d=0)
    return Evidence(
        holds=[
            near("real coefficients of the signal", first.cosines_and_sines, count, 0, key="real", why="an exact count"),
            at_most(f"relative norm without the {count} largest", left.isel(t=count), 1e-10, key="left", why="rounding error"),
            at_least(
                f"relative norm without the {count - 1} largest",
                left.isel(t=count - 1),
                0.05,
                key="left_with_one_less",
                why="the smallest of all has a quarter of the signal's norm",
            ),
            near("complex coefficients of the signal", first.complexes, 8, 0, key="complex", why=MIRRORED),
            near(
                "real coefficients where no two frequencies coincide, maximum",
                data.cosines_and_sines.isel(d=slice(1, None)).max(),
                8,
                0,
                key="without_aliases",
                why="three sinusoids have a cosine and a sine, two a cosine alone",
            ),
        ]
    )


def draw_count(data) -> Drawing:
    """The norm that is left against the number of coefficients that are kept."""
    marks = family("$n = {}$", np.arange(data.sizes["t"]), np.maximum(data.left, 1e-17), "d")
    return one_panel(
        [*marks, Event("printed", 5.0)],
        Axis("largest real coefficients kept"),
        log_axis("relative norm left"),
        caption="At 100 samples frequencies 75 and 95 alias to 25, already there, and 5: six real coefficients remain.",
    )


CLAIMS = (
    figure(
        38,
        "A sum of sinusoids and its coefficients",
        "The sum of five sinusoids at 100 samples is a combination of six columns of the real Fourier basis.",
        judge_signal,
        draw_signal,
        simulation=Simulation(
            shown,
            params=[Param("d", 100, low=96, high=2_000, unit="samples", static=True)],
            returns={"signal": "t", "folded": "t", "coefficients": "d"},
            random=False,
        ),
        constants={"kept": 6},
        controls=[Control("five columns", {"kept": 5}, ("others",))],
        seconds={"quick": 5, "paper": 5},
    ),
    Claim(
        id="beyond_l2/sinusoid_sparsity",
        kind="erratum",
        title="Six coefficients, not five",
        says="The sum of five sinusoids at 100 samples has six real Fourier coefficients, eight complex ones; printed is $s=5$.",
        source="beyond_l2, appendix C.12.2",
        simulation=Simulation(
            spectrum,
            params=[Param("d", (100, 128, 200), low=24, high=2_000, unit="samples", static=True)],
            returns={"cosines_and_sines": "", "complexes": "", "left": "t"},
            random=False,
        ),
        judge=judge_count,
        draw=draw_count,
        constants={"count": 6},
        least={"d": 2},
        controls=[Control("five, as printed", {"count": 5}, ("real", "left"))],
        seconds={"quick": 5, "paper": 5},
    ),
)
