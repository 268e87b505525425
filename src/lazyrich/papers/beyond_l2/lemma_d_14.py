r"""Lemma D.14: $\partial g/\partial A_k=(A_1\cdots A_{k-1})^\top\nabla g(A)(A_{k+1}\cdots A_L)^\top$ for $A=A_1\cdots A_L$."""

import jax
import jax.numpy as jnp
import jax.random as jr
import numpy as np

from ...claims.axes import side_by_side
from ...claims.base import Claim, Control, Evidence, at_least, at_most
from ...claims.drawing import Axis, Drawing, Points, Rule
from ...claims.marks import log_axis, one_panel
from ...lab import Param, Simulation

UPDATE = "relative error of one update of a product of two, maximum"
ERRORS = ("apart", "untransposed", "updated", "first_order")


def simulate(key, *, rows, cols, width, depth, learning_rate, weight_decay):
    r"""Errors of the formulas for the gradient of a factor and for one update of a product of two, and of false forms of both.

    With $b=B_1B_2$ and $c=B_1^2+B_2^2$, entrywise, an update with gradient $G$ and weight decay $\beta_2$ gives
    $b'=s^2b-\alpha scG+\alpha^2bG^2$ and $c'=s^2c-4\alpha sbG+\alpha^2cG^2$ with $s=1-\alpha\beta_2$.
    """
    shapes = [rows, *[width] * (depth - 1), cols]
    apart, _ = _factors(jr.fold_in(key, 0), shapes)
    square, wrong = _factors(jr.fold_in(key, 1), [width] * (depth + 1))
    exact, first = _pair(jr.fold_in(key, 2), width, learning_rate, weight_decay)
    return {"apart": jnp.maximum(apart, square), "untransposed": wrong, "updated": exact, "first_order": first}


def _factors(key, shapes):
    """The largest relative error of the formula for the gradient of a factor, and of it without transposes if shapes allow."""
    keys = jr.split(key, len(shapes) + 1)
    pairs = list(zip(shapes, shapes[1:], strict=False))
    factors = [jr.normal(key, pair) / pair[0] ** 0.5 for key, pair in zip(keys, pairs, strict=False)]
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
        jnp.max(jnp.stack([jnp.linalg.norm(a - b) / jnp.linalg.norm(b) for a, b in zip(found, predicted, strict=True)]))
        for predicted in (law, wrong)
    )


def _product(factors, first: int):
    whole = jnp.eye(first)
    for factor in factors:
        whole = whole @ factor
    return whole


def _pair(key, size: int, learning_rate, weight_decay):
    r"""The relative error of the formulas for $b$ and $c$ after one update, and of them to first order in $\alpha$."""
    one, two, slope = jr.normal(key, (3, size))
    stays = 1 - learning_rate * weight_decay
    new = stays * one - learning_rate * two * slope, stays * two - learning_rate * one * slope
    found = jnp.stack([new[0] * new[1], new[0] ** 2 + new[1] ** 2])
    b, c = one * two, one**2 + two**2
    push = learning_rate * stays * slope
    linear = jnp.stack([stays**2 * b - push * c, stays**2 * c - 4 * push * b])
    law = linear + learning_rate**2 * slope**2 * jnp.stack([b, c])
    size_of = jnp.linalg.norm(found)
    return jnp.linalg.norm(found - law) / size_of, jnp.linalg.norm(found - linear) / size_of


def judge(data, exact) -> Evidence:
    """Both identities, or both false forms."""
    gradients, updates = (data.apart, data.updated) if exact else (data.untransposed, data.first_order)
    finite = (side_by_side([data[name] for name in ERRORS], "what") < 1e300).mean()
    why = "powers of random factors stay in range"
    return Evidence(
        sound=[at_least("fraction of finite numbers", finite, 1, key="finite", why=why)],
        holds=[
            at_most(
                "relative error of the gradients of all factors, maximum",
                gradients.max(skipna=False),
                1e-11,
                key="gradients",
                why="rounding error times the condition number of a product of a few factors",
            ),
            at_most(UPDATE, updates.max(skipna=False), 1e-13, key="updates", why="rounding error"),
        ],
    )


def draw(data) -> Drawing:
    """Relative errors against the depth."""
    over = [axis for axis in data.apart.dims if axis != "depth"]
    law, wrong = (np.maximum(data[part].max(over).values, 1e-17) for part in ("apart", "untransposed"))
    return one_panel(
        [
            Points("as in the lemma", data.depth.values, law),
            Points("without transposes", data.depth.values, wrong, role="control"),
            Rule("rounding error", 2.2e-16),
        ],
        Axis("factors $L$"),
        log_axis("relative distance from automatic differentiation"),
        caption="Gradients of the factors of a product, by the lemma and by automatic differentiation: the maximum over trials.",
    )


CLAIM = Claim(
    id="beyond_l2/lemma_d_14",
    kind="lemma",
    title="Gradients of the factors of a product",
    says=r"The gradient of $g(A_1\cdots A_L)$ in $A_k$ is $(A_1\cdots A_{k-1})^\top\nabla g(A)(A_{k+1}\cdots A_L)^\top$; for "
    "two factors, entrywise, one update with weight decay changes $b=B_1B_2$ and $c=B_1^2+B_2^2$ by closed formulas.",
    source="beyond_l2, lemma D.14",
    simulation=Simulation(
        simulate,
        params=[
            Param("depth", (2, 4), (2, 3, 4, 8), smoke=(3,), low=2, high=20, unit="factors", static=True),
            Param("weight_decay", (0.0, 0.3), smoke=(0.3,), low=0.0, high=10.0, unit=r"$\beta_2$"),
            Param("learning_rate", (0.01, 0.3), smoke=(0.3,), low=1e-6, high=1.0, unit=r"$\alpha$"),
            Param("rows", 5, 30, low=1, high=200, unit="rows", static=True),
            Param("cols", 4, 20, low=1, high=200, unit="columns", static=True),
            Param("width", 6, 40, low=1, high=200, unit="of inner factors", static=True),
        ],
        returns=dict.fromkeys(ERRORS, ""),
    ),
    judge=judge,
    draw=draw,
    constants={"exact": True},
    aliases=("gradient_identities",),
    controls=[Control(r"without transposes, and to first order in $\alpha$", {"exact": False}, ("gradients", "updates"))],
    seconds={"quick": 6, "paper": 20},
)
