r"""Proposition C.3: $\mu = \delta_2$ and $\delta_s\le\mu_1(s-1)\le(s-1)\mu$ for unit columns, with $\mu_1$ as a norm."""

from ...lab.settings.dictionaries import SIMULATION
from ..axes import places
from ..base import Claim, Control, Evidence, at_most
from ..drawing import SERIES, Axis, Drawing, Line, Panel, Points


def judge(data) -> Evidence:
    """Two identities and two inequalities on every matrix, for every s."""
    coherence, two = data.one.isel(s=0), data.isometry.isel(s=1)
    later, before = data.isometry.isel(s=slice(1, None)), data.one.isel(s=slice(None, -1))
    count = places(before, "s") + 1
    return Evidence(
        holds=[
            at_most(
                "isometry constant of two columns less the coherence, the farthest",
                abs(two - coherence).max(),
                1e-12,
                why="two unit columns have the Gram matrix of 1 and their product; rounding",
            ),
            at_most(
                "largest column sum over sets of s + 1 less the 1-coherence of s, the farthest",
                abs(data.sums - data.one).max(),
                1e-12,
                why="the set that is worst for a column holds it and the s that it is nearest to; rounding",
            ),
            at_most(
                "isometry constant of s columns less the 1-coherence of s - 1, the largest",
                (later - before).max(),
                1e-12,
                why="eigenvalues are within a column sum of the diagonal; equality at s = 2, rounding",
            ),
            at_most(
                "1-coherence of s less s times the coherence, the largest",
                (before - count * coherence).max(),
                1e-12,
                why="a sum of s numbers of which none is larger; equality at s = 1, rounding",
            ),
        ],
    )


def draw(data) -> Drawing:
    """Isometry constants of all matrices against their bounds."""
    later, before = data.isometry.isel(s=slice(1, None)), data.one.isel(s=slice(None, -1))
    marks = []
    for at, role in zip((0, later.sizes["s"] - 1), SERIES, strict=False):
        x, y = before.isel(s=at).values.ravel(), later.isel(s=at).values.ravel()
        marks.append(Points(f"s = {at + 2}", x, y, role=role))
    top = float(before.max())
    return Drawing(
        [
            Panel(
                [*marks, Line("equal", [0, top], [0, top], role="theory")],
                x=Axis("1-coherence of s - 1", low=0),
                y=Axis("isometry constant of s columns", low=0),
            )
        ],
        columns=1,
        caption="Every matrix of unit columns: two columns are as far from an isometry as they are coherent, more are nearer "
        "than the sum of coherences allows.",
    )


CLAIM = Claim(
    kind="proposition",
    title="Coherence bounds restricted isometry",
    says="For unit columns the coherence is the isometry constant of two columns, the 1-coherence of s the largest column sum "
    "(norm from l1 to l1) of A_J^T A_J - I over sets of at most s + 1, and the isometry constant of s columns is at most the "
    "1-coherence of s - 1, which is at most s - 1 times the coherence.",
    source="beyond_l2, proposition C.3",
    simulation=SIMULATION,
    judge=judge,
    draw=draw,
    control=Control(
        "columns that are not of length one",
        changes={"unit": 0},
        breaks=(
            "isometry constant of two columns less the coherence, the farthest",
            "largest column sum over sets of s + 1 less the 1-coherence of s, the farthest",
            "isometry constant of s columns less the 1-coherence of s - 1, the largest",
        ),
    ),
    seconds={"quick": 2, "paper": 120},
)
