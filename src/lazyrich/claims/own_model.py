"""The two phases checked on a user's model: the hypotheses are measured first, and reported where they are violated."""

import time
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from ..errors import BadInput
from ..lab.simulations.two_phases import Posed
from ..lab.simulations.two_phases import hypotheses as measured
from ..models import outputs, parameters, tangent
from ..predictors import KernelMaxMargin
from ..problems import Split
from . import two_phases
from .base import Evidence, Reading, at_most
from .judge import Result, check

# Features at most this far apart, over the longest, count as equal.
SAME = 1e-9


def check_model(init: Any, data: Split, *, changes: Mapping[str, Any] | None = None) -> Result:
    """Check whether a model goes through the two phases on these data; inconclusive where the theorems do not apply.

    Assumes: one output, labels -1 and +1, parameters in double precision. Source: lyu2024, theorems 3.4 and 3.5.
    """
    begins = time.perf_counter()
    _require(init, data)
    claim = two_phases.of(init, data)
    params = claim.resolve("quick", changes)
    rows = np.asarray(data.y)[:, None] * np.asarray(tangent.features(init, data.x))
    sound, faults = _hypotheses(init, data, rows)
    if not faults:
        result, twice = check(claim, changes=changes), _pairs(rows, 1)
        note = f"; the same features, counted twice, at samples {', '.join(twice)}" if twice else ""
        return replace(result, reason=result.reason + note)
    return Result(
        claim=claim,
        id=claim.id,
        size="quick",
        seed=0,
        params=params.shown(),
        verdict="inconclusive",
        reason="; ".join(faults),
        evidence=Evidence(sound=sound),
        seconds=time.perf_counter() - begins,
    )


def _require(init: Any, data: Split) -> None:
    """Refuse what cannot be checked."""
    import jax
    import jax.numpy as jnp

    if not isinstance(data, Split) or data.y.ndim != 1 or not bool(jnp.all(jnp.abs(data.y) == 1)):
        raise BadInput(
            needed="check_model takes a Split with labels -1 and +1",
            given=f"a {type(data).__name__}" + (f" with labels of shape {data.y.shape}" if hasattr(data, "y") else ""),
            cure="Give lz.Split(x, y) with one label a sample.",
        )
    kinds = {part.dtype.name for part in (*jax.tree.leaves(parameters(init)), data.x)}
    if kinds != {"float64"}:
        raise BadInput(
            needed="check_model needs parameters in double precision",
            given=f"parameters and inputs of {', '.join(sorted(kinds))}",
            cure='Call jax.config.update("jax_enable_x64", True) before the model is made.',
        )
    if tangent.Sizes.of(init, data.x).outputs:
        raise BadInput(
            needed="check_model takes a model whose output is one number",
            given=f"outputs of shape {outputs(init, data.x[:1]).shape[1:]}",
            cure="Return one number for each input, say out[0].",
        )


def _hypotheses(init: Any, data: Split, rows: np.ndarray) -> tuple[list[Reading], list[str]]:
    """The sanity checks of the theorems' assumptions, and in words which are violated."""
    found = {name: float(value) for name, value in measured(Posed(data, init)).items()}
    degree, zero = two_phases.hypotheses(**found)[:2], two_phases.hypotheses(**found)[2]
    faults = []
    least, largest = found["least_degree"], found["largest_degree"]
    if not degree[0].ok:
        faults.append(f"the model is not homogeneous: measured degrees from {least:.4g} to {largest:.4g}")
    elif not degree[1].ok:
        faults.append(f"the model has degree {least:.4g}, and the theorems need 2 or more")
    if not zero.ok:
        faults.append(
            f"the output at initialization is not zero: {zero.value:.3g} of its longest gradient (models.Doubled.of and "
            "models.Difference.of make it zero)"
        )
    kernel = KernelMaxMargin(init).solve(data)
    missing = 0.0 if kernel.ok else 1.0
    apart = at_most(
        "tangent features that do not separate the classes",
        missing,
        0,
        key="separable",
        why="without a margin there is no kernel regime",
    )
    if not kernel.ok:
        faults.append(f"the tangent features at initialization do not separate the classes{_culprits(rows)}")
    return [*degree, zero, apart], faults


def _culprits(rows: np.ndarray) -> str:
    """The samples without a gradient, and pairs with equal features and different labels."""
    silent = [str(at) for at in np.flatnonzero(np.linalg.norm(rows, axis=1) <= _near(rows))]
    words = [f"no gradient at sample {', '.join(silent)}"] if silent else []
    pairs = _pairs(rows, -1)
    words += [f"the same features with other labels at samples {', '.join(pairs)}"] if pairs else []
    return ": " + "; ".join(words) if words else ""


def _pairs(rows: np.ndarray, sign: int) -> list[str]:
    """The pairs of rows that are equal up to a sign; zero rows are left out."""
    square, near = (rows**2).sum(axis=1), _near(rows)
    # Sums of squares lose half of the digits: they find candidate pairs, whose features are then compared themselves.
    close = square[:, None] + square - 2 * sign * rows @ rows.T <= 1e-6 * square.max()
    found = [(i, j) for i, j in np.argwhere(np.triu(close, 1)) if square[i] > near**2]
    return [f"{i} and {j}" for i, j in found if np.linalg.norm(rows[i] - sign * rows[j]) <= near]


def _near(rows: np.ndarray) -> float:
    return SAME * float(np.linalg.norm(rows, axis=1).max())
