"""Figure 8: training curves of a VGG11-like net on CIFAR10: from small scales it is slow to begin."""

from ...lab.settings.photograph_nets import SIMULATION
from ..base import Claim, Control, Evidence, at_least
from ..drawing import Axis, Drawing, Line, Panel


def waits(data):
    """The first epoch on the curve with half the training images right, infinite if there is none: (alpha, trial)."""
    return data.epoch.where(data.right >= 0.5, float("inf")).min("t").sortby("alpha")


def judge(data, upto) -> Evidence:
    """How much later half the training images are right from the smallest scale than from the largest."""
    wait = waits(data)
    late, early = wait.isel(alpha=0), wait.sel(alpha=wait.alpha[: max(1, upto)]).isel(alpha=-1)
    return Evidence(
        sound=[
            at_least(
                "share of runs from the largest scale with half the training images right",
                (wait.isel(alpha=-1) < float("inf")).mean(),
                1,
                why="without one wait that ends there is nothing to compare with",
            )
        ],
        holds=[
            at_least(
                "epochs until half the training images are right, smallest scale over largest",
                (late / early).fillna(1.0).median(),
                1.5,
                why="from small scales the loss first rests near log(10); half as long again is more than a step of the curve",
            )
        ],
    )


def draw(data) -> Drawing:
    """Loss and train accuracy along the epochs, a line for each scale."""
    seen = data.sortby("alpha").mean("trial")
    panels = []
    for name, y in (("loss", Axis("cross entropy", scale="log")), ("right", Axis("train accuracy"))):
        lines = [
            Line(f"alpha = {float(a):g}", seen.epoch.sel(alpha=a).values, seen[name].sel(alpha=a).values)
            for a in seen.alpha.values
        ]
        panels.append(Panel(lines, x=Axis("epoch"), y=y))
    return Drawing(
        panels=panels,
        caption="Training of a VGG11-like net on CIFAR10 from several scales of its start, the mean over draws: the smaller the "
        "scale, the longer the net rests before it learns.",
    )


CLAIM = Claim(
    kind="figure",
    title="A convolutional net on CIFAR10 learns later from smaller scales",
    says="The smaller the scale of the start, the longer the training of a VGG11-like net on CIFAR10 rests on a plateau.",
    source="woodworth2020, figure 8",
    simulation=SIMULATION,
    judge=judge,
    draw=draw,
    constants={"upto": 1_000},
    least={"alpha": 2},
    needs=("cifar10",),
    needs_at=("smoke", "quick", "paper"),
    control=Control(
        "the smallest scale against itself",
        changes={"upto": 1},
        breaks=("epochs until half the training images are right, smallest scale over largest",),
    ),
    seconds={"quick": 150, "paper": 150_000},
)
