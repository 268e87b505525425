"""Gradient flow of a two-layer ReLU net on modular addition (lyu2024, figure 2a) to 95% test accuracy, on an accelerator.

    python benchmarks/modular_addition.py                 # p = 97, width 1024: minutes on a GPU
    python benchmarks/modular_addition.py --modulus 23 --width 64 --train-fraction 0.8 --until 1e5    # a trial on a CPU

Beside it: gradient descent at a small step, and an eager PyTorch loop at the published step 0.002, timed over 300 steps
and extrapolated to the same time.
"""

import argparse
import json
import os
import time

import jax

jax.config.update("jax_enable_x64", True)
import jax.numpy as jnp
import jax.random as jr
import numpy as np
from jax.flatten_util import ravel_pytree

import lazyrich as lz
from lazyrich.dynamics import Chebyshev, GradientDescent, GradientFlow, edge
from lazyrich.inits import he_pairs
from lazyrich.measures import accuracy

PUBLISHED = 0.002


def crossing(times, curve, level):
    """The first time at the level, between readings on a straight line."""
    times, curve = np.asarray(times), np.asarray(curve)
    at = int(np.argmax(curve >= level))
    if curve[at] < level or at == 0:
        return float("inf")
    share = (level - curve[at - 1]) / (curve[at] - curve[at - 1])
    return float(times[at - 1] + share * (times[at] - times[at - 1]))


def timed(function, *arguments):
    """The result, seconds to compile, and seconds to run."""
    begin = time.perf_counter()
    compiled = jax.jit(function).lower(*arguments).compile()
    ready = time.perf_counter()
    found = jax.block_until_ready(compiled(*arguments))
    return found, ready - begin, time.perf_counter() - ready


def torch_seconds(problem, init, weight_decay: float, steps: int = 300) -> float | None:
    """Seconds a step of an eager PyTorch loop in single precision, as such scripts are written."""
    try:
        import torch
    except ImportError:
        return None
    device = "cuda" if torch.cuda.is_available() else "cpu"
    parts = [torch.tensor(np.asarray(part, np.float32), device=device) for part in init.parameters()]
    first, second, bias, out = (part.requires_grad_() for part in parts)
    code = torch.tensor(np.asarray(jax.vmap(init.one_hot)(problem.train.x), np.float32), device=device)
    answers = torch.tensor(np.asarray(problem.train.y, int), device=device)
    optimizer = torch.optim.SGD([first, second, bias, out], lr=PUBLISHED, weight_decay=weight_decay)
    begin = 0.0
    for step in range(steps + 20):
        if step == 20:
            torch.cuda.synchronize() if device == "cuda" else None
            begin = time.perf_counter()
        hidden = torch.relu(code @ torch.cat([first, second]) + bias)
        loss = torch.nn.functional.cross_entropy(hidden @ out, answers)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    torch.cuda.synchronize() if device == "cuda" else None
    return (time.perf_counter() - begin) / steps


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name, kind, usual in (
        ("--modulus", int, 97),
        ("--width", int, 1024),
        ("--train-fraction", float, 0.4),
        ("--weight-decay", float, 1e-4),
        ("--until", float, 7e4),
        ("--moments", int, 100),
        ("--seed", int, 0),
        ("--learning-rate", float, 0.2),
        ("--tolerances", str, "1e-2,1e-3"),
    ):
        parser.add_argument(name, type=kind, default=usual)
    parser.add_argument("--descent", action="store_true", help="follow gradient descent too")
    asked = parser.parse_args()
    problem = lz.problems.modular_addition(jr.key(asked.seed), modulus=asked.modulus, train_fraction=asked.train_fraction)
    init = he_pairs(jr.fold_in(jr.key(asked.seed), 1), symbols=asked.modulus, width=asked.width)
    weight_decay = [(lz.regularizers.L2(), asked.weight_decay)]
    objective = lz.Objective(problem.train, lz.losses.CrossEntropy(), reduction="mean", penalties=weight_decay)
    read = {"train": lambda net: accuracy(net, problem.train), "test": lambda net: accuracy(net, problem.test)}
    times = jnp.concatenate([jnp.zeros(1), jnp.geomspace(asked.until / 30, asked.until, asked.moments)])
    # Errors are measured beside each weight, and beside 0.4 times the usual initial weight where one is smaller.
    floor = 0.4 * float(jnp.sqrt(jnp.mean(ravel_pytree(init)[0] ** 2)))
    print(json.dumps({"device": str(jax.devices()[0]), "load": os.getloadavg()[0], **vars(asked)}), flush=True)

    halves = {}
    for tolerance in map(float, asked.tolerances.split(",")):
        solver = Chebyshev(refresh=100)
        flow = GradientFlow(solver, tolerance, tolerance * floor, max_steps=200_000, reduce=None, land=False)

        def follow(init, flow=flow):
            return flow.run(objective, init, times, read=read, stop=lambda net: accuracy(net, problem.test) >= 0.95)

        path, compiling, running = timed(follow, init)
        halves[tolerance] = crossing(path.times, path.reads["test"], 0.5)
        result = {"tolerance": tolerance, "outcome": path.outcome.sentence, "compile_s": compiling, "run_s": running}
        result |= {name: float(number) for name, number in path.certificates.items()}
        result |= {"t_half": halves[tolerance], "t_95": crossing(path.times, path.reads["test"], 0.95)}
        print(json.dumps(result), flush=True)

    if asked.descent:
        counts = jnp.unique(jnp.round(times[times < 1.1 * halves[min(halves)]] / asked.learning_rate))[::2]

        def descend(init):
            return GradientDescent(asked.learning_rate).run(
                objective, init, counts, read=read | {"edge": edge(objective, asked.learning_rate)}
            )

        path, compiling, running = timed(descend, init)
        half = asked.learning_rate * crossing(path.times, path.reads["test"], 0.5)
        result = {
            "descent": asked.learning_rate,
            "steps": int(counts[-1]),
            "compile_s": compiling,
            "run_s": running,
            "t_half": half,
        }
        print(
            json.dumps(result | {"off": half / halves[min(halves)] - 1, "ms_a_step": running / int(counts[-1]) * 1e3}), flush=True
        )

    seconds = torch_seconds(problem, init, asked.weight_decay)
    if seconds is not None:
        total = seconds * halves[max(halves)] / PUBLISHED
        print(json.dumps({"torch_ms_a_step": seconds * 1e3, "torch_seconds_to_half_extrapolated": total}), flush=True)


if __name__ == "__main__":
    main()
