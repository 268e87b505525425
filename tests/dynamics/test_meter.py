"""The costs of a run: every evaluation and every product, also of steps that were thrown away."""

import diffrax as dfx
import jax
import jax.numpy as jnp
import pytest
from jax.experimental import io_callback

from lazyrich.dynamics.chebyshev import Chebyshev
from lazyrich.dynamics.meter import Cost, Estimate, Meter, metered, report, spent
from lazyrich.errors import BadInput

SCALES = jnp.array([1.0, 30.0, 900.0])


class Counted:
    """A field that tells the host each time it is evaluated or multiplied by."""

    def __init__(self):
        self.evaluations, self.products = 0, 0
        self.field = jax.custom_jvp(self.expected)
        self.field.defjvp(self.product)

    def plain(self, t, y):
        # It turns faster and faster: steps that fitted are rejected later.
        return -SCALES * (y - jnp.cos(t**3))

    def count(self, name):
        setattr(self, name, getattr(self, name) + 1)

    def expected(self, t, y):
        io_callback(lambda: self.count("evaluations"), None, ordered=True)
        return self.plain(t, y)

    def product(self, primals, tangents):
        io_callback(lambda: self.count("products"), None, ordered=True)
        return jax.jvp(self.plain, primals, tangents)


def test_it_counts_what_was_done():
    counted = Counted()
    control = dfx.ClipStepSizeController(dfx.PIDController(rtol=1e-4, atol=1e-4), step_ts=jnp.linspace(0, 3, 7))
    solver, control = metered(Chebyshev(), control)
    path = dfx.diffeqsolve(
        dfx.ODETerm(lambda t, y, _: counted.field(t, y)),
        solver,
        0.0,
        3.0,
        None,
        jnp.ones(3),
        stepsize_controller=control,
        saveat=dfx.SaveAt(t1=True, controller_state=True),
    )
    jax.effects_barrier()
    assert path.stats["num_rejected_steps"] > 5
    assert spent(path) == (counted.evaluations, counted.products)


@pytest.fixture(scope="module")
def error():
    return report({"a": jnp.ones(2), "b": jnp.zeros(())}, Cost(7, 2))


def test_a_plain_controller_sees_the_error_alone(error):
    control = dfx.PIDController(rtol=1.0, atol=1.0)
    y = {"a": jnp.zeros(2), "b": jnp.zeros(())}
    _, state = control.init(dfx.ODETerm(lambda t, y, args: y), 0.0, 1.0, y, 0.1, None, None, 3)
    bare = jax.tree.map(lambda part: part, error)
    bare["a"] = bare["a"].error
    seen = [control.adapt_step_size(0.0, 0.1, y, y, None, kind, 3, state)[2] for kind in (error, bare)]
    assert isinstance(error["a"], Estimate) and seen[0] == seen[1]


def test_the_meter_passes_on_the_error_and_keeps_the_cost(error):
    y = {"a": jnp.zeros(2), "b": jnp.zeros(())}
    inner = dfx.PIDController(rtol=1.0, atol=1.0)
    meter = Meter(inner).wrap(1)
    begun, state = meter.init(dfx.ODETerm(lambda t, y, args: y), 0.0, 1.0, y, 0.1, None, None, 3)
    assert begun == pytest.approx(0.1) and state.cost == (1, 0)
    keep, *_, state, _ = meter.adapt_step_size(0.0, 0.1, y, y, None, error, 3, state)
    keep, *_, state, _ = meter.adapt_step_size(0.0, 0.1, y, y, None, report(y, Cost(5, 0)), 3, state)
    assert keep and state.cost == (13, 2)


def test_solvers_that_report_nothing_are_refused():
    with pytest.raises(BadInput, match="controller_state=True"):
        spent(dfx.diffeqsolve(dfx.ODETerm(lambda t, y, args: -y), Chebyshev(metered=True), 0.0, 1.0, 0.1, jnp.ones(1)))
    with pytest.raises(BadInput, match="Tsit5"):
        metered(dfx.Tsit5(), dfx.ConstantStepSize())
    with pytest.raises(BadInput, match="plain error"):
        dfx.diffeqsolve(
            dfx.ODETerm(lambda t, y, args: -y),
            dfx.Tsit5(),
            0.0,
            1.0,
            0.1,
            jnp.ones(1),
            stepsize_controller=Meter(dfx.PIDController(rtol=1e-3, atol=1e-3)),
        )
