r"""Theorems C.1 and C.2: random measurements are incoherent with any basis, and nearly an isometry on sparse vectors."""

import math

import numpy as np

from ...claims.axes import places
from ...claims.base import Claim, Control, Evidence, at_least, at_most, near
from ...claims.drawing import SERIES, Drawing, Panel, Points, Slope
from ...claims.labelled import farthest, last_power
from ...claims.marks import equal, family, log_axis, one_panel, power_law
from ...lab import Param, Simulation
from ...lab.simulations.dictionaries import generator
from ...numerics.coherence import isometry

ETA = 0.1


def measure_rows(key, *, n, d, kept, power, repeats) -> dict[str, np.ndarray]:
    r"""$\max_{ij}|\langle x_i,\phi_j\rangle|$ of `repeats` samples of $n$ rows with entries $N(0,d^{-2a})$.

    The same with rows of length one is `normalized`. The directions are the same for all samples: a random basis of `kept` of
    the $d$ dimensions, rounded up.
    """
    random = generator(key)
    basis = np.linalg.qr(random.standard_normal((d, d)))[0][:, : int(np.ceil(kept * d))]
    rows = random.standard_normal((repeats, n, d)) / d**power
    products = np.abs(rows @ basis)
    lengths = np.linalg.norm(rows, axis=2, keepdims=True)
    return {
        "largest": products.max(axis=(1, 2)),
        "normalized": (products / lengths).max(axis=(1, 2)),
        "directions": np.asarray(float(basis.shape[1])),
    }


def measure_isometry(key, *, n, d, most, signs, scaled, matrices) -> dict[str, np.ndarray]:
    r"""$\delta_s(\sqrt{d/n}X)$ of $n\times d$ matrices with entries of variance $1/d$, for $s$ from 1 to `most`.

    Entries are Gaussian, or signs where `signs` is 1. Where `scaled` is 0 it is $\delta_s(X)$.
    """
    random = generator(key)
    found = np.zeros((matrices, most))
    for one in found:
        x = random.choice([-1.0, 1.0], (n, d)) if signs else random.standard_normal((n, d))
        x = x / np.sqrt(n if scaled else d)
        one[:] = [isometry(x, s) for s in range(1, most + 1)]
    return {"isometry": found}


def fractions(data, n, d, power, beta, what):
    """The fraction of samples beyond the bound, the theorem's for it, and the exact one."""
    level = 2 * beta * np.log(n * d) ** 0.5
    found = (data[what] > level / d**power).mean(("r", "trial"))
    allowed = (1.0 * n * d) ** (1 - 2 * beta**2)
    one = level.copy(data=np.vectorize(math.erfc)(level.values / 2**0.5))
    exact = 1 - (1 - one) ** (n * data.directions.isel(trial=0))
    return found, allowed, exact


def judge_incoherence(data, n, d, power, beta, what) -> Evidence:
    """How often a product is beyond the bound, against what the theorem allows, and against the law of the maximum."""
    found, allowed, exact = fractions(data, n, d, power, beta, what)
    samples = data.sizes["r"] * data.sizes["trial"]
    # Rows of another size are the same samples once more.
    seen = exact.where(exact * samples >= 10).isel(power=0)
    scores = ((found.isel(power=0) - seen) / (seen * (1 - seen) / samples) ** 0.5) ** 2
    name, why = "parameters with ten samples expected beyond the bound", "a fraction of fewer samples is uncertain"
    return Evidence(
        sound=[at_least(name, seen.notnull().sum(), 4, key="settings", why=why)],
        holds=[
            at_most(
                "fraction beyond the bound minus the allowed one, in standard errors, maximum",
                ((found - allowed) / (allowed * (1 - allowed) / samples) ** 0.5).max(),
                4,
                key="allowed",
                why="by chance one fraction in thirty thousand is farther off",
            ),
            at_most(
                "mean square of the fraction beyond the bound minus the exact one, in standard errors",
                scores.mean(),
                4,
                key="exact",
                why="one for the true law, products being independent normal numbers; a mean of about ten squares has a "
                "standard deviation of 0.45, and where ten samples are expected a heavy tail",
            ),
        ],
    )


def draw_incoherence(data, n, d, power, beta) -> Drawing:
    """How often the bound is exceeded against what the theorem allows and what is exact."""
    found, allowed, exact = fractions(data, n, d, power, beta, "largest")
    floor = 0.5 / (data.sizes["r"] * data.sizes["trial"])
    found, allowed, exact = ((part + 0 * found).transpose(*found.dims).values.ravel() for part in (found, allowed, exact))
    return one_panel(
        [
            Points("measured", allowed, np.maximum(found, floor)),
            Points("exact", allowed, np.maximum(exact, floor), role="second"),
            equal(allowed),
        ],
        log_axis(r"allowed by the theorem, $(nN)^{1-2\beta^2}$"),
        log_axis("fraction beyond the bound"),
        caption="How often the largest product of a row with a basis vector exceeds the bound; zeros are drawn at half a sample.",
    )


def needed(d, count):
    r"""$s\log(n/s)+\log(1/\eta)$."""
    return count * np.log(d / count) + math.log(1 / ETA)


def explicit(n, d, count):
    r"""What $\delta_s$ of Gaussian rows does not exceed with probability $1-\eta$: $(1+t)^2-1$.

    $t=\sqrt{s/N}+\sqrt{2\log(2K/\eta)/N}$ for $K$ sets of $s$ of $n$ columns: singular values of one set beyond it have
    probability $2e^{-Nu^2/2}$, $u$ the second root.
    """
    sets = 1.0
    for k in range(int(count.max())):
        sets = sets * (((d - k) / (k + 1) - 1) * (count > k) + 1)
    far = (count / n) ** 0.5 + (2 * np.log(2 * sets / ETA) / n) ** 0.5
    return (1 + far) ** 2 - 1


def judge_isometry(data, n, d, signs) -> Evidence:
    """How the constant falls with the rows, the explicit bound of Gaussian rows, and the theorem's constant."""
    count = places(data.isometry, "s") + 1
    # All columns of signs have the same length: a single one is no test.
    slope = -last_power(data.isometry.isel(s=slice(1, None)).median(("r", "trial")), "n")
    gaussian = data.isometry.where(signs == 0, drop=True)
    samples = gaussian.sizes["r"] * gaussian.sizes["trial"]
    beyond = (gaussian > explicit(n, d, count)).mean(("r", "trial"))
    worst = data.isometry.quantile(1 - ETA, ("r", "trial"))
    return Evidence(
        holds=[
            near(
                r"power of $N$ in $\delta_s$, farthest from the prediction",
                farthest(slope, -0.5),
                -0.5,
                0.1,
                key="power",
                why="$2t+t^2$ with $t$ like $N^{-1/2}$: the second term adds some hundredths, a median of 60 samples as many",
            ),
            at_most(
                r"fraction of Gaussian samples beyond the explicit bound minus $\eta$, in standard errors, maximum",
                ((beyond - ETA) / (ETA * (1 - ETA) / samples) ** 0.5).max(),
                3,
                key="explicit",
                why="singular values of Gaussian columns, and a union bound over all sets; by chance one in a thousand is above",
            ),
            at_most(
                r"constant $C$ of the theorem, by the quantile $1-\eta$, maximum",
                (n * worst**2 / needed(d, count)).max(),
                80,
                key="constant",
                why="from the explicit bound for $t$ up to 1/2 and $s$ up to $n/2$: $(2+t)^2$ times 12.7",
            ),
        ]
    )


def draw_isometry(data, n, d) -> Drawing:
    """The constant against the measurements, and all of them against what the theorem predicts."""
    count = places(data.isometry, "s") + 1
    middle = data.isometry.median(("r", "trial")).assign_coords(s=count)
    shown, every = middle.isel(signs=0, d=-1), middle.isel(s=slice(1, None))
    left = family("$s = {}$", n, shown, "s", mark=Points)
    root = power_law("$N^{-1/2}$", left[-1:], -0.5)
    predicted = ((needed(d, count.isel(s=slice(1, None))) / n) ** 0.5 + 0 * every).transpose(*every.dims)
    right = [
        Points(name, *(part.isel(signs=at).values.ravel() for part in (predicted, every)), role=SERIES[at])
        for at, name in enumerate(("Gaussian", "signs")[: every.sizes["signs"]])
    ]
    first = (float(predicted.min()), float(every.min()))
    proportional = Slope("proportional", [first[0], float(predicted.max())], first, 1)
    x, y = log_axis(r"$\sqrt{(s\log(n/s)+\log(1/\eta))/N}$"), log_axis(r"$\delta_s$")
    return Drawing(
        [
            Panel([*left, root], log_axis("measurements $N$"), y, title=f"Gaussian, {int(d.values[-1])} unknowns"),
            Panel([*right, proportional], x, y, title=r"All sizes, $s\geq 2$"),
        ],
        caption="Restricted isometry constants over all sets of $s$ columns of mean square length one, median over samples.",
    )


CLAIMS = (
    Claim(
        id="beyond_l2/theorem_c_1",
        kind="theorem",
        title="Gaussian measurements are incoherent with any basis",
        says=r"Products of $N$ rows of entries $N(0,n^{-2a})$ with $m\leq n$ orthonormal directions are at most "
        r"$2\beta\sqrt{\log(nN)}/n^a$ with probability at least $1-(nN)^{1-2\beta^2}$, $\beta>1$. The products are not "
        "normalized: divided by the lengths of the rows, as in the definition of coherence, they do not depend on $a$.",
        source="beyond_l2, theorem C.1",
        simulation=Simulation(
            measure_rows,
            params=[
                Param("n", (1, 5), (1, 5, 20), smoke=(2,), low=1, high=1_000, unit="measurements"),
                Param("d", (3, 8, 20), (3, 8, 20, 50), smoke=(3, 8), low=2, high=1_000, unit="unknowns"),
                Param("kept", (0.5, 1.0), smoke=(1.0,), low=0.01, high=1.0, unit="directions / unknowns"),
                Param("power", (0.5, 1.0), smoke=(1.0,), low=0.0, high=3.0, unit="$a$: entries of size $n^{-a}$"),
                Param("beta", (1.01, 1.25), smoke=(1.01,), low=1.001, high=10.0, unit=r"$\beta$ of the theorem"),
                Param("repeats", 2_000, 20_000, smoke=200, low=10, high=1_000_000, unit="samples of the measurements"),
            ],
            returns={"largest": "r", "normalized": "r", "directions": ""},
            host=True,
        ),
        judge=judge_incoherence,
        draw=draw_incoherence,
        constants={"what": "largest"},
        controls=[Control("rows of length one, as in the definition of coherence", {"what": "normalized"}, ("allowed", "exact"))],
        seconds={"quick": 3, "paper": 60},
    ),
    Claim(
        id="beyond_l2/theorem_c_2",
        kind="theorem",
        title="Random measurements are nearly an isometry",
        says=r"A Gaussian or sign matrix whose columns have mean square length one has $\delta_s\leq\delta$ with probability "
        r"$1-\eta$ from $N\geq C\delta^{-2}(s\log(n/s)+\log(1/\eta))$ rows on: it falls like $N^{-1/2}$. With entries of "
        r"variance $1/n$, as the paper draws its measurements, this holds for $\sqrt{n/N}X$, not for $X$.",
        source="beyond_l2, theorem C.2",
        simulation=Simulation(
            measure_isometry,
            params=[
                Param("n", (200, 800, 3_200), (200, 800, 3_200, 12_800), smoke=(50, 200), low=10, high=1_000_000, unit="rows"),
                Param("d", (8, 16), (8, 16, 32), smoke=(6,), low=4, high=100, unit="unknowns"),
                Param("most", 3, smoke=2, low=2, high=5, unit="largest sparsity $s$"),
                Param("signs", (0, 1), low=0, high=1, unit="0: Gaussian entries, 1: signs"),
                Param("scaled", 1, low=0, high=1, unit="1: columns of mean square length one"),
                Param("matrices", 15, 40, smoke=5, low=2, high=10_000, unit="matrices per trial"),
            ],
            returns={"isometry": "r s"},
            host=True,
        ),
        judge=judge_isometry,
        draw=draw_isometry,
        least={"n": 2},
        aliases=("rip",),
        controls=[
            Control("$X$ itself, with entries of variance $1/n$", changes={"scaled": 0}, breaks=("power", "explicit", "constant"))
        ],
        seconds={"quick": 6, "paper": 120},
    ),
)
