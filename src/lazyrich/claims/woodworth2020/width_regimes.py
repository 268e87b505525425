r"""Section 6: kernel, intermediate or rich as $\sigma\sqrt k = \alpha^2k$ grows, stays or falls with the width."""

import numpy as np

from ...lab import Param, Simulation
from ...lab.settings.matrix_completion import SIMULATION as GRID
from ..base import Claim, Control, Evidence, at_least, at_most
from ..drawing import Axis, Drawing, Line, Panel
from ..labelled import spread

SIMULATION = Simulation(
    GRID.run,
    pose=GRID.pose,
    params=[
        Param("power", (-0.5, 0.0, 0.25), low=-2.0, high=1.0, unit="alpha^2 k = (k/100)^power"),
        Param(
            "width", (1e3, 1e5, 1e7), (1e3, 1e4, 1e5, 1e6, 1e7, 1e8), smoke=(1e3, 1e7), low=1, high=1e14, unit="columns"
        ),
        Param("alpha", "=sqrt((width/100)**power/width)", low=1e-12, high=100.0, unit="deviation of every weight"),
        *(param for param in GRID.params if param.name not in ("alpha", "width")),
    ],
    returns=GRID.returns,
)


def judge(data) -> Evidence:
    """Each regime by its own sign: entries that stay, entries that reach the truth, and a limit in between."""
    share = (data.change / data.needed).mean("trial", skipna=False)
    error, sigma = (data[name].mean("trial", skipna=False) for name in ("error", "sigma"))
    rich, middle, kernel = (share.isel(power=at) for at in (0, 1, 2))
    return Evidence(
        sound=[
            at_most("loss at the end over the loss of zero", data.loss.max(), 1e-9, why="ten times the stopping level")
        ],
        holds=[
            at_most(
                "(a) share of the way to the truth of unseen entries at the largest width",
                kernel.isel(width=-1),
                1 / 18,
                why="moves that the kernel does not make are of second order: 1/(alpha^2 k) = 1/18 of what is needed",
            ),
            at_most(
                "(a) size of the start's output at the largest width over that at the least",
                sigma.isel(power=2, width=-1) / sigma.isel(power=2, width=0),
                0.5,
                why="sigma ~ k^(-1/4) falls by ten: the regime is lazy while the output vanishes",
            ),
            at_most(
                "(b) error at the largest width over that at the least",
                error.isel(power=0, width=-1) / error.isel(power=0, width=0),
                0.6,
                why="alpha^2 k falls by 100; errors fall like its square root at best, a power of 0.15 is enough",
            ),
            at_least(
                "(b) share of the way to the truth at the largest width",
                rich.isel(width=-1),
                0.6,
                why="1 in the limit; entries that the others do not determine well stay behind",
            ),
            at_most(
                "(c) spread of that share over widths",
                spread(middle, "width"),
                0.1,
                why="the Gram matrix tends to a multiple of I with deviation sqrt(2d/k), 0.14 at the least width",
            ),
            at_least(
                "(c) between the two: its distance from both, at the largest width",
                np.minimum(rich - middle, middle - kernel).isel(width=-1),
                0.03,
                why="neither limit is reached however wide the net; three hundredths is above the spread of four draws",
            ),
        ],
    )


def draw(data) -> Drawing:
    """The share of the way to the truth, and the size of the start's output, against the width."""
    share, sigma = (data.change / data.needed).mean("trial"), data.sigma.mean("trial")
    x = data.width.values
    names = {p: f"alpha^2 k ~ k^{float(p):g}" for p in data.power.values}
    across = Axis("width k", scale="log")
    return Drawing(
        [
            Panel(
                [Line(name, x, share.sel(power=p).values) for p, name in names.items()],
                x=across,
                y=Axis("share of the way to the truth", low=0, high=1),
                title="Unseen entries",
            ),
            Panel(
                [Line(name, x, sigma.sel(power=p).values) for p, name in names.items()],
                x=across,
                y=Axis("sigma", scale="log"),
                title="Size of the start's output",
            ),
        ],
        caption="Three laws of the scale. In all of them the output of the start vanishes with the width "
        "(right), and yet unseen entries "
        "stay, reach the truth, or go a fixed part of the way, as alpha^2 k grows, falls or stays.",
    )


CLAIM = Claim(
    kind="statement",
    title="Three regimes of the width",
    says="As k grows: (a) sigma >> 1/sqrt(k) is the kernel regime even while sigma tends to 0, (b) sigma << "
    "1/sqrt(k) the rich one, "
    "and (c) sigma ~ 1/sqrt(k) an intermediate one with a limit of its own.",
    source="woodworth2020, section 6",
    simulation=SIMULATION,
    judge=judge,
    draw=draw,
    least={"power": 3, "width": 2},
    control=Control(
        "alpha^2 k near 1 in all three",
        changes={"power": (-0.02, 0.0, 0.02)},
        breaks=(
            "(a) share of the way to the truth of unseen entries at the largest width",
            "(b) error at the largest width over that at the least",
        ),
    ),
    seconds={"quick": 12, "paper": 30},
)
