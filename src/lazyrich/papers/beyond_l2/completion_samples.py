"""The fraction of low-rank matrices that completion recovers: it grows with the coherence of the entries, falls with the rank."""

from ...claims.base import Claim, Control, Evidence, Reading, at_least
from ...claims.drawing import Drawing
from ...lab import Param
from .shared.sample_counts import certified, fraction_panel, recovered
from .simulations.recoverable import TRIALS, masks


def monotone(change: str, differences, everywhere: str) -> Reading:
    """That the fraction moves in one direction from each value to the next."""
    name = f"{change} to the next, minimum"
    why = f"monotone up to a standard deviation of 0.08; where {everywhere} recovered there is no difference"
    return at_least(name, differences.min(), -0.1, key="monotone", why=why)


def judge_coherence(data) -> Evidence:
    r"""The fraction of recovered trials, averaged over numbers of entries, as $\tau$ grows."""
    fraction = recovered(data).mean(("trial", "n"))
    return Evidence(
        sound=[certified(data)],
        holds=[
            at_least(
                r"fraction recovered at $\tau=1$ minus that at $\tau=0$, mean over numbers of entries",
                fraction.isel(coherence=-1) - fraction.isel(coherence=0),
                0.25,
                key="increase",
                why="a quarter fewer entries recover half of the trials; forty trials each, a standard deviation of 0.08",
            ),
            monotone(r"increase of that fraction from each $\tau$", fraction.diff("coherence"), "nearly all are"),
        ],
    )


def judge_rank(data, direction) -> Evidence:
    """The fraction of recovered trials from the same numbers of entries, as the rank grows."""
    fraction = direction * recovered(data).mean(("trial", "n"))
    return Evidence(
        sound=[certified(data)],
        holds=[
            at_least(
                "fraction recovered at the smallest rank minus that at the largest",
                fraction.isel(rank=0) - fraction.isel(rank=-1),
                0.1,
                key="decrease",
                why="each rank adds $m+n-2r-1$ degrees of freedom, of 42 entries; forty trials each, a standard deviation of "
                "0.08",
            ),
            monotone("decrease of that fraction from each rank", -fraction.diff("rank"), "none are"),
        ],
    )


def draw_coherence(data) -> Drawing:
    r"""Fractions against the number of entries, for each $\tau$."""
    return Drawing(
        [fraction_panel(recovered(data).mean("trial"), "coherence", r"$\tau$ =")],
        columns=1,
        caption=r"A fraction $\tau$ of the observed entries is where local coherences of rows and columns are largest, the "
        "others are uniformly random: the fraction of trials whose ground truth has minimum nuclear norm.",
    )


def draw_rank(data) -> Drawing:
    """Fractions against the number of entries, for each rank."""
    return Drawing(
        [fraction_panel(recovered(data).mean("trial"), "rank", "rank")],
        columns=1,
        caption="Random entries: fraction of trials whose ground truth has minimum nuclear norm. Higher ranks need more entries.",
    )


SEEDS = Param("trials", 10, 30, smoke=2, low=1, high=10_000, unit=TRIALS.unit, static=True)
CLAIMS = (
    Claim(
        id="beyond_l2/coherence_saves_samples",
        kind="statement",
        title="Coherent entries save samples",
        says=r"The larger the fraction $\tau$ of observed entries with the largest local coherences, the fewer entries does "
        "nuclear-norm minimization need for matrix completion.",
        source="beyond_l2, appendix D.10",
        simulation=masks(
            Param("coherence", (0.0, 0.5, 1.0), (0.0, 0.25, 0.5, 0.75, 1.0), smoke=(0.0, 1.0), low=0.0, high=1.0),
            Param("n", (16, 20, 24, 30), (60, 76, 92, 108), smoke=(10, 14), low=1, high=40_000, unit="observed entries"),
            SEEDS,
        ),
        judge=judge_coherence,
        draw=draw_coherence,
        least={"coherence": 2},
        controls=[Control("entries of the smallest local coherence", {"order": -1}, ("increase",))],
        seconds={"quick": 15, "paper": 900},
    ),
    Claim(
        id="beyond_l2/samples_fall_with_rank",
        kind="erratum",
        title="Higher ranks need more entries",
        says="The number of observed entries needed for matrix completion grows with the rank; the paper prints that it falls.",
        source="beyond_l2, appendix D.5",
        simulation=masks(
            Param("rank", (1, 2, 3), (1, 2, 3, 4), smoke=(1, 2), low=1, high=50, unit="rank of the ground truth"),
            Param("n", (22, 28, 34, 38), (80, 110, 130, 150), smoke=(14, 18), low=1, high=40_000, unit="observed entries"),
            SEEDS,
        ),
        judge=judge_rank,
        draw=draw_rank,
        constants={"direction": 1},
        least={"rank": 2},
        controls=[Control("a decrease, as printed", {"direction": -1}, ("decrease",))],
        seconds={"quick": 15, "paper": 900},
    ),
)
