"""How far the tangent kernel and the tangent features have turned from where they were."""

from ..models import tangent
from ..types import Array, Float, Scalar


def kernel_drift(model, x: Float[Array, "n ..."], k0: Float[Array, "..."]) -> Scalar:
    r"""$1 - \langle K_0, K\rangle/(\|K_0\|\|K\|)$ with $K$ the model's tangent kernel on $x$: 0 while it stays lazy.

    `k0` is the kernel of the initialization, `tangent.kernel(init, x)`, made once; then
    `read={"drift": lambda model: kernel_drift(model, x, k0)}`. Blind to scale, so weight decay alone does not move it.
    Source: woodworth2020, figure 6.
    """
    return tangent.kernel_distance(k0, tangent.kernel(model, x))


def feature_drift(model, x: Float[Array, "n ..."], j0: Float[Array, "n ... p"]) -> Scalar:
    """The gradient distance from the features `j0` of the initialization, `tangent.features(init, x)`."""
    return tangent.feature_distance(j0, tangent.features(model, x))


def example_drift(model, x: Float[Array, "n ..."], j0: Float[Array, "n ... p"]) -> Scalar:
    """The mean over examples of the cosine distance of their features from those of the initialization."""
    return tangent.example_distance(j0, tangent.features(model, x))
