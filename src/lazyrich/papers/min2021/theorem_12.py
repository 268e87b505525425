r"""Distance of wide networks to the minimum-norm solution: the bound of theorem 12, its sharp form, and beyond $a = 1/2$."""

import numpy as np

from ...claims.base import Claim, Control, Evidence, at_least, at_most, near
from ...claims.drawing import Axis, Drawing, Line, Panel, Points, Role, Rule, Slope
from ...claims.labelled import farthest, norm
from ...claims.marks import family, log_axis, one_panel
from ...lab import Param
from .shared.marks import EXPONENT, paired
from .shared.widths import DISTANCE, EDGES, WIDTH, fitted, log_bound, powers, predict, required_width, root_mean_square
from .simulations.wide_linear_net import SIMULATION


def judge_bound(data, exponent, width, n, d, outputs, delta, rate) -> Evidence:
    """The fraction of networks beyond the bound, and the exponent of the width."""
    inside = (exponent > 0.25) & (exponent <= 0.5)
    safe = exponent.where(inside, 0.5)
    wide = width > required_width(data, safe, d=d, outputs=outputs, delta=delta)
    allowed = log_bound(data, width, exponent, n=n, d=d, outputs=outputs, delta=delta, rate=rate)
    over = (np.log(data.operator) > allowed).mean(("trial", "s"))
    slope = powers(root_mean_square(data.distance)).isel(width=-1)
    return Evidence(
        sound=[
            at_most(
                "points where the theorem does not apply: $a$ outside $(1/4, 1/2]$, or too small a width",
                float((~(inside & wide)).sum()),
                0,
                key="range",
                why=r"the hypotheses of theorem 12: $1/4 < a \leq 1/2$ and a width above a number that the data determine",
            )
        ],
        holds=[
            at_most(
                "fraction of networks beyond the bound, maximum",
                over.max(),
                delta,
                key="violations",
                why="the failure probability of the theorem; the bound is at least ten times the distance: none is expected",
            ),
            at_most(
                "exponent of the width in the distance minus that of the bound, maximum",
                abs(slope - rate * (0.5 - 2 * exponent)).max(),
                0.02,
                key="exponent",
                why="$1/2 - 2a$ is exact at large width, and all widths share their seeds",
            ),
        ],
    )


def draw_bound(data, exponent, width, n, d, outputs) -> Drawing:
    """Distances and bounds against the width."""
    size = (data.operator**2).mean(("trial", "s")) ** 0.5
    allowed = np.exp(log_bound(data, width, exponent, n=n, d=d, outputs=outputs, delta=0.1, rate=1)).median("trial")
    return one_panel(
        paired(width, size, allowed, "bound"),
        WIDTH,
        log_axis(f"{DISTANCE}, operator norm"),
        "Widths above the one that the theorem requires. Bound and distance decay with the same exponent; the constant is ten "
        "times too large at $a = 0.4$ and a hundred times at $a = 0.5$.",
    )


def predict_scaled(problem, width, exponent, shrink):
    """The closed form of the distance, with the scale of the initialization multiplied by `shrink`."""
    from ...predictors.linear_rates import width_distance

    plain = width_distance(problem.train, width=int(width), exponent=exponent)
    # Another scale in the bracket alone: that of another exponent, with the prefactor corrected.
    other = exponent - np.log(shrink) / (2 * np.log(width))
    theory = plain if shrink == 1 else width_distance(problem.train, width=int(width), exponent=other) / shrink
    return {"law": theory}


def judge_law(data, theory, width, exponent, outputs, shrink) -> Evidence:
    """The root mean square of the distance over the closed form; the Gram matrix of the second layer at infinite width."""
    ratio = root_mean_square(data.distance / theory["law"])
    drawn, even = ratio.sel(ideal=0), data.sel(ideal=1)
    wide = even.isel(width=-1)
    scale = shrink * width.isel(width=-1) ** (1 - 2 * exponent)
    return Evidence(
        sound=[
            at_most(
                "distance over the closed form, infinite-width minus Gaussian initialization, maximum",
                abs(drawn - ratio.sel(ideal=1)).isel(width=-1).max(),
                5e-3,
                key="initializations",
                why="at the largest width the two initializations agree up to $h^{-1/2}$",
            )
        ],
        holds=[
            near(
                "distance over the closed form, farthest from 1",
                farthest(drawn, 1),
                1,
                0.01,
                key="distance",
                why="root mean square of some 200,000 Gaussians, standard error 0.2 percent; next order of the law 0.1 percent",
            ),
            at_most(
                r"$VV^\top$ from the infinite-width initialization, relative distance to its closed form, maximum",
                (norm(wide.gram - _root(wide.min_norm, scale, outputs), "k") / norm(wide.gram, "k")).max(),
                1e-5,
                key="gram",
                why="exact for this initialization, up to the error at which runs stop, 1e-6",
            ),
        ],
    )


def _root(gram, scale, outputs):
    r"""$(s^2I + \hat\Theta^\top\hat\Theta)^{1/2}$, flattened."""
    import xarray as xr

    def one(flat, s):
        values, vectors = np.linalg.eigh(flat.reshape(outputs, outputs))
        return ((vectors * np.sqrt(s**2 + np.maximum(values, 0))) @ vectors.T).ravel()

    return xr.apply_ufunc(one, gram, scale, input_core_dims=[["k"], []], output_core_dims=[["k"]], vectorize=True)


def draw_law(data, theory, width) -> Drawing:
    """Distances against the width for each exponent with their closed forms, and the ratios."""
    rms = root_mean_square(data.distance).sel(ideal=0)
    law = (theory["law"] ** 2).mean("trial") ** 0.5
    ratio = root_mean_square(data.distance / theory["law"]).sel(ideal=0)
    over = [*family(EXPONENT, width, ratio, "exponent", mark=Points), Rule("closed form", 1.0)]
    return Drawing(
        [
            Panel(paired(width, rms, law), WIDTH, log_axis(DISTANCE), title="All widths and exponents"),
            Panel(over, WIDTH, Axis("distance over the closed form", low=0.98, high=1.02), title="Ratio to theory"),
        ],
        caption="Root mean squares over all trials. The distance depends only on the singular values of the minimum-norm "
        "solution and on the scale $h^{1-2a}$ of the initialization; no trajectory is needed.",
    )


def fall(exponent, bent):
    r"""The exponent $1/2 - 2a$, and $-a$ above $a = 1/2$; the former for all $a$ unless `bent`."""
    return np.maximum(0.5 - 2 * exponent, -exponent) if bent else 0.5 - 2 * exponent


def judge_beyond(data, theory, width, exponent, bent) -> Evidence:
    """The exponent of the width for each $a$, the constant beyond $1/2$, and the drift of the kernel."""
    slope = powers(root_mean_square(data.distance)).isel(width=-1)
    ratio = root_mean_square(data.distance / theory["law"]).isel(width=-1)
    kernel = powers(data.drift.median("trial")).isel(width=-1)
    lazy, rich = exponent < 0.5, exponent > 0.5
    off = abs(slope - fall(exponent, bent))
    seeds = "all widths share their seeds; the next order is $h^{1-2a}$ or $h^{-1/2}$"
    squared = "the same; the remaining scale $h^{1-2a}$ enters squared: a thousandth at $a = 0.6$"
    return Evidence(
        sound=[fitted(data, width, exponent)],
        holds=[
            *(
                at_most(name, off.where(where, drop=True).max(), 0.01, key=key, why=why)
                for key, name, where, why in (
                    ("exponent_lazy", r"exponent of the width minus $1/2 - 2a$ for $a \leq 1/2$, maximum", ~rich, seeds),
                    ("exponent_rich", "exponent of the width minus $-a$ for $a > 1/2$, maximum", rich, squared),
                )
            ),
            near(
                "distance over the closed form for $a > 1/2$",
                ratio.where(rich, drop=True).mean(),
                1,
                0.02,
                key="constant",
                why="the square root of the nuclear norm of the minimum-norm solution; some 100,000 squared Gaussians",
            ),
            at_most(
                "exponent of the width in the kernel drift for $a < 1/2$, maximum",
                kernel.where(lazy, drop=True).max(),
                -0.1,
                key="kernel_lazy",
                why=r"the drift is of order $\theta/h^{1-2a}$: it vanishes in the lazy regime",
            ),
            at_least(
                "exponent of the width in the kernel drift for $a > 1/2$, minimum",
                kernel.where(rich, drop=True).min(),
                0.1,
                key="kernel_rich",
                why="the same law: it diverges in the rich regime",
            ),
        ],
    )


def draw_beyond(data, exponent, width, n, d, outputs) -> Drawing:
    """The distance against the width for each $a$; the exponents; the bound of theorem 12 over the distance; the drift."""
    rms = root_mean_square(data.distance)
    a = exponent.values
    fine = np.linspace(a.min(), a.max(), 60)
    over = log_bound(data, width, exponent, n=n, d=d, outputs=outputs, delta=0.1, rate=1).median("trial") - np.log(rms)
    decades = over.isel(width=-1) / np.log(10)
    roles: list[Role] = ["second" if one > 0.5 else "measured" for one in a]
    middle = float(rms.sel(exponent=0.5, method="nearest")[-1])
    distances = family(EXPONENT, width, rms, "exponent", roles=roles)
    distances.append(Slope("$h^{-1/2}$", width, (float(width[-1]), middle), -0.5))
    drifts = family(EXPONENT, width, data.drift.median("trial"), "exponent", roles=roles)
    drifts.append(Rule("relative drift 1", 1.0))
    exponents = [
        Points("measured", a, powers(rms).isel(width=-1)),
        Line(r"$\max(1/2 - 2a, -a)$", fine, fall(fine, 1), role="theory"),
        Line("$1/2 - 2a$", fine, fall(fine, 0), role="control"),
    ]
    bound = [Points("measured", a, np.minimum(decades, 300.0)), Rule("tight", 0.0)]
    x, y, kernel = Axis("$a$"), Axis(r"$\log_{10}$ of the bound over the distance"), log_axis("relative drift of the kernel")
    return Drawing(
        [
            Panel(exponents, x, Axis("exponent of the width"), title="Exponent of the distance"),
            Panel(distances, WIDTH, log_axis(DISTANCE), title="Distance, beyond theorem 12 too", legend=False),
            Panel(drifts, WIDTH, kernel, title="Lazy for $a < 1/2$, rich for $a > 1/2$", legend=False),
            Panel(bound, x, y, title="Theorem 12 at the largest width"),
        ],
        caption="The distance vanishes for every $a > 1/4$, like $h^{1/2-2a}$ up to $a = 1/2$ and like $h^{-a}$ above. Theorem "
        "12 ends at $a = 1/2$, beyond which its bound explodes (cut at 300 decades here) and the tangent kernel moves.",
    )


CLAIMS = (
    Claim(
        id="min2021/theorem_12",
        kind="theorem",
        title="Wide networks converge close to the minimum-norm solution",
        says=r"For $1/4 < a \leq 1/2$ and a width $h$ above a number that the data determine, with probability at least $1 - "
        r"\delta$ gradient flow converges to within $2C^{1/h^{1-2a}}\sqrt{m + r}(\sqrt{m + n} + "
        r"\frac{1}{2}\log(2/\delta))h^{1/2-2a}$ of the minimum-norm solution, where $\log C = 1 + "
        r"\lambda_1^{1/2}\|Y\|_F/\lambda_r$.",
        source="min2021, theorem 12",
        simulation=SIMULATION,
        judge=judge_bound,
        draw=draw_bound,
        constants={"delta": 0.1, "rate": 1.0},
        sizes={
            "smoke": {"condition": 1.0, "width": (1e8, 1e10)},
            **{size: {"condition": 1.0, "exponent": (0.4, 0.45, 0.5), "width": (1e8, 1e10, 1e12)} for size in ("quick", "paper")},
        },
        least={"width": 2},
        controls=[Control("a bound with twice the exponent", changes={"rate": 2.0}, breaks=("violations", "exponent"))],
        seconds={"quick": 15, "paper": 60},
    ),
    Claim(
        id="min2021/width_law",
        kind="derived",
        title="The sharp law of the distance at large width",
        says=r"At large width the root mean square distance to the minimum-norm solution $\hat\Theta$ is $h^{1/2-2a}\sqrt{n - "
        r"r}$ times $(\sum_{i \leq m}\sqrt{1 + (\theta_i/s)^2})^{1/2}$, where $s = h^{1-2a}$ and $\theta_i$ are the singular "
        r"values of $\hat\Theta$; $VV^\top$ converges to $(s^2I + \hat\Theta^\top\hat\Theta)^{1/2}$.",
        source="min2021, theorem 12 sharpened",
        simulation=SIMULATION.with_params(Param("ideal", (0, 1), low=0, high=1, unit="1: the initialization of infinite width")),
        predict=predict_scaled,
        judge=judge_law,
        draw=draw_law,
        constants={"shrink": 1.0},
        sizes={"quick": {"trials": 20}, "paper": {"trials": 50}},
        least={"ideal": 2},
        edges=EDGES,
        controls=[Control("the law with $s/2$ in place of $s$", changes={"shrink": 0.5}, breaks=("distance", "gram"))],
        seconds={"quick": 20, "paper": 120},
    ),
    Claim(
        id="min2021/beyond_range",
        kind="derived",
        title="Small initializations converge close to the minimum-norm solution as well",
        says=r"The distance to the minimum-norm solution decays like $h^{1/2-2a}$ for $a \leq 1/2$ and like $h^{-a}$ for $a \geq "
        "1/2$, the latter with the nuclear norm of the minimum-norm solution in its constant. The relative drift of the tangent "
        "kernel vanishes for $a < 1/2$ and diverges for $a > 1/2$.",
        source="min2021, theorem 12 extended",
        simulation=SIMULATION,
        predict=predict,
        judge=judge_beyond,
        draw=draw_beyond,
        constants={"bent": 1},
        sizes={
            "smoke": {"exponent": (0.4, 0.5, 0.75)},
            **{
                size: {"exponent": (0.3, 0.35, 0.4, 0.5, 0.6, 0.75, 1.0), "width": (1e4, 1e6, 1e8, 1e10)}
                for size in ("quick", "paper")
            },
        },
        least={"width": 2, "exponent": 3},
        controls=[Control("$1/2 - 2a$ for all $a$", changes={"bent": 0}, breaks=("exponent_rich",))],
        seconds={"quick": 20, "paper": 60},
    ),
)
