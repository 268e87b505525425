"""The reduction is exact: at the smaller width the same flow leads through the same maps and Gram matrices."""

from typing import NamedTuple

import diffrax as dfx
import equinox as eqx
import jax
import jax.numpy as jnp
import jax.random as jr
import numpy as np
import pytest
from jax.flatten_util import ravel_pytree
from scipy.integrate import solve_ivp

from lazyrich.dynamics import GradientFlow, Outcome
from lazyrich.dynamics.reduced import reduced_form
from lazyrich.dynamics.reduced.linear_net import LinearNetForm
from lazyrich.errors import BadInput
from lazyrich.inits import balanced, bartlett, gaussian, orthogonal
from lazyrich.losses import Logistic, Squared
from lazyrich.models import DiagonalNet, LinearNet
from lazyrich.objective import Objective
from lazyrich.problems import Entries, Split
from lazyrich.regularizers import L1, L2

TIMES = np.array([0.0, 0.2, 1.0, 3.0])


class Case(NamedTuple):
    """Sizes, samples (entries of the matrix if marked so), the reduction, the weight decay and the loss."""

    d: int
    k: int
    h: int
    n: int
    reduction: object = "half_sum"
    weight_decay: float = 0.0
    loss: str = "squared"
    entries: bool = False


CASES = {
    "wide, inputs unseen": Case(5, 2, 30, 3),
    "wide, inputs unseen, decay": Case(5, 2, 30, 3, "mean", 0.1),
    "wide, all inputs seen": Case(3, 2, 20, 6, "sum", 0.05),
    "narrow": Case(5, 2, 4, 3, "half_sum", 0.1),
    "between": Case(5, 2, 6, 3, "mean"),
    "one output": Case(5, 1, 30, 3, "sum", 0.1),
    "logistic": Case(5, 2, 30, 3, "mean", 0.1, "logistic"),
    "entries": Case(4, 3, 20, 6, "sum", 0.0, "squared", True),
    "entries, decay": Case(4, 3, 20, 6, "mean", 0.1, "squared", True),
}


def posed(case: Case, seed: int = 0) -> tuple[Objective, LinearNet]:
    rng = np.random.default_rng(seed)
    if case.entries:
        places = rng.choice(case.d * case.k, case.n, replace=False)
        rows, cols = (jnp.asarray(part) for part in np.divmod(places, case.k))
        data = Entries(rows, cols, jnp.asarray(rng.standard_normal(case.n)), (case.d, case.k))
    else:
        answers = rng.standard_normal((case.n, case.k))
        answers = np.sign(answers) if case.loss == "logistic" else answers
        data = Split(jnp.asarray(rng.standard_normal((case.n, case.d))), jnp.asarray(answers))
    loss = Logistic() if case.loss == "logistic" else Squared()
    penalties = [(L2(), case.weight_decay)] if case.weight_decay else []
    init = LinearNet.at_zero(dim=case.d, outputs=case.k, width=case.h)
    return Objective(data, loss, reduction=case.reduction, penalties=penalties), gaussian(jr.key(seed), init, scale=case.h**-0.5)


def reference(case: Case, objective: Objective, init: LinearNet) -> tuple[np.ndarray, np.ndarray]:
    """The flow of every weight, written out in numpy and followed by scipy."""
    y, weight = np.asarray(objective.data.y), {"half_sum": 0.5, "mean": 1 / case.n, "sum": 1.0}[case.reduction]

    def force(product):
        if isinstance(objective.data, Entries):
            pull = np.zeros_like(product)
            np.add.at(
                pull, (objective.data.rows, objective.data.cols), 2 * (product[objective.data.rows, objective.data.cols] - y)
            )
            return weight * pull
        x = np.asarray(objective.data.x)
        f = x @ product
        return weight * x.T @ (2 * (f - y) if case.loss == "squared" else -y / (1 + np.exp(y * f)))

    def field(_, theta):
        z = theta.reshape(case.d + case.k, case.h)
        u, v = z[: case.d], z[case.d :]
        pull = force(u @ v.T)
        return -np.concatenate([pull @ v, pull.T @ u]).ravel() - case.weight_decay * theta

    theta = np.concatenate([init.u, init.v]).ravel()
    found = solve_ivp(field, (0, TIMES[-1]), theta, method="DOP853", t_eval=TIMES, rtol=1e-11, atol=1e-13)
    assert found.success
    z = found.y.T.reshape(len(TIMES), case.d + case.k, case.h)
    return z[:, : case.d], z[:, case.d :]


def followed(form: LinearNetForm):
    """The models of a form at TIMES, its field followed by scipy."""
    state = form.state()
    flat, back = ravel_pytree(state)

    @jax.jit
    def field(form, clock, flat):
        return ravel_pytree(form.field(clock, back(flat), None))[0]

    found = solve_ivp(
        lambda clock, flat: np.asarray(field(form, clock, flat)),
        (0, TIMES[-1]),
        np.asarray(flat),
        method="DOP853",
        t_eval=TIMES,
        rtol=1e-11,
        atol=1e-13,
    )
    assert found.success
    states = [back(jnp.asarray(column)) for column in found.y.T]
    return [form.model(jnp.asarray(time), state) for time, state in zip(TIMES, states, strict=True)], states


@pytest.mark.parametrize("case", CASES.values(), ids=CASES.keys())
def test_it_is_the_plain_flow(case):
    objective, init = posed(case)
    form = LinearNetForm.of(objective, init)
    models, states = followed(form)
    u, v = reference(case, objective, init)
    assert sum(part.size for part in jax.tree.leaves(form.state())) < init.u.size + init.v.size
    for index, net in enumerate(models):
        assert net.width == min(case.h, case.d + case.k)
        np.testing.assert_allclose(net.effective(), u[index] @ v[index].T, rtol=0, atol=1e-9)
        rows, all_rows = np.concatenate([net.u, net.v]), np.concatenate([u[index], v[index]])
        np.testing.assert_allclose(rows @ rows.T, all_rows @ all_rows.T, rtol=0, atol=1e-9)
        # The imbalance has the same spectrum but for zeros, and decays as a whole.
        levels = np.linalg.eigvalsh(net.u.T @ net.u - net.v.T @ net.v)
        first = np.linalg.eigvalsh(u[0].T @ u[0] - v[0].T @ v[0]) * np.exp(-2 * case.weight_decay * TIMES[index])
        first = first[np.sort(np.argsort(-np.abs(first))[: net.width])]
        np.testing.assert_allclose(levels, first, rtol=0, atol=1e-9)
    assert form.certificates(jnp.asarray(TIMES[-1]), states[-1])["imbalance_drift"] < 1e-10


def test_the_fundamental_matrix_keeps_the_signature_and_moves_every_unseen_part():
    case = CASES["wide, inputs unseen, decay"]
    objective, init = posed(case)
    form = LinearNetForm.of(objective, init)
    _, states = followed(form)
    time = TIMES[-1]
    psi = np.asarray(form.fundamental(jnp.asarray(time), states[-1]))
    signs = np.diag([-1.0] * case.k + [1.0] * case.n)
    np.testing.assert_allclose(psi.T @ signs @ psi, signs, rtol=0, atol=1e-9)
    np.testing.assert_allclose(np.linalg.det(psi), 1, rtol=1e-9)
    # Every weight, followed by scipy: the products with the unseen part of the first layer.
    assert isinstance(objective.data, Split)
    u, v = reference(case, objective, init)
    frame = np.asarray(form.frame)
    products = [np.concatenate([b, frame.T @ a]) @ (a - frame @ frame.T @ a).T for a, b in zip(u, v, strict=True)]
    np.testing.assert_allclose(products[-1], np.exp(-2 * case.weight_decay * time) * psi @ products[0], rtol=0, atol=1e-9)
    with pytest.raises(BadInput, match="a width of at least 5, the rows that move; got width 4"):
        narrow = LinearNetForm.of(*posed(CASES["narrow"]))
        narrow.fundamental(jnp.asarray(0.0), narrow.state())


def test_the_certificate_sees_an_error():
    objective, init = posed(CASES["wide, inputs unseen, decay"])
    form = LinearNetForm.of(objective, init)
    state = form.state()
    assert form.certificates(jnp.asarray(0.0), state)["imbalance_drift"] == 0
    off = eqx.tree_at(lambda net: net.u, state, state.u * (1 + 1e-4))
    assert form.certificates(jnp.asarray(0.0), off)["imbalance_drift"] > 1e-5
    assert form.certificates(jnp.asarray(1.0), state)["imbalance_drift"] > 1e-2


def test_the_flow_itself_compiled_and_mapped():
    case = Case(5, 2, 12, 3, "mean", 0.1)
    (objective, one), (_, other) = posed(case), posed(case, seed=1)
    starts = jax.tree.map(lambda *parts: jnp.stack(parts), other, one)
    paths = jax.jit(jax.vmap(lambda init: GradientFlow().run(objective, init, TIMES)))(starts)
    u, v = reference(case, objective, one)
    found = jnp.einsum("tdh,tkh->tdk", paths.models.u[1], paths.models.v[1])
    np.testing.assert_allclose(found, np.einsum("tdh,tkh->tdk", u, v), rtol=0, atol=1e-8)
    assert (paths.outcome.code == Outcome.END).all() and (paths.certificates["imbalance_drift"] < 1e-10).all()
    how = "exact reduction of a two-layer linear net of width 12 to 25 numbers, width compressed to 7, by Tsit5"
    assert paths.outcome.how == how


@pytest.mark.slow
@pytest.mark.parametrize("name", ["one output", "narrow", "entries, decay", "logistic"])
def test_beside_the_plain_flow_of_the_library(name):
    objective, init = posed(CASES[name])
    maps = [
        GradientFlow(solver=dfx.Tsit5(), reduce=reduce)
        .run(objective, init, TIMES, read={"map": LinearNet.effective})
        .reads["map"]
        for reduce in (True, None)
    ]
    np.testing.assert_allclose(*maps, rtol=0, atol=1e-8)


def test_one_input_and_one_output_in_closed_form():
    # With p = u v and d = u^2 - v^2 kept, p = (d/2) sinh(2 s) and ds/dt = y - p: min2021, section 3.
    y, level = 1.3, 0.8
    init = balanced(jr.key(0), jnp.full((1, 1), -0.2), width=9, imbalance=level)
    objective = Objective(Split(jnp.ones((1, 1)), jnp.full((1, 1), y)), Squared(), reduction="half_sum")
    models, _ = followed(LinearNetForm.of(objective, init))
    path = solve_ivp(
        lambda _, s: y - level / 2 * np.sinh(2 * s),
        (0, TIMES[-1]),
        [np.arcsinh(-0.4 / level) / 2],
        method="DOP853",
        t_eval=TIMES,
        rtol=1e-12,
        atol=1e-13,
    )
    expected = level / 2 * np.sinh(2 * path.y[0])
    np.testing.assert_allclose([net.effective()[0, 0] for net in models], expected, rtol=0, atol=1e-10)


def test_an_orthogonal_start_ends_at_the_least_norm():
    objective, init = posed(Case(5, 2, 30, 2))
    data = objective.data
    assert isinstance(data, Split)
    init = orthogonal(LinearNet(2 * init.u, 2 * init.v), data.x)
    path = GradientFlow().run(objective, init, jnp.array([0.0, 20.0]), read={"map": LinearNet.effective})
    assert path.outcome.how.endswith("by Tsit5")  # nothing stiff here that would pay for dense systems
    np.testing.assert_allclose(path.reads["map"][-1], np.linalg.pinv(data.x) @ data.y, rtol=0, atol=1e-8)


def test_ten_million_units_cost_what_seven_do():
    objective, _ = posed(CASES["wide, inputs unseen"])
    init = bartlett(jr.key(0), dim=5, outputs=2, width=10**7, scale=10**-3.5)
    form = LinearNetForm.of(objective, init)
    assert sum(part.size for part in jax.tree.leaves(form.state())) == 25
    np.testing.assert_allclose(form.model(jnp.asarray(0.0), form.state()).effective(), init.effective(), rtol=0, atol=1e-13)


NET = posed(CASES["wide, inputs unseen"])[1]
FAILING = {
    "model": (DiagonalNet.at_scale(0.5, dim=5), [], "the model is DiagonalNet, not a LinearNet"),
    "penalty": (NET, [(L2(), 0.1), (L1(), 0.1)], "a penalty is not L2"),
    "nothing to gain": (
        LinearNet(NET.u[:3, :5], NET.v[:, :5]),
        [],
        "the width is 5, not above d + k, and the data see every input",
    ),
}


@pytest.mark.parametrize(("init", "penalties", "why"), FAILING.values(), ids=FAILING.keys())
def test_what_has_no_reduction_is_refused_by_the_hypothesis_that_fails(init, penalties, why):
    data = Split(jnp.asarray(np.random.default_rng(0).standard_normal((3, len(init.u)))), jnp.ones((3, 2)))
    objective = Objective(data, Squared(), reduction="mean", penalties=penalties)
    assert LinearNetForm.why_not(objective, init) == why
    assert f"LinearNetForm: {why}" in str(reduced_form(objective, init))
    with pytest.raises(BadInput, match="needs a flow with an exact reduction"):
        GradientFlow(reduce=True).run(objective, init, [0.0, 1.0])
