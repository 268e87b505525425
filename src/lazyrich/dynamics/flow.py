"""Gradient flow, with error control."""

from typing import Any, Literal, NamedTuple

import diffrax as dfx
import equinox as eqx
import jax
import jax.numpy as jnp

from ..errors import BadInput
from ..losses import Squared
from ..numerics.values import concrete
from ..objective import Objective
from ..types import Array, Bool, Float, Int, Scalar
from .base import AbstractSegmented, Read, Stop, moments, readings, unpack
from .chebyshev import Chebyshev
from .forms import AbstractForm, PlainForm
from .meter import metered, spent
from .reduced import reduced_form
from .sharpness import fastest
from .trajectory import Outcome, Trajectory

# An implicit step solves a dense system of the size of the state: beyond this it costs more than it saves.
_IMPLICIT_LIMIT = 1_000
# Relative and absolute tolerance where none is given, chosen so that reduced and plain flows of nets of depth 2 to 4 agree
# to 1e-8: late in the flow of a deep net, errors of the reduced state reach the weights multiplied by a thousand.
_EXPLICIT = (1e-11, 1e-13)
_IMPLICIT = (1e-9, 1e-11)
# A method of second order: ten times the accuracy costs three times the work.
_STABILIZED = (1e-4, 1e-6)
# A flow is stiff when its fastest rate times its length exceeds this: an explicit method then takes so many steps for
# stability alone.
_STIFF = 1e4
# A reduction whose weights are not good to this is of no use, unless so coarse a tolerance was asked for: then it may
# lose one digit of it.
_LOST = 1e-3


class FlowCarry(NamedTuple):
    """What one segment of a flow hands to the next: clock, state, the outcome's code, and the steps so far."""

    clock: Scalar
    state: Any
    code: Int[Array, ""]
    steps: Int[Array, ""]

    @property
    def over(self) -> Bool[Array, ""]:
        """Whether a rule or a failure has ended the run."""
        return self.code != Outcome.END


class GradientFlow(AbstractSegmented):
    r"""$\dot\theta = -\nabla_\theta\mathcal L(\theta)$.

    `reduce="auto"` follows fewer numbers where an exact reduction exists and says so in the outcome; `None`
    (or False) never does; `True` refuses to run where none exists. Without a `solver`, the squared loss gets an
    implicit one (Kvaerno5) up to a thousand unknowns, unless its reduction is not stiff; everything else gets an
    explicit one (Tsit5). Without tolerances, weights are right to about 1e-8. `land` makes the solver step exactly
    onto the moments asked for; without it readings are interpolated between steps, which is cheaper and as accurate
    as the solver's interpolant.
    """

    solver: dfx.AbstractSolver | None = None
    rtol: float | None = None
    atol: float | None = None
    max_steps: int = 100_000
    reduce: Literal["auto", True, False] | None = eqx.field(static=True, default="auto")
    land: bool = eqx.field(static=True, default=True)

    def run(self, objective: Objective, init: Any, when: Any, read: Read | None = None, stop: Stop | None = None) -> Trajectory:
        """Follow the flow and read the model at the times `when`."""
        times = moments(when, "GradientFlow").astype(float)
        form = self._form(objective, init)
        solver = self.solver or _default_solver(objective, form, form.clock(times))
        return self.follow(form, solver, times, read, stop, cost=objective)

    def follow(
        self,
        form: AbstractForm,
        solver: dfx.AbstractSolver,
        times: Float[Array, " t"],
        read: Read | None = None,
        stop: Stop | None = None,
        *,
        cost: Objective | None = None,
    ) -> Trajectory:
        """Follow a flow in the form it is written in, with these tolerances; `cost` is what should never rise."""
        solution = self._integrate(form, solver, times, read, stop, cost, form.clock(times[0]), form.state())
        path = _trajectory(times, form, solution, read, solver, self._tolerances(solver)[0])
        if cost is None:
            return path
        return eqx.tree_at(lambda p: p.certificates, path, path.certificates | {"rise": _rise(solution)})

    def begin(self, objective: Objective, init: Any) -> "FlowCarry":
        """The clock and the state at time 0."""
        form = self._form(objective, init)
        return FlowCarry(form.clock(jnp.zeros(())), form.state(), jnp.asarray(Outcome.END), jnp.asarray(0))

    def advance(
        self, objective: Objective, init: Any, carry: "FlowCarry", when: Any, read: Read | None, stop: Stop | None
    ) -> tuple["FlowCarry", dict[str, Any]]:
        """Go on from a carry to each of these times; the solver begins each segment with a step size of its own."""
        form, times = self._form(objective, init), jnp.asarray(when, float)
        solver = self.solver or _default_solver(objective, form, form.clock(times))
        solution = self._integrate(form, solver, times, read, stop, None, carry.clock, carry.state)
        path = _trajectory(times, form, solution, read, solver, self._tolerances(solver)[0])
        clock, state = _last(solution)
        return FlowCarry(clock, state, path.outcome.code, carry.steps + path.outcome.steps), path.reads

    def conclude(self, objective: Objective, init: Any, carry: "FlowCarry", last: Any):
        """The last model, how the run ended, and what certifies it."""
        form, (clock, state, code, steps) = self._form(objective, init), carry
        certificates = {"amplification": form.amplification(clock, state), **form.certificates(clock, state)}
        return (form.model(clock, state), Outcome(code, form.time(clock), steps, f"{form.how}, in segments"), certificates)

    def _integrate(self, form, solver, times, read, stop, cost, begin, state) -> dfx.Solution:
        """From a clock and a state to the last of the times."""
        clock = form.clock(times)
        counted, controller = _counted(solver, self._controller(solver, clock))

        def record(s, state, args):
            model = form.model(s, state)
            return readings(read, model), jnp.zeros(()) if cost is None else cost(model)

        return dfx.diffeqsolve(
            dfx.ODETerm(form.field),
            counted,
            t0=begin,
            t1=clock[-1],
            dt0=None,
            y0=state,
            saveat=dfx.SaveAt(subs=[dfx.SubSaveAt(ts=clock, fn=record), dfx.SubSaveAt(t1=True)], controller_state=True),
            stepsize_controller=controller,
            event=None if stop is None else dfx.Event(lambda s, state, args, **kw: stop(form.model(s, state))),
            max_steps=self.max_steps,
            throw=False,
        )

    def _form(self, objective: Objective, init: Any) -> AbstractForm:
        if not self.reduce:
            return PlainForm(objective=objective, init=init)
        found = reduced_form(objective, init)
        if isinstance(found, AbstractForm):
            return found
        if self.reduce is True:
            raise BadInput(
                needed="GradientFlow(reduce=True) needs a flow with an exact reduction",
                given=found,
                cure='Use reduce="auto" to fall back on the plain flow.',
            )
        return PlainForm(objective=objective, init=init)

    def _tolerances(self, solver: dfx.AbstractSolver) -> tuple[float, float]:
        stable = isinstance(solver, Chebyshev)
        rtol, atol = _STABILIZED if stable else _IMPLICIT if isinstance(solver, dfx.AbstractImplicitSolver) else _EXPLICIT
        return rtol if self.rtol is None else self.rtol, atol if self.atol is None else self.atol

    def _controller(self, solver: dfx.AbstractSolver, clock) -> dfx.AbstractStepSizeController:
        rtol, atol = self._tolerances(solver)
        control = dfx.PIDController(rtol=rtol, atol=atol)
        return dfx.ClipStepSizeController(control, step_ts=clock) if self.land else control


def _default_solver(objective: Objective, form: AbstractForm, clock: Float[Array, " t"]) -> dfx.AbstractSolver:
    """Implicit for few unknowns of a stiff form, stabilized for many where the flow is stiff, explicit otherwise."""
    state = form.state()
    size = sum(part.size for part in jax.tree.leaves(state))
    squared = isinstance(objective.loss, Squared)
    if size <= _IMPLICIT_LIMIT:
        return dfx.Kvaerno5() if form.stiff and squared else dfx.Tsit5()
    length = concrete(clock[-1])
    if length is None or any(concrete(part) is None for part in jax.tree.leaves(state)):
        return Chebyshev() if squared else dfx.Tsit5()  # inside a compiled program there are no numbers to look at
    rate = fastest(lambda y: form.field(clock[0], y, None), state)
    return Chebyshev() if float(rate) * float(length) > _STIFF else dfx.Tsit5()


def _trajectory(times, form: AbstractForm, solution, read: Read | None, solver, rtol) -> Trajectory:
    """The record: readings after a stop repeat the last one, after a failure they are NaN."""
    (saved, _), ((records, _), _) = solution.ts, solution.ys
    reached, last = _last(solution)
    end = form.model(reached, last)
    arrays = jax.tree.leaves((last, eqx.filter(end, eqx.is_inexact_array)))
    finite = jnp.stack([jnp.all(jnp.isfinite(part)) for part in arrays]).all()
    amplification = form.amplification(reached, last)
    stopped = solution.result == dfx.RESULTS.event_occurred
    code = jnp.select(
        [
            ~finite,
            ~(amplification < jnp.maximum(_LOST / rtol, 10.0)),
            dfx.is_successful(solution.result) & ~stopped,
            stopped,
            solution.result == dfx.RESULTS.max_steps_reached,
        ],
        [Outcome.NOT_FINITE, Outcome.LOST, Outcome.END, Outcome.STOPPED, Outcome.STEP_LIMIT],
        Outcome.NOT_FINITE,
    )
    missing = jnp.isinf(saved)

    def fill(part, final):
        late = jnp.where(code == Outcome.STOPPED, jnp.asarray(final, part.dtype), jnp.asarray(jnp.nan).astype(part.dtype))
        filled = jnp.where(missing.reshape((-1,) + (1,) * (part.ndim - 1)), late, part)
        return jnp.where(jnp.isfinite(filled) | (code != Outcome.NOT_FINITE), filled, jnp.nan).astype(part.dtype)

    records = jax.tree.map(fill, records, readings(read, end))
    models, reads = unpack(read, records, end)
    outcome = Outcome(code, form.time(reached), solution.stats["num_steps"], f"{form.how}, by {type(solver).__name__}")
    certificates = {"amplification": amplification, **form.certificates(reached, last), **_costs(solver, solution)}
    return Trajectory(times, models, reads, end, outcome, certificates)


def _last(solution: dfx.Solution) -> tuple[Any, Any]:
    """The clock and the state where it ended."""
    assert solution.ts is not None and solution.ys is not None
    (_, (reached,)), (_, last) = solution.ts, solution.ys
    return reached, jax.tree.map(lambda part: part[0], last)


def _rise(solution: dfx.Solution) -> Any:
    """The largest rise of the objective between two moments that were reached, as a share of its first value."""
    assert solution.ys is not None
    (_, costs), _ = solution.ys
    rises = jnp.where(jnp.isfinite(costs[1:]) & jnp.isfinite(costs[:-1]), jnp.diff(costs), 0.0)
    return jnp.maximum(jnp.max(rises), 0.0) / jnp.maximum(jnp.abs(costs[0]), jnp.finfo(costs.dtype).tiny)


def _counted(solver: dfx.AbstractSolver, controller: dfx.AbstractStepSizeController):
    """Solver and controller, adding up the cost where it differs from step to step."""
    return metered(solver, controller) if isinstance(solver, Chebyshev) else (solver, controller)


def _costs(solver: dfx.AbstractSolver, solution: dfx.Solution) -> dict[str, Any]:
    """Evaluations of the gradient, and products with the Hessian; an implicit solver's iterations are not counted."""
    steps = solution.stats["num_steps"]
    if isinstance(solver, Chebyshev):
        return spent(solution)._asdict()
    tableau = getattr(solver, "tableau", None)
    if isinstance(solver, dfx.AbstractERK) and isinstance(tableau, dfx.ButcherTableau):
        stages = tableau.c.size + 1 - tableau.fsal
        return {"evaluations": 1 + stages * steps, "products": 0 * steps}
    return {}
