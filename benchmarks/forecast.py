"""How well forecasts hold: said for drawn trainings, kept in a file, and only then compared with the runs themselves.

    python benchmarks/forecast.py say docs/forecast/held_out.json --seed 1000        # forecasts, no training
    python benchmarks/forecast.py run docs/forecast/held_out.json                    # trains each, as far as it is not done
    python benchmarks/forecast.py collapse docs/forecast/held_out.json               # larger starts from one run at alpha = 4
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
from lazyrich.inits import gaussian, he_pairs  # noqa: E402
from lazyrich.lab.forecast import forecast  # noqa: E402
from lazyrich.lab.forecasting import pilot  # noqa: E402
from lazyrich.lab.forecasting.switch import seen  # noqa: E402
from lazyrich.lab.settings.power_nets import begin as power_net  # noqa: E402
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
# Rates of the optimizers of optax: one each, so that one program serves all runs.
RATES = {"momentum": 2e-3, "adamw": 1e-2, "adam": 1e-2}
# A descent's rate times the sharpness of its start.
EDGE = 0.5
# Of each, so many for the widths.
CALIBRATION = 10
# The families whose larger starts are told from one run, with a decay each, and the scales.
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
# Past log(alpha)/decay, in units of one over it.
AFTER = 10.0


def posed(family: str, key):
    """A problem, a start of scale one, and a loss."""
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
        problem = lz.problems.low_rank_matrix(one, d=8, rank=1, share=0.5)
        return problem.train, problem.test, lz.models.SymmetricNet.at_scale(1.0, dim=8), lz.losses.Squared()
    if family.startswith("modular addition"):
        modulus, width, share = (23, 64, 0.9) if "23" in family else (11, 24, 0.85)
        problem = lz.problems.modular_addition(one, modulus=modulus, share=share)
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
    """All cases: family, optimizer, number, and the scale and decay, one in four of them where nothing should happen."""
    for family, counts in COUNTS.items():
        for optimizer, count in zip(OPTIMIZERS, counts, strict=True):
            for number in range(count if seed else min(count, CALIBRATION)):
                rng = np.random.default_rng([seed, list(COUNTS).index(family), OPTIMIZERS.index(optimizer), number])
                deep = family.split(",")[0] in ("diagonal 3", "diagonal 4", "quadratic", "squared ReLU")
                stiff = "regression" in family or family == "factorization"
                top = 256.0 if optimizer == "flow" else 3.0 if stiff else 2.5 if deep else 6.0
                kind = rng.choice(["usual", "small", "heavy", "none"], p=[0.75, 0.1, 0.08, 0.07])
                alpha = float(np.exp(rng.uniform(np.log(1.5), np.log(top))))
                decay = float(np.exp(rng.uniform(np.log(3e-3), np.log(3e-2))))
                decay = max(decay, 1e-2) if optimizer == "descent" else decay  # or steps are counted in millions
                if family.startswith("modular addition"):
                    alpha, decay = min(alpha, 16.0), decay / (30 if "23" in family else 10)
                alpha = float(rng.uniform(0.05, 0.3)) if kind == "small" else alpha
                decay = {"heavy": float(rng.uniform(0.5, 2.0)), "none": 0.0}.get(str(kind), decay)
                yield {"family": family, "optimizer": optimizer, "number": number, "kind": str(kind)} | {
                    "alpha": alpha,
                    "decay": decay,
                }


def training(case: dict, seed: int):
    """Objective, start, test of a case."""
    key = jr.fold_in(jr.key(seed), list(COUNTS).index(case["family"]) * 1000 + case["number"])
    train, test, net, loss = posed(case["family"], key)
    penalties = [(lz.regularizers.L2(), case["decay"])]
    goal = lz.Objective(train, loss, factor=lz.MEAN, penalties=penalties)
    return goal, rescaled(net, case["alpha"]), test


def horizon(case: dict) -> float:
    """How long the run is, in flow time."""
    return (max(np.log(case["alpha"]), 0.0) + AFTER) / (case["decay"] or 1e-2)


def say(case: dict, seed: int) -> dict:
    """The forecast of a case; a descent's rate is chosen here, by the sharpness of its start."""
    goal, start, test = training(case, seed)
    name, rate = case["optimizer"], RATES.get(case["optimizer"])
    if name == "descent":
        rate = EDGE / float(lz.dynamics.edge(goal, 1.0)(start))
    began = time.process_time()
    told = forecast(goal, start, test=test, optimizer=None if name == "flow" else name, rate=rate).as_json()
    cost = time.process_time() - began
    keep = {name: told[name] for name in ("will_switch", "reason", "switch", "details")}
    levels = {name: told[name]["test_error"] for name in ("early", "late")}
    return {"rate": rate, "told": keep | levels, "cost_cpu": cost}


def train(case: dict, seed: int) -> dict:
    """The run of a case, and what its curves say."""
    goal, start, test = training(case, seed)
    until, name = horizon(case), case["optimizer"]
    if name == "flow":
        dynamics, when, per = pilot.flow(goal, start), pilot.moments(until), 1.0
    else:
        per = {"momentum": 10 * (case["rate"] or 1.0)}.get(name, case["rate"])
        when = pilot.counts(until / per)
        dynamics = (
            lz.dynamics.GradientDescent(jnp.asarray(case["rate"]))
            if name == "descent"
            else pilot.adaptive(name, case["rate"])
        )
    began = time.process_time()
    first, second, finite = pilot.run(dynamics, goal, start, when, test)
    measure = measured_by(goal)
    count = int(test.y.shape[0])
    least = max(0.05, 1.0 / count**0.5) if measure == "accuracy" else 0.05
    found = seen(when, first, second, measure, least=least)
    told = {name: float(getattr(found, name)) for name in ("fit", "early", "late", "time")}
    told = {name: value if np.isfinite(value) else None for name, value in told.items()}
    return {"seen": told | {"lost": found.lost, "finite": finite}, "run_cpu": time.process_time() - began}


def collapse(seed: int) -> list[dict]:
    """Of six families: when a run from alpha = 4 switches, and with the logarithm added, when those from larger starts do."""
    rows = []
    for family, decay in COLLAPSED.items():
        told, larger = None, []
        for alpha in (4.0, *LARGER):
            case = {"family": family, "optimizer": "flow", "number": 0, "alpha": alpha, "decay": decay}
            goal, start, test = training(case, seed)
            close = lz.dynamics.GradientFlow(dfx.Tsit5(), 1e-9, 1e-10, max_steps=400_000, reduce=None, land=False)
            dynamics = close if family in ("quadratic", "squared ReLU", "diagonal 3") else pilot.flow(goal, start)
            when = pilot.moments(horizon(case))
            found = seen(when, *pilot.run(dynamics, goal, start, when, test)[:2], measured_by(goal))
            told = found.time if told is None else told
            print(family, alpha, decay * found.time - np.log(alpha), found, flush=True)
            if alpha > 4:
                seen_at = found.time if found.switched else None
                larger.append({"alpha": alpha, "told": told + float(np.log(alpha / 4)) / decay, "seen": seen_at})
        rows.append({"family": family, "decay": decay, "first": told, "larger": larger})
    return rows


def cost(seed: int) -> dict:
    """A forecast of the largest size, twice (the first compiles), and the descent it speaks of, timed over some steps."""
    n, d, alpha, decay, timed = 200, 4_000, 4.0, 1e-2, 1_000
    problem = lz.problems.sparse_classification(jr.key(seed), n=n, d=d, sparsity=3, test=1000)
    goal = lz.Objective(problem.train, lz.losses.Logistic(), factor=lz.MEAN, penalties=[(lz.regularizers.L2(), decay)])
    start = lz.models.DiagonalNet.at_scale(alpha, dim=d)
    rate = EDGE / float(lz.dynamics.edge(goal, 1.0)(start))
    spent = []
    for _ in range(2):
        began = time.process_time()
        told = forecast(goal, start, test=problem.test, optimizer="descent", rate=rate)
        spent.append(time.process_time() - began)
    steps, descent = horizon({"alpha": alpha, "decay": decay}) / rate, lz.dynamics.GradientDescent(jnp.asarray(rate))
    for _ in range(2):  # the first compiles
        began = time.process_time()
        descent.run(goal, start, np.array([0, timed]), read={"loss": goal}).reads["loss"].block_until_ready()
        each = (time.process_time() - began) / timed
    training_cpu = each * steps
    return {
        "says": f"a diagonal net of {d:,} inputs and {n} samples, alpha = {alpha:g}, decay = {decay:g}, rate {rate:.2g}",
        "first_cpu": spent[0],
        "forecast_cpu": spent[1],
        "training_cpu": training_cpu,
        "steps": steps,
        "timed": timed,
        "share": spent[1] / training_cpu,
        "first_share": spent[0] / training_cpu,
        "middle": told.switch.middle if told.switch else None,
    }


def measured_by(goal) -> str:
    """What the test is read by."""
    return "error" if isinstance(goal.loss, lz.losses.Squared) else "accuracy"


def main() -> None:
    """Read the file, do what is missing, and keep it after every case."""
    words = argparse.ArgumentParser(description=__doc__)
    words.add_argument("what", choices=("say", "run", "collapse", "cost"))
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
    todo = drawn(seed) if given.what == "say" else list(kept["cases"])
    for case in todo:
        name = (case["family"], case["optimizer"], case["number"])
        if given.family not in (None, case["family"]) or (given.what == "say") == (
            name in known and "told" in known[name]
        ):
            continue
        if given.what == "run" and "seen" in case:
            continue
        try:
            found = say(case, seed) if given.what == "say" else train(case, seed)
        except lz.errors.BadInput as error:
            found = {"refused": str(error)}
        if given.what == "say":
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
