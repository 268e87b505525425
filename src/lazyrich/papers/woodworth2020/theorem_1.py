r"""Theorem 1: gradient flow from scale $\alpha$ ends at the interpolant of least $Q_\alpha$."""

from ...lab import Param, Simulation
from ...lab.settings.diagonal_regression import begin, interpolate, pose
from ..base import Claim, Control, Evidence, at_most
from ..drawing import Axis, Drawing, Line, Panel, Points, Rule
from ..labelled import norm, relative_distance


def simulate(key, problem, *, d, alpha, until):
    """The end of the flow."""
    path = interpolate(problem, begin(d, alpha=alpha), until=until, miss=1e-18)
    return {
        "end": path.reads["effective"][-1],
        "loss": path.reads["loss"][-1],
        "outcome": path.outcome.code,
        "steps": path.outcome.steps,
        "truth": problem.truth,
    }


SIMULATION = Simulation(
    simulate,
    pose=pose,
    params=[
        Param(
            "alpha",
            (1e-3, 1e-2, 0.1, 0.3, 1.0, 10.0),
            smoke=(0.1, 1.0),
            low=1e-6,
            high=1e3,
            unit="every weight at the start",
        ),
        Param("n", 20, 50, smoke=5, low=1, high=2_000, unit="samples", static=True),
        Param("d", 60, 200, smoke=15, low=2, high=20_000, unit="unknowns", static=True),
        Param("sparsity", 3, 5, low=1, high=1_000, unit="entries of the truth", static=True),
        Param("noise", 0.1, low=0.0, high=10.0, unit="standard deviation", static=True),
        Param("until", 1e6, low=1e-3, high=1e12, unit="time"),
    ],
    returns={"end": "d", "loss": "", "outcome": "", "steps": "", "truth": "d"},
)


def refer(problem, alpha, entropy_scale):
    """The least-entropy interpolant, and its two limits for the drawing."""
    from ...predictors import MinHyperbolicEntropy, MinL1, MinL2

    return {
        "entropy": MinHyperbolicEntropy(entropy_scale * alpha).solve(problem.train),
        "l1": MinL1().solve(problem.train),
        "l2": MinL2().solve(problem.train),
    }


def judge(data, told) -> Evidence:
    """The distance of the flow's end from theory's answer, the worst over scales and draws."""
    distance = relative_distance(data.end, told["entropy"].effective)
    return Evidence(
        sound=[
            at_most(
                "loss at the end over the loss of zero",
                data.loss.max(),
                1e-16,
                why="the theorem speaks of interpolating limits; a hundred times the stopping level",
            )
        ],
        holds=[
            at_most(
                "relative distance",
                distance.max(),
                1e-5,
                why="the flow is followed to 1e-8 a step; a thousand times that for its length and the condition of the dual",
            )
        ],
    )


def draw(data, told, alpha) -> Drawing:
    """Where the flow ends between the two limits, and how far from theory's answer."""
    share = [relative_distance(data.end, told[name].effective).mean("trial").values for name in ("l1", "l2")]
    error = norm(data.end - data.truth).mean("trial").values
    expected = norm(told["entropy"].effective - data.truth).mean("trial").values
    distance = relative_distance(data.end, told["entropy"].effective).max("trial").values
    scale = Axis("alpha", scale="log")
    return Drawing(
        panels=[
            Panel(
                [
                    Points("flow, from the truth", alpha.values, error),
                    Line("theory, from the truth", alpha.values, expected, role="theory"),
                    Line("flow, from least l1", alpha.values, share[0], role="second"),
                    Line("flow, from least l2", alpha.values, share[1], role="second"),
                ],
                x=scale,
                y=Axis("distance", low=0),
                title="From least l1 to least l2",
            ),
            Panel(
                [Points("flow from least entropy", alpha.values, distance), Rule("bound", 1e-5, role="control")],
                x=scale,
                y=Axis("relative distance", scale="log"),
                title="From the flow's end to theory's answer",
                legend=False,
            ),
        ],
        caption="Left: where the flow ends as the scale of its start grows. Theory's answer (dashed) is found without "
        "training, and lies as far from the truth. Right: the flow's end is theory's answer, in the worst of the draws.",
    )


CLAIM = Claim(
    kind="theorem",
    title="The flow ends at the interpolant of least hyperbolic entropy",
    says="For every alpha > 0 the gradient flow of the depth-2 diagonal net from u = v = alpha ends, if it interpolates, at "
    "argmin sum_i alpha^2 q(beta_i / alpha^2) subject to X beta = y, with q' = arcsinh(z / 2).",
    source="woodworth2020, theorem 1",
    simulation=SIMULATION,
    refer=refer,
    judge=judge,
    draw=draw,
    constants={"entropy_scale": 1.0},
    control=Control(
        "the entropy of a third of the scale", changes={"entropy_scale": 1 / 3}, breaks=("relative distance",)
    ),
    seconds={"quick": 15, "paper": 60},
)
