r"""Lemma D.14: $\partial g/\partial A_k = (A_1\cdots A_{k-1})^\top\nabla g(A)(A_{k+1}\cdots A_L)^\top$, $A = A_1\cdots A_L$."""

import jax
import jax.numpy as jnp
import jax.random as jr
import numpy as np

from ...lab import Param, Simulation
from ..axes import side_by_side
from ..base import Claim, Control, Evidence, at_least, at_most
from ..drawing import Axis, Drawing, Panel, Points, Rule


def simulate(key, *, rows, cols, width, depth, rate, decay):
    r"""How far gradients of factors are from the law, and one update of a product of two from its own; and false forms of both.

    With $b = B_1B_2$ and $c = B_1^2 + B_2^2$, entry by entry, an update with slope $G$ and decay $\lambda$ gives
    $b' = s^2b - \alpha scG + \alpha^2bG^2$ and $c' = s^2c - 4\alpha sbG + \alpha^2cG^2$ with $s = 1 - \alpha\lambda$.
    """
    shapes = [rows, *[width] * (depth - 1), cols]
    apart, _ = _factors(jr.fold_in(key, 0), shapes)
    square, wrong = _factors(jr.fold_in(key, 1), [width] * (depth + 1))
    exact, first = _pair(jr.fold_in(key, 2), width, rate, decay)
    return {"apart": jnp.maximum(apart, square), "untransposed": wrong, "updated": exact, "first_order": first}


def _factors(key, shapes):
    """The largest relative distance of a factor's gradient from the law, and from it without transposes where shapes allow."""
    keys = jr.split(key, len(shapes) + 1)
    factors = [
        jr.normal(keys[i], pair) / pair[0] ** 0.5 for i, pair in enumerate(zip(shapes, shapes[1:], strict=False))
    ]
    weights, target = (jr.normal(keys[-at], (shapes[0], shapes[-1])) for at in (1, 2))

    def cost(matrix):
        return jnp.sum((weights * (matrix - target)) ** 2) / 2 + jnp.sum(jnp.sin(matrix))

    found = jax.grad(lambda parts: cost(_product(parts, shapes[0])))(factors)
    slope = jax.grad(cost)(_product(factors, shapes[0]))
    law, wrong = [], []
    for k in range(len(factors)):
        left, right = _product(factors[:k], shapes[0]), _product(factors[k + 1 :], shapes[k + 1])
        law.append(left.T @ slope @ right.T)
        wrong.append(left @ slope @ right if len(set(shapes)) == 1 else law[-1])
    return tuple(
        jnp.max(jnp.stack([jnp.linalg.norm(a - b) / jnp.linalg.norm(b) for a, b in zip(found, told, strict=True)]))
        for told in (law, wrong)
    )


def _product(factors, first: int):
    whole = jnp.eye(first)
    for factor in factors:
        whole = whole @ factor
    return whole


def _pair(key, size: int, rate, decay):
    """The relative distance of $b$ and $c$ after one update from the formula, and from it to first order in the rate."""
    one, two, slope = jr.normal(key, (3, size))
    stays = 1 - rate * decay
    new = stays * one - rate * two * slope, stays * two - rate * one * slope
    found = jnp.stack([new[0] * new[1], new[0] ** 2 + new[1] ** 2])
    b, c = one * two, one**2 + two**2
    linear = jnp.stack([stays**2 * b - rate * stays * c * slope, stays**2 * c - 4 * rate * stays * b * slope])
    law = linear + rate**2 * slope**2 * jnp.stack([b, c])
    size_of = jnp.linalg.norm(found)
    return jnp.linalg.norm(found - law) / size_of, jnp.linalg.norm(found - linear) / size_of


def judge(data, exact) -> Evidence:
    """Both identities, or both false forms."""
    gradients, updates = (data.apart, data.updated) if exact else (data.untransposed, data.first_order)
    return Evidence(
        sound=[
            at_least("share of finite numbers", _finite(data), 1, why="powers of random factors stay in range"),
        ],
        holds=[
            at_most(
                "gradients of all factors beside the law, the farthest, relative",
                gradients.max(skipna=False),
                1e-11,
                why="rounding times the condition of a product of a few factors",
            ),
            at_most(
                "one update of a product of two beside the law, the farthest, relative",
                updates.max(skipna=False),
                1e-13,
                why="rounding",
            ),
        ],
    )


def _finite(data):
    parts = side_by_side([data[name] for name in ("apart", "untransposed", "updated", "first_order")], "what")
    return (parts < 1e300).mean()


def draw(data) -> Drawing:
    """Relative distances against the depth."""
    x = data.depth.values
    over = [axis for axis in data.apart.dims if axis != "depth"]
    law, wrong = (np.maximum(data[part].max(over).values, 1e-17) for part in ("apart", "untransposed"))
    return Drawing(
        [
            Panel(
                [
                    Points("as the lemma has it", x, law),
                    Points("without transposes", x, wrong, role="control"),
                    Rule("rounding", 2.2e-16),
                ],
                x=Axis("factors"),
                y=Axis("distance from automatic gradients, relative", scale="log"),
            )
        ],
        columns=1,
        caption="Gradients of the factors of a product, by the lemma and automatically: the worst of all draws.",
    )


CLAIM = Claim(
    kind="lemma",
    title="Gradients of the factors of a product",
    says="The gradient of g(A1 ... AL) in one factor is the gradient of g between the transposed products before and "
    "after it; for two factors, entry by entry, one update with decay changes b = B1 B2 and c = B1^2 + B2^2 by closed formulas.",
    source="beyond_l2, lemma D.14",
    simulation=Simulation(
        simulate,
        params=[
            Param("depth", (2, 4), (2, 3, 4, 8), smoke=(3,), low=2, high=20, unit="factors", static=True),
            Param("decay", (0.0, 0.3), smoke=(0.3,), low=0.0, high=10.0, unit="of the l2 penalty"),
            Param("rate", (0.01, 0.3), smoke=(0.3,), low=1e-6, high=1.0, unit="step"),
            Param("rows", 5, 30, low=1, high=200, unit="rows", static=True),
            Param("cols", 4, 20, low=1, high=200, unit="columns", static=True),
            Param("width", 6, 40, low=1, high=200, unit="of inner factors", static=True),
        ],
        returns=dict.fromkeys(("apart", "untransposed", "updated", "first_order"), ""),
    ),
    judge=judge,
    draw=draw,
    constants={"exact": True},
    aliases=("gradient_identities",),
    control=Control(
        "without transposes, and to first order in the rate",
        changes={"exact": False},
        breaks=(
            "gradients of all factors beside the law, the farthest, relative",
            "one update of a product of two beside the law, the farthest, relative",
        ),
    ),
    seconds={"quick": 6, "paper": 20},
)
