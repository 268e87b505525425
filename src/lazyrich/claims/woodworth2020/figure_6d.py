"""Figure 6d: the test error of a VGG11-like net on CIFAR10 against the scale of its start."""

from ...lab.settings.photograph_nets import SIMULATION
from ..base import Claim, Control, Evidence, at_least
from ..drawing import Axis, Drawing, Line, Panel, Points, Rule


def judge(data, upto) -> Evidence:
    """The test error at the largest scale over that at the smallest, both with every training image right."""
    seen = data.sortby("alpha").sel(alpha=data.alpha[data.alpha <= upto])
    error = seen.test_error.mean("trial")
    return Evidence(
        sound=[
            at_least(
                "share of runs with all training images right",
                (seen.train_error == 0).mean(),
                1,
                why="the statement is about nets that fit their data",
            )
        ],
        holds=[
            at_least(
                "test error at the largest scale over that at the smallest",
                error.isel(alpha=-1) / error.isel(alpha=0),
                1.1,
                why="a rise is seen in the paper, no number is printed; a tenth is beyond the counting noise of 2,000 wrong "
                "images (2%) and what a draw of the start changes",
            )
        ],
    )


def draw(data, n, channels) -> Drawing:
    """Test error against the scale, with the line of the last layer alone."""
    seen = data.sortby("alpha")
    x, error = seen.alpha.values, 100 * seen.test_error.mean("trial")
    bars = 100 * seen.test_error.std("trial")
    return Drawing(
        panels=[
            Panel(
                [
                    Line("all layers", x, error.values),
                    Points("all layers", x, error.values, error=bars.values),
                    Rule("last layer alone", 100 * float(seen.last_test_error.min("alpha").mean()), role="second"),
                ],
                x=Axis("alpha", scale="log"),
                y=Axis("test error", unit="%", low=0),
                title=f"CIFAR10, {int(n)} training images, {int(channels)} channels first",
            )
        ],
        columns=1,
        caption="Test error of a VGG11-like net on CIFAR10 against the scale of its start; bars are deviations over draws. "
        "Horizontal: the last layer alone on the random others, at the best scale.",
    )


CLAIM = Claim(
    kind="figure",
    title="Test error of a convolutional net on CIFAR10 rises with the scale of its start",
    says="A VGG11-like net, trained on CIFAR10 until every training image is right, has a larger test error from larger scales.",
    source="woodworth2020, figure 6d",
    simulation=SIMULATION,
    judge=judge,
    draw=draw,
    constants={"upto": float("inf")},
    least={"alpha": 2},
    needs=("cifar10",),
    needs_at=("smoke", "quick", "paper"),
    control=Control(
        "the same runs up to a scale of 1, where little is to rise",
        changes={"upto": 1.0},
        breaks=("test error at the largest scale over that at the smallest",),
    ),
    seconds={"quick": 150, "paper": 150_000},
)
