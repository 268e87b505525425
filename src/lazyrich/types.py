"""Shape words for all modules.

Axis words: `n` samples, `d` inputs, `p` parameters, `t` saved times, `s` seeds, `k` classes or patterns.
"""

from jaxtyping import Array, Bool, Float, Int, PRNGKeyArray, PyTree

Scalar = Float[Array, ""]
Key = PRNGKeyArray

__all__ = ["Array", "Bool", "Float", "Int", "Key", "PyTree", "Scalar"]
