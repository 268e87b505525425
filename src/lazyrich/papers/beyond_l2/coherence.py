r"""Propositions C.1 to C.4 and the erratum to example C.1: coherence, restricted isometry, and norms of matrices."""

from functools import partial

import numpy as np

from ...claims.axes import places
from ...claims.base import Claim, Control, Evidence, Reading, at_least, at_most
from ...claims.drawing import SERIES, Axis, Drawing, Event, Line, Panel, Points, Slope
from ...claims.marks import equal, family, log_axis, one_panel
from ...lab.simulations.dictionaries import SIMULATION as DICTIONARIES
from .simulations.frames import ALONE, IN_PAIRS, WAVES


def exact(key: str, name: str, value, why: str, target: int | float = 1e-12) -> Reading:
    """A violation, maximum over all matrices, that only rounding can cause."""
    return at_most(f"{name}, maximum", value, target, key=key, why=f"{why}; rounding error")


def judge_monotone(data, over) -> Evidence:
    """The largest decrease of the constant with one more column, over all matrices and sizes."""
    fall = (-data[over].diff("s")).max().clip(min=0)
    why = "a set of $s$ columns is part of one of $s+1$, whose eigenvalues enclose its own"
    return Evidence(holds=[exact("decrease", r"decrease of $\delta_s$ with one more column", fall, why)])


def draw_monotone(data, rows) -> Drawing:
    """Constants of a few matrices against the number of columns."""
    sizes = np.arange(1, data.sizes["s"] + 1)
    x, y = Axis("columns $s$"), Axis("distance from an isometry", low=0)
    return Drawing(
        [
            Panel(family("{} rows", sizes, data[what].isel(trial=0, r=0), "rows"), x, y, title=title)
            for what, title in (("isometry", "The worst set of $s$ columns"), ("some", "One random set of $s$ columns"))
        ],
        caption="How far sets of columns of one Gaussian matrix are from orthonormal ones, in operator norm: over all sets it "
        "can only increase, for a single random set it goes up and down.",
    )


def welch(columns, rows, less=1):
    r"""$\sqrt{(n-m)/(m(n-1))}$."""
    return ((columns - rows) / (rows * (columns - less))) ** 0.5


def judge_welch(data, rows, over, less, reach) -> Evidence:
    """The bounds on all kinds of matrices, and equality on two of them."""
    ratios, within = {}, {}
    for kind, columns in {"random": over * rows, "simplex": rows + 1, "twice": 2 * rows}.items():
        s = places(data[kind], "s") + 1
        ratios[kind] = data[kind] / (s * welch(columns, rows, less))
        within[kind] = ratios[kind].where(s <= reach * (columns - 1) ** 0.5 + 1e-9)
    whole = abs((2 * rows - 1) ** 0.5 - np.round((2 * rows - 1) ** 0.5)) < 1e-9
    first, every = (max(float((1 - part.isel(s=at)).max()) for part in within.values()) for at in (0, slice(None)))
    simplex = abs(ratios["simplex"].isel(s=0) - 1).max()
    twice = abs(within["twice"].min("s").where(whole) - 1).max()
    name, why = "sizes at which a basis taken twice meets the bound", r"equality needs an integer $\sqrt{n-1}$"
    trace = "the Gram matrix has rank $m$ and trace $n$, so that its squares sum to at least $n^2/m$"
    squares = r"squares of $n-1$ numbers that sum to $W^2(n-1)$ or more; beyond $\sqrt{n-1}$ all may lie on fewer"
    basis = r"$\mu_1(s)=1$ at every $s$, and $W=1/\sqrt{n-1}$: beyond that $s$ the bound is false"
    return Evidence(
        sound=[at_least(name, whole.sum(), 1, key="sizes", why=why)],
        holds=[
            exact("coherence", r"$1-\mu/W$", first, trace),
            exact("simplex", r"$|\mu/W-1|$ of a simplex", simplex, "$m+1$ columns at equal angles: $1/m$ each"),
            exact("one_coherence", r"$1-\mu_1(s)/(sW)$", every, squares),
            exact("twice", r"$|\mu_1(s)/(sW)-1|$ of a basis taken twice at $s=\sqrt{n-1}$", twice, basis),
        ],
    )


def draw_welch(data, rows, over) -> Drawing:
    """Coherences against Welch's bound, and the 1-coherence of a basis taken twice along s."""
    random = data.random.isel(s=0).transpose("rows", "trial", "r")
    bound, m = welch(rows + 1, rows), int(rows.values[-1])
    x = (0 * random + welch(over * rows, rows)).transpose(*random.dims).values.ravel()
    sizes, one = np.arange(1, data.sizes["s"] + 1), data.sel(rows=m).isel(trial=0)
    left = [
        Points("random", x, random.values.ravel()),
        Points("simplex", bound.values, data.simplex.isel(s=0, trial=0).values, role="second"),
        equal(0.0, x, bound.values),
    ]
    right = [
        Line("random, minimum", sizes, one.random.min("r").values),
        Line("a basis twice", sizes, one.twice.values, role="second"),
        Line("$sW$", sizes, sizes * float(welch(2 * m, m)), role="theory"),
        Event(r"$\sqrt{n-1}$", (2 * m - 1) ** 0.5, role="control"),
    ]
    return Drawing(
        [
            Panel(left, Axis("Welch's bound $W$", low=0), Axis("coherence", low=0), title="The coherence"),
            Panel(right, Axis("$s$"), Axis("1-coherence", low=0), title=f"The 1-coherence, {m} rows"),
        ],
        caption="Left: no matrix of unit columns is less coherent than Welch's bound, and a simplex meets it. Right: $sW$ "
        r"bounds the 1-coherence up to $s=\sqrt{n-1}$: there a basis taken twice meets it; for larger $s$ it falls below.",
    )


def judge_isometry(data) -> Evidence:
    """Two identities and two inequalities on every matrix, for every s."""
    coherence, two = data.one.isel(s=0), data.isometry.isel(s=1)
    later, before = data.isometry.isel(s=slice(1, None)), data.one.isel(s=slice(None, -1))
    excess = (before - (places(before, "s") + 1) * coherence).max()
    gram = "the Gram matrix of two unit columns consists of 1 and their product"
    worst = "the worst set for a column holds it and the $s$ columns nearest to it"
    circles = "eigenvalues are within a column sum of the diagonal; equality at $s=2$"
    return Evidence(
        holds=[
            exact("two", r"$|\delta_2-\mu|$", abs(two - coherence).max(), gram),
            exact("sums", r"$|\max_J\|A_J^\top A_J-I\|_{1\to1}-\mu_1(s)|$", abs(data.sums - data.one).max(), worst),
            exact("isometry", r"$\delta_s-\mu_1(s-1)$", (later - before).max(), circles),
            exact("one_coherence", r"$\mu_1(s)-s\mu$", excess, r"a sum of $s$ numbers of at most $\mu$; equality at $s=1$"),
        ]
    )


def draw_isometry(data) -> Drawing:
    """Isometry constants of all matrices against their bounds."""
    later, before = data.isometry.isel(s=slice(1, None)), data.one.isel(s=slice(None, -1))
    marks = [
        Points(f"$s = {at + 2}$", *(part.isel(s=at).values.ravel() for part in (before, later)), role=role)
        for at, role in zip((0, later.sizes["s"] - 1), SERIES, strict=False)
    ]
    x, y = Axis(r"$\mu_1(s-1)$", low=0), Axis(r"$\delta_s$", low=0)
    caption = r"All matrices of unit columns: for two columns $\delta_s=\mu_1(s-1)$, for more $\delta_s$ is smaller."
    return one_panel([*marks, equal(0, before.values)], x, y, caption)


def bounds(data) -> dict:
    """What the coherence must not be below, and what it must not exceed, by the number of the equation."""
    m, n, s = data.m, data.n, data.s
    low, high = np.maximum(m, s) ** 0.5 / (m * s), np.minimum(m, n) ** 0.5
    return {
        "8": (np.maximum(data.column / m, data.row / s), np.minimum(data.column_all, data.row_all)),
        "norms": (low * data.operator, high * data.operator_all),
        "10": (low * data.kept**0.5, high * data.grown**0.5),
        "7": (2 * data.kept**0.5 / (m + s), np.inf),
    }


SUMS, NORMS = r"$\max(\|M_J\|_{1\to1}/m,\|M_J\|_{\infty\to\infty}/s)$", r"$\frac{\sqrt{\max(m,s)}}{ms}\|M_J\|$"
TOGETHER = "(8) and (9) together; equality for two columns"


def judge_pairs(data) -> Evidence:
    """Every link of the chain on every pair, for the worst set of columns."""
    found = bounds(data)
    below = {name: ((low - data.coherence) / data.coherence).max() for name, (low, _) in found.items()}
    above = {name: ((data.coherence - high) / data.coherence).max() for name, (_, high) in found.items()}
    same = data.isel(r=-2)
    tight = abs(same.column / same.m / same.coherence - 1).max()
    over = r" over $\mu$, minus one"
    products = r"a sum of $m$ or $s$ products of at most $\mu$; equality where all columns are equal"
    one = r"$\mu$ is one term of a sum; equality for two columns"
    vectors = r"the $\ell_1$ norm of a vector in $\mathbb{R}^m$ lies between its $\ell_2$ norm and $\sqrt{m}$ times that"
    least, most = r"an operator norm is at least $\sqrt{1-\delta}$", r"an operator norm is at most $\sqrt{1+\delta}$"
    mean = r"an operator norm is at most the geometric mean of column and row sums, so $\sqrt{ms}\mu$"
    alike = "all products are equal: no constant of (8) can be better"
    return Evidence(
        holds=[
            exact("sums_below", f"(8): {SUMS}{over}", below["8"], products),
            exact("sums_above", r"(8): $\mu/\min(\|M\|_{1\to1},\|M\|_{\infty\to\infty})-1$", above["8"], one),
            exact("vectors", "(9): violation of the bounds between norms of a matrix", data.bent.max(), vectors),
            exact("norms_below", f"{NORMS}{over}", below["norms"], TOGETHER),
            exact("norms_above", r"$\mu/(\sqrt{\min(m,n)}\|M\|)-1$", above["norms"], TOGETHER),
            exact("isometry_below", rf"(10): lower bound by $\delta_s(M)${over}", below["10"], least),
            exact("isometry_above", r"(10): $\mu$ over the upper bound by $\delta_n(M)$, minus one", above["10"], most),
            exact("seven", r"(7): $\sqrt{1-\delta_s(M)}/(\frac{m+s}{2}\mu)-1$", below["7"], mean),
            exact("tight", r"$|\|M_J\|_{1\to1}/(m\mu)-1|$ at equal columns", tight, alike),
        ]
    )


def draw_pairs(data) -> Drawing:
    """The coherence of every pair beside its two bounds by operator norms."""
    low, high = bounds(data)["norms"]
    x, low, high = (part.transpose(*data.coherence.dims).values.ravel() for part in (data.coherence, low, high))
    marks = [Points("lower bound", x, low), Points("upper bound", x, high, role="second"), equal(x)]
    caption = r"Unit columns: the coherence lies between multiples of operator norms of $A^\top B$; pairs on the line meet them."
    return one_panel(marks, log_axis(r"$\mu(A,B)$"), log_axis("bound by operator norms"), caption)


def judge_fourier(data, d, beside) -> Evidence:
    """The printed value against the coherence with one basis or the other, and the other's own."""
    apart = abs(data[beside] * d**0.5 / (places(data.canonical, "s") + 1) - 1).max()
    pair = abs(data.pair * d**0.5 - 1).max()
    product = r"every product of a wave with a unit vector has the size $1/\sqrt{n}$"
    same = "the same, by the definition for two matrices"
    itself = "it is orthonormal; sums of $n$ terms"
    return Evidence(
        holds=[
            exact("sums", r"$|\mu_1(s)\sqrt{n}/s-1|$", apart, product),
            exact("pair", r"$|\mu\sqrt{n}-1|$ with the canonical basis", pair, same),
            exact("itself", r"$\mu_1$ of the Fourier basis itself", data.itself.max(), itself, 1e-10),
        ]
    )


def draw_fourier(data, d) -> Drawing:
    """The sum of s products against the size of the basis, and what is printed."""
    marks = [
        Points(f"with the canonical basis, $s = {s + 1}$", d.values, data.canonical.isel(s=s).values, role=SERIES[at])
        for at, s in enumerate((0, data.sizes["s"] - 1))
    ]
    marks += [
        Points("with itself, $s = 1$", d.values, data.itself.isel(s=0).values, role="control"),
        Slope(r"$1/\sqrt{n}$", [float(d[0]), float(d[-1])], (float(d[0]), float(d[0]) ** -0.5), -0.5),
    ]
    caption = r"The Fourier basis: its 1-coherence with unit vectors is $s/\sqrt{n}$, with itself 0 up to rounding error."
    return one_panel(marks, log_axis("size $n$ of the basis"), log_axis("sum of $s$ products"), caption)


proposition = partial(Claim, kind="proposition")
CLAIMS = (
    proposition(
        id="beyond_l2/proposition_c_1",
        title="More columns are never nearer to an isometry",
        says=r"The restricted isometry constants of every matrix satisfy $\delta_s\leq\delta_{s+1}$.",
        source="beyond_l2, proposition C.1",
        simulation=DICTIONARIES,
        judge=judge_monotone,
        draw=draw_monotone,
        constants={"over": "isometry"},
        sizes={size: {"unit": 0} for size in ("smoke", "quick", "paper")},
        controls=[Control("one random set of each size in place of all", changes={"over": "some"}, breaks=("decrease",))],
        seconds={"quick": 2, "paper": 120},
    ),
    proposition(
        id="beyond_l2/proposition_c_2",
        title="Welch's lower bounds on the coherence of unit columns",
        says=r"$n$ unit columns in $\mathbb{R}^m$ have coherence $\mu\geq W=\sqrt{(n-m)/(m(n-1))}$, and $\mu_1(s)\geq sW$ for "
        r"$s\leq\sqrt{n-1}$. A simplex meets the first bound, a basis taken twice the second.",
        source="beyond_l2, proposition C.2",
        simulation=ALONE,
        judge=judge_welch,
        draw=draw_welch,
        constants={"less": 1, "reach": 1},
        controls=[
            Control(
                r"$n-2$ in place of $n-1$, and $s$ up to $2\sqrt{n-1}$",
                changes={"less": 2, "reach": 2},
                breaks=("coherence", "simplex", "one_coherence", "twice"),
            )
        ],
        seconds={"quick": 2, "paper": 90},
    ),
    proposition(
        id="beyond_l2/proposition_c_3",
        title="Coherence bounds restricted isometry",
        says=r"For unit columns $\mu=\delta_2$, $\mu_1(s)=\max_{|J|\leq s+1}\|A_J^\top A_J-I\|_{1\to1}$, and "
        r"$\delta_s\leq\mu_1(s-1)\leq(s-1)\mu$.",
        source="beyond_l2, proposition C.3",
        simulation=DICTIONARIES,
        judge=judge_isometry,
        draw=draw_isometry,
        controls=[Control("columns that are not of length one", changes={"unit": 0}, breaks=("two", "sums", "isometry"))],
        seconds={"quick": 2, "paper": 120},
    ),
    proposition(
        id="beyond_l2/proposition_c_4",
        title="The coherence of two matrices lies between norms of their product",
        says=r"For unit columns, $m$ of them in $A$ and $n$ in $B$, the coherence $\mu(A,B)$ lies between multiples of the "
        r"largest column and row sums of $M=A^\top B$, and between multiples of its operator norms: "
        r"$\frac{\sqrt{\max(m,s)}}{ms}\|M_J\|$ for every set $J$ of $s$ columns, and $\sqrt{\min(m,n)}\|M\|$; and "
        r"$\sqrt{1-\delta_s(M)}\leq\frac{m+s}{2}\mu(A,B)$.",
        source="beyond_l2, proposition C.4",
        simulation=IN_PAIRS,
        judge=judge_pairs,
        draw=draw_pairs,
        controls=[
            Control(
                "columns of length 1.4: the coherence does not depend on the length, the norms do",
                changes={"length": 1.4},
                breaks=("sums_below", "norms_below", "isometry_below", "seven", "tight"),
            )
        ],
        seconds={"quick": 2, "paper": 90},
    ),
    Claim(
        id="beyond_l2/example_c_1",
        kind="erratum",
        title="The Fourier basis is coherent with another basis, not itself",
        says=r"The sums $s/\sqrt{n}$ of the example are those of the Fourier basis with the canonical one. Printed is that "
        "they are its own 1-coherence and mutual coherence, which are 0, as it is orthonormal.",
        source="beyond_l2, example C.1",
        simulation=WAVES,
        judge=judge_fourier,
        draw=draw_fourier,
        constants={"beside": "canonical"},
        controls=[Control("with itself, as printed", changes={"beside": "itself"}, breaks=("sums",))],
        seconds={"quick": 1, "paper": 10},
    ),
)
