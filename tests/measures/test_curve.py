import jax
import jax.numpy as jnp
import jaxtyping
import pytest

from lazyrich.errors import BadInput
from lazyrich.measures import Curve


def test_a_curve_keeps_its_name_through_jit():
    curve = jax.jit(lambda values: Curve(jnp.arange(3.0), values, "loss"))(jnp.ones(3))
    assert curve.name == "loss"


def test_one_value_a_time(monkeypatch):
    monkeypatch.setattr(jaxtyping.config, "jaxtyping_disable", True)  # as users run it, without our shape checks
    for times, values in (((3,), (2,)), ((3, 1), (3, 1)), ((), ())):
        with pytest.raises(BadInput, match="the curve 'loss' takes one value for each time"):
            Curve(jnp.ones(times), jnp.ones(values), "loss")
