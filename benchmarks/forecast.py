"""How well forecasts hold: made for drawn trainings, kept in a file, and only then compared with the runs themselves.

    python benchmarks/forecast.py predict docs/forecast/held_out.json --seed 1000        # forecasts, no training
    python benchmarks/forecast.py run docs/forecast/held_out.json                    # trains each, as far as it is not done
    python benchmarks/forecast.py collapse docs/forecast/held_out.json               # larger scales from one run at alpha = 4
    python benchmarks/forecast.py cost docs/forecast/held_out.json                   # the largest, beside its training

Both go on where they were stopped. `--seed 0` are the draws that the widths of the intervals were taken from.
"""

import argparse
import json
import os
import pathlib
import time

from lazyrich.lab.machine import prepare

prepare()

import diffrax as dfx  # noqa: E402
import jax.numpy as jnp  # noqa: E402
import jax.random as jr  # noqa: E402
import numpy as np  # noqa: E402

import lazyrich as lz  # noqa: E402
from lazyrich.forecast import pilot  # noqa: E402
from lazyrich.forecast.forecast import forecast  # noqa: E402
from lazyrich.forecast.transition import seen  # noqa: E402
from lazyrich.inits import gaussian, he_pairs  # noqa: E402
from lazyrich.lab.simulations.power_nets import begin as power_net  # noqa: E402
from lazyrich.models.homogeneity import rescaled  # noqa: E402

# Families: how many flows, descents, runs with momentum, AdamW and Adam of each.
COUNTS = {
    "diagonal 2": (30, 14, 12, 8, 8),
    "diagonal 3": (22, 10, 0, 0, 0),
    "diagonal 4": (16, 0, 0, 0, 0),
    "diagonal 2, regression": (24, 8, 0, 0, 0),
    "diagonal 3, regression": (14, 0, 0, 0, 0),
    "Hadamard, regression": (22, 8, 8, 0, 0),
    "quadratic": (22, 10, 8, 6, 0),
    "squared ReLU": (18, 8, 0, 0, 0),
    "ReLU": (18, 8, 0, 0, 0),
    "factorization": (22, 6, 0, 0, 0),
    "modular addition": (8, 0, 0, 0, 0),
    "modular addition, p = 23": (6, 0, 0, 0, 0),
}
OPTIMIZERS = ("flow", "descent", "momentum", "adamw", "adam")
# Learning rates of the optimizers of optax: one each, so that one program serves all runs.
RATES = {"momentum": 2e-3, "adamw": 1e-2, "adam": 1e-2}
# A descent's learning rate times the sharpness at initialization.
EDGE = 0.5
# Of each, so many for the widths.
CALIBRATION = 10
# The families whose larger initializations are predicted from one run, with a weight decay each, and the scales.
COLLAPSED = {
    "diagonal 2": 1e-2,
    "diagonal 3": 1e-2,
    "diagonal 2, regression": 1e-2,
    "Hadamard, regression": 1e-2,
    "quadratic": 3e-3,
    "squared ReLU": 3e-3,
    "factorization": 1e-2,
}
LARGER = (64.0, 512.0, 4096.0)
# Past log(alpha)/(weight decay), in units of 1/(weight decay).
AFTER = 10.0


def problem_of(family: str, key):
    """A problem, an initialization of scale one, and a loss."""
    one, two = jr.split(key)
    if "diagonal" in family or "Hadamard" in family:
        d, n = 60, 24
        if "regression" in family:
            problem = lz.problems.sparse_recovery(one, n=n, d=d, sparsity=2, test=400)
        elif bool(jr.bernoulli(jr.fold_in(key, 7), 0.6)):
            problem = lz.problems.sparse_classification(one, n=n, d=d, sparsity=3, test=1000)
        else:
            problem = lz.problems.margin_classification(one, n=n, d=d, gap=1.5, test=1000)
        made = (
            lz.models.HadamardNet.zero_first(1.0, dim=d, depth=2)
            if "Hadamard" in family
            else lz.models.DiagonalNet.at_scale(1.0, dim=d, depth=int(family.split()[1][0]))
        )
        loss = lz.losses.Squared() if "regression" in family else lz.losses.Logistic()
        return problem.train, problem.test, made, loss
    if family == "factorization":
        problem = lz.problems.low_rank_matrix(one, d=8, rank=1, train_fraction=0.5)
        return problem.train, problem.test, lz.models.SymmetricNet.at_scale(1.0, dim=8), lz.losses.Squared()
    if family.startswith("modular addition"):
        modulus, width, share = (23, 64, 0.9) if "23" in family else (11, 24, 0.85)
        problem = lz.problems.modular_addition(one, modulus=modulus, train_fraction=share)
        net = he_pairs(two, symbols=modulus, width=width, silent=True)
        return problem.train, problem.test, net, lz.losses.CrossEntropy()
    d, n, width = 8, 40, 12
    x, fresh = jr.normal(one, (n, d)), jr.normal(jr.fold_in(one, 1), (1000, d))
    train, test = (lz.Split(part, jnp.sign(part[:, 0] * part[:, 1])) for part in (x, fresh))
    if family == "ReLU":
        blank = lz.models.ReluNet.at_zero((d, width, 1))
        net = lz.models.Doubled.of(gaussian(two, blank, scale=(d**-0.5, width**-0.5)))
    else:
        net = power_net(two, d=d, degree=3, width=width, rectified=int(family == "squared ReLU"))
    return train, test, net, lz.losses.Logistic()


def drawn(seed: int):
    """All cases: family, optimizer, number, scale and weight decay, one in four of them where nothing should happen."""
    for family, counts in COUNTS.items():
        for optimizer, count in zip(OPTIMIZERS, counts, strict=True):
            for number in range(count if seed else min(count, CALIBRATION)):
                rng = np.random.default_rng([seed, list(COUNTS).index(family), OPTIMIZERS.index(optimizer), number])
                deep = family.split(",")[0] in ("diagonal 3", "diagonal 4", "quadratic", "squared ReLU")
                stiff = "regression" in family or family == "factorization"
                top = 256.0 if optimizer == "flow" else 3.0 if stiff else 2.5 if deep else 6.0
                kind = rng.choice(["usual", "small", "heavy", "none"], p=[0.75, 0.1, 0.08, 0.07])
                alpha = float(np.exp(rng.uniform(np.log(1.5), np.log(top))))
                weight_decay = float(np.exp(rng.uniform(np.log(3e-3), np.log(3e-2))))
                weight_decay = (
                    max(weight_decay, 1e-2) if optimizer == "descent" else weight_decay
                )  # or steps are counted in millions
                if family.startswith("modular addition"):
                    alpha, weight_decay = min(alpha, 16.0), weight_decay / (30 if "23" in family else 10)
                alpha = float(rng.uniform(0.05, 0.3)) if kind == "small" else alpha
                weight_decay = {"heavy": float(rng.uniform(0.5, 2.0)), "none": 0.0}.get(str(kind), weight_decay)
                yield {"family": family, "optimizer": optimizer, "number": number, "kind": str(kind)} | {
                    "alpha": alpha,
                    "weight_decay": weight_decay,
                }


def training(case: dict, seed: int):
    """Objective, initialization and test data of a case."""
    key = jr.fold_in(jr.key(seed), list(COUNTS).index(case["family"]) * 1000 + case["number"])
    train, test, net, loss = problem_of(case["family"], key)
    penalties = [(lz.regularizers.L2(), case["weight_decay"])]
    objective = lz.Objective(train, loss, reduction="mean", penalties=penalties)
    return objective, rescaled(net, case["alpha"]), test


def horizon(case: dict) -> float:
    """How long the run is, in flow time."""
    return (max(np.log(case["alpha"]), 0.0) + AFTER) / (case["weight_decay"] or 1e-2)


def predict(case: dict, seed: int) -> dict:
    """The forecast of a case; a descent's learning rate is chosen here, by the sharpness at initialization."""
    objective, init, test = training(case, seed)
    name, learning_rate = case["optimizer"], RATES.get(case["optimizer"])
    if name == "descent":
        learning_rate = EDGE / float(lz.dynamics.edge(objective, 1.0)(init))
    began = time.process_time()
    found = forecast(
        objective, init, test=test, optimizer=None if name == "flow" else name, learning_rate=learning_rate
    ).as_json()
    cost = time.process_time() - began
    keep = {name: found[name] for name in ("will_switch", "reason", "switch", "details")}
    levels = {name: found[name]["test_error"] for name in ("early", "late")}
    return {"learning_rate": learning_rate, "predicted": keep | levels, "cost_cpu": cost}


def train(case: dict, seed: int) -> dict:
    """The run of a case, and the transition in its curves."""
    objective, init, test = training(case, seed)
    until, name = horizon(case), case["optimizer"]
    if name == "flow":
        dynamics, when, per = pilot.flow(objective, init), pilot.moments(until), 1.0
    else:
        per = {"momentum": 10 * (case["learning_rate"] or 1.0)}.get(name, case["learning_rate"])
        when = pilot.counts(until / per)
        dynamics = (
            lz.dynamics.GradientDescent(jnp.asarray(case["learning_rate"]))
            if name == "descent"
            else pilot.adaptive(name, case["learning_rate"])
        )
    began = time.process_time()
    first, second, finite = pilot.run(dynamics, objective, init, when, test)
    measure = measured_by(objective)
    count = int(test.y.shape[0])
    least = max(0.05, 1.0 / count**0.5) if measure == "accuracy" else 0.05
    found = seen(when, first, second, measure, least=least)
    values = {name: float(getattr(found, name)) for name in ("fit", "early", "late", "time")}
    values = {name: value if np.isfinite(value) else None for name, value in values.items()}
    return {"seen": values | {"lost": found.lost, "finite": finite}, "run_cpu": time.process_time() - began}


def collapse(seed: int) -> list[dict]:
    """When a run from alpha = 4 switches in each family, and with the logarithm added, when those from larger scales do."""
    rows = []
    for family, weight_decay in COLLAPSED.items():
        first, larger = None, []
        for alpha in (4.0, *LARGER):
            case = {"family": family, "optimizer": "flow", "number": 0, "alpha": alpha, "weight_decay": weight_decay}
            objective, init, test = training(case, seed)
            close = lz.dynamics.GradientFlow(dfx.Tsit5(), 1e-9, 1e-10, max_steps=400_000, reduce=None, land=False)
            dynamics = close if family in ("quadratic", "squared ReLU", "diagonal 3") else pilot.flow(objective, init)
            when = pilot.moments(horizon(case))
            found = seen(when, *pilot.run(dynamics, objective, init, when, test)[:2], measured_by(objective))
            first = found.time if first is None else first
            print(family, alpha, weight_decay * found.time - np.log(alpha), found, flush=True)
            if alpha > 4:
                seen_at = found.time if found.switched else None
                predicted = first + float(np.log(alpha / 4)) / weight_decay
                larger.append({"alpha": alpha, "predicted": predicted, "seen": seen_at})
        rows.append({"family": family, "weight_decay": weight_decay, "first": first, "larger": larger})
    return rows


def cost(seed: int) -> dict:
    """A forecast of the largest size, twice (the first compiles), and the descent that it predicts, timed over some steps."""
    n, d, alpha, weight_decay, timed = 200, 4_000, 4.0, 1e-2, 1_000
    problem = lz.problems.sparse_classification(jr.key(seed), n=n, d=d, sparsity=3, test=1000)
    objective = lz.Objective(
        problem.train, lz.losses.Logistic(), reduction="mean", penalties=[(lz.regularizers.L2(), weight_decay)]
    )
    init = lz.models.DiagonalNet.at_scale(alpha, dim=d)
    learning_rate = EDGE / float(lz.dynamics.edge(objective, 1.0)(init))
    spent = []
    for _ in range(2):
        began = time.process_time()
        found = forecast(objective, init, test=problem.test, optimizer="descent", learning_rate=learning_rate)
        spent.append(time.process_time() - began)
    steps, descent = (
        horizon({"alpha": alpha, "weight_decay": weight_decay}) / learning_rate,
        lz.dynamics.GradientDescent(jnp.asarray(learning_rate)),
    )
    for _ in range(2):  # the first compiles
        began = time.process_time()
        descent.run(objective, init, np.array([0, timed]), read={"loss": objective}).reads["loss"].block_until_ready()
        each = (time.process_time() - began) / timed
    training_cpu = each * steps
    return {
        "says": f"a diagonal net of {d:,} inputs and {n} samples, alpha = {alpha:g}, weight decay = {weight_decay:g}, "
        f"learning rate {learning_rate:.2g}",
        "first_cpu": spent[0],
        "forecast_cpu": spent[1],
        "training_cpu": training_cpu,
        "steps": steps,
        "timed": timed,
        "share": spent[1] / training_cpu,
        "first_share": spent[0] / training_cpu,
        "middle": found.switch.middle if found.switch else None,
    }


def measured_by(objective) -> str:
    """The measure of the test."""
    return "error" if isinstance(objective.loss, lz.losses.Squared) else "accuracy"


def main() -> None:
    """Read the file, do what is missing, and keep it after every case."""
    words = argparse.ArgumentParser(description=__doc__)
    words.add_argument("what", choices=("predict", "run", "collapse", "cost"))
    words.add_argument("file", type=pathlib.Path)
    words.add_argument("--seed", type=int, default=1000)
    words.add_argument("--family", help="only this one")
    given = words.parse_args()
    kept = json.loads(given.file.read_text()) if given.file.exists() else {"seed": given.seed, "cases": []}
    seed, began = kept["seed"], time.process_time()
    if given.what in ("collapse", "cost"):
        kept[given.what] = collapse(seed) if given.what == "collapse" else cost(seed)
        _keep(given.file, kept)
        return
    known = {(c["family"], c["optimizer"], c["number"]): c for c in kept["cases"]}
    todo = drawn(seed) if given.what == "predict" else list(kept["cases"])
    for case in todo:
        name = (case["family"], case["optimizer"], case["number"])
        if given.family not in (None, case["family"]) or (given.what == "predict") == (
            name in known and "predicted" in known[name]
        ):
            continue
        if given.what == "run" and "seen" in case:
            continue
        try:
            found = predict(case, seed) if given.what == "predict" else train(case, seed)
        except lz.errors.BadInput as error:
            found = {"refused": str(error)}
        if given.what == "predict":
            kept["cases"].append(case | found)
        else:
            case.update(found)
        _keep(given.file, kept)
        print(*name, case["kind"], json.dumps(found)[:200], flush=True)
    print(f"{time.process_time() - began:.0f} s of CPU, load {os.getloadavg()[0]:.1f}")


def _keep(file: pathlib.Path, kept: dict) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    fresh = file.with_suffix(".new")
    rest = json.dumps({name: value for name, value in kept.items() if name != "cases"})
    rows = ",\n".join(json.dumps(case) for case in kept["cases"])
    fresh.write_text(f'{rest[:-1]}, "cases": [\n{rows}\n]}}\n')
    fresh.replace(file)


if __name__ == "__main__":
    main()
