"""All of figure 2 of lyu2024 (a, b and c: eleven trainings) at the paper's size, beside an eager PyTorch loop.

    python benchmarks/figure_2.py                    # p = 97, width 1024, one draw: minutes on a GPU
    python benchmarks/figure_2.py --size quick       # p = 23, width 128, a trial on a CPU
    python benchmarks/figure_2.py --trials 4         # as many draws as the claims have

Each training ends where the test is nearly all right, or at its horizon. The loop makes the published steps of 0.002; it is timed
on the same machine over some hundred of them and extrapolated to the same end of each training.
"""

import argparse
import json
import os
import time

from lazyrich.lab.machine import prepare

prepare()

import jax
import numpy as np
from modular_addition import PUBLISHED, torch_seconds

from lazyrich.claims import find
from lazyrich.lab import Runner
from lazyrich.lab.runner import trial_key
from lazyrich.lab.simulations.modular_addition import ENOUGH, begin, make_problem

FIGURES = ("figure_2a", "figure_2b", "figure_2c")


def ends(data) -> np.ndarray:
    """When each training was over: the test nearly all right, or the last moment."""
    times, tests = (np.asarray(data[name]).reshape(-1, data.sizes["t"]) for name in ("time", "test"))
    there = tests >= ENOUGH
    at = np.where(there.any(axis=1), there.argmax(axis=1), times.shape[1] - 1)
    return times[np.arange(len(times)), at]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--size", choices=("smoke", "quick", "paper"), default="paper")
    parser.add_argument("--trials", type=int, default=1)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--timed", type=int, default=300, help="steps of the loop that are timed")
    asked = parser.parse_args()
    print(json.dumps({"device": str(jax.devices()[0]), "load": os.getloadavg()[0], **vars(asked)}), flush=True)

    done = []  # claims of one simulation share trainings
    runner = Runner(lambda what, count, total: done.append(what))
    trained, ours, lengths, unsound = 0, 0.0, [], 0
    for name in FIGURES:
        claim = find(f"lyu2024/{name}")
        settings = claim.resolve(asked.size, {"trials": asked.trials})
        begins, before = time.perf_counter(), len(done)
        data = runner.simulate(claim.simulation, settings, asked.seed)
        seconds, found = time.perf_counter() - begins, ends(data)
        trained, ours, unsound = trained + found.size, ours + seconds, unsound + int((data.outcome > 1).sum())
        lengths.extend(found)
        half = np.round(np.median(np.asarray(data.t50), axis=-1).ravel()).tolist()
        result = {"figure": name, "trainings": found.size, "new": len(done) - before, "seconds": round(seconds, 2)}
        print(json.dumps(result | {"t_half": [str(one) if np.isinf(one) else one for one in half]}), flush=True)
    steps = float(np.sum(lengths)) / PUBLISHED
    result = {"trainings": trained, "seconds_with_compilation": round(ours, 2), "did_not_end_well": unsound}
    print(json.dumps(result | {"published_steps": steps}), flush=True)

    values = find("lyu2024/figure_2a").resolve(asked.size).values
    key = trial_key(asked.seed, 0)
    problem = make_problem(key, values["modulus"], values["train_fraction"])
    init = begin(key, modulus=values["modulus"], width=values["width"], alpha=1.0)
    each = torch_seconds(problem, init, values["weight_decay"][0], asked.timed)
    if each is None:
        print("PyTorch is not installed here: the loop beside it was not timed, and there is no ratio.", flush=True)
        return
    result = {"torch_ms_a_step": each * 1e3, "torch_seconds_extrapolated": each * steps, "ratio": each * steps / ours}
    print(json.dumps(result), flush=True)


if __name__ == "__main__":
    main()
