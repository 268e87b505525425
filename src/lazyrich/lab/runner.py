"""The runner: runs simulations and references point by point, remembers each, and stacks them with labels."""

import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import CancelledError, Future, ThreadPoolExecutor
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np

from .params import Params
from .parsing import threads_may_trace
from .simulation import Simulation, asked, split_static, takes

if TYPE_CHECKING:
    import xarray as xr

Progress = Callable[[str, int, int], None]


class Runner:
    """Runs trials and remembers each by its function, the values that it asked for, seed and trial: claims share simulations.

    `progress(what, done, total)` is called after every trial. Two threads run a compiled point each: on two
    cores small flows gain nearly twice, large ones nothing. Several threads may ask one runner: while one
    computes a trial, the others wait for its result.
    """

    def __init__(self, progress: Progress | None = None, *, threads: int | None = None):
        """An empty runner."""
        self._progress = progress or (lambda what, done, total: None)
        self._threads = threads = threads or (2 if threads_may_trace() else 1)
        self._memory: dict[tuple, Future] = {}
        self._lock = threading.Lock()
        self._slots = threading.Semaphore(threads)
        self._halted = False

    def halt(self) -> None:
        """Begin no further trial: whoever asks for one gets a `CancelledError`."""
        self._halted = True

    def simulate(self, simulation: Simulation, params: Params, seed: int) -> "xr.Dataset":
        """All trials at all points, as a labelled Dataset over (axes, trial, own axes)."""
        runs = self.run(simulation, params, seed)
        return labelled(runs, simulation.returns, params.axes_of(simulation.wants), simulation.trials(params))

    def run(self, simulation: Simulation, params: Params, seed: int) -> list[dict[str, Any]]:
        """All points and trials in order, each as plain arrays by name."""

        def one(values, trial):
            key = trial_key(seed, trial) if simulation.random else None
            found = simulation.program(key, values)
            if set(found) != set(simulation.returns):
                raise TypeError(f"{simulation.simulate.__qualname__} returned {sorted(found)}, not {sorted(simulation.returns)}")
            return {name: np.asarray(value) for name, value in found.items()}

        jobs = _jobs(params, simulation.wants, simulation.trials(params))
        return self._all((simulation.simulate, simulation.make_problem), one, jobs, seed, serial=simulation.host)

    def known(self, simulation: Simulation, params: Params, seed: int) -> list[dict[str, Any] | None]:
        """The same, of what was run so far; None for what was not."""
        jobs = _jobs(params, simulation.wants, simulation.trials(params))
        found = [self._memory.get(key) for key in _keys((simulation.simulate, simulation.make_problem), jobs, seed)]
        return [run.result() if run is not None and run.done() else None for run in found]

    def learn(self, simulation: Simulation, params: Params, seed: int, runs: Sequence[dict | None]) -> None:
        """Remember runs that were made elsewhere, in the same order."""
        jobs = _jobs(params, simulation.wants, simulation.trials(params))
        keys = _keys((simulation.simulate, simulation.make_problem), jobs, seed)
        for key, run in zip(keys, runs, strict=True):
            if run is not None:
                self._memory[key] = Future()
                self._memory[key].set_result(run)

    def predict(
        self, predict: Callable, simulation: Simulation, params: Params, constants: Mapping[str, Any], seed: int
    ) -> dict[str, Any]:
        """What theory says for all trials at all points: a Dataset for each reference, labelled like the data."""
        own = tuple(name for name in asked(predict) if name in constants)
        fixed = {name: constants[name] for name in own}
        wanted = tuple(dict.fromkeys((*asked(simulation.make_problem), *(n for n in asked(predict) if n not in own))))

        def one(values, trial):
            handed = {"problem": problem_of(simulation, trial_key(seed, trial), values)} if takes(predict, "problem") else {}
            mine = {name: values[name] for name in asked(predict) if name not in fixed}
            return {name: flat(found) for name, found in predict(**handed, **mine, **fixed).items()}

        trials = params.values["trials"] if simulation.random and takes(predict, "problem") else None
        what = (predict, tuple(sorted(fixed.items())))
        runs = self._all(what, one, _jobs(params, wanted, trials), seed, serial=True)
        axes = params.axes_of(wanted)
        theory = {}
        for name in runs[0]:
            own_axes = {part: "d" if np.ndim(value) else "" for part, value in runs[0][name].items()}
            theory[name] = labelled([run[name] for run in runs], own_axes, axes, trials)
        return {name: found["number"] if "number" in found else found for name, found in theory.items()}

    def _all(self, what, one, jobs: list[tuple[dict, int]], seed: int, *, serial: bool) -> list[dict]:
        """Every point and trial in order, from memory where it is known."""
        keys = _keys(what, jobs, seed)
        with self._lock:
            mine = [at for at, key in enumerate(keys) if key not in self._memory]
            self._memory |= {keys[at]: Future() for at in mine}
        done = 0
        label = what[0].__name__

        def work(at):
            nonlocal done
            if self._halted:
                raise CancelledError
            with self._slots:  # threads that ask together run no more at once than one would
                found = one(*jobs[at])
            with self._lock:
                self._memory[keys[at]].set_result(found)
                done += 1
                self._progress(label, done, len(mine))

        try:
            if serial or self._threads == 1 or len(mine) < 2:
                for at in mine:
                    work(at)
            else:
                # The first run compiles; the others then find the program ready.
                work(mine[0])
                with ThreadPoolExecutor(self._threads) as pool:
                    list(pool.map(work, mine[1:]))
        except BaseException as error:
            self._give_up([keys[at] for at in mine], error)
            raise
        return [self._memory[key].result() for key in keys]

    def _give_up(self, keys: list[tuple], error: BaseException) -> None:
        """Forget what was not done, and tell whoever waits for it why."""
        with self._lock:
            for key in keys:
                if not self._memory[key].done():
                    self._memory.pop(key).set_exception(error)


def _jobs(params: Params, wanted: Iterable[str], trials: int | None) -> list[tuple[dict[str, Any], int]]:
    """Every point with every trial, in order."""
    return [(values, trial) for values in params.points(wanted) for trial in range(trials or 1)]


def _keys(what: Any, jobs: list[tuple[dict[str, Any], int]], seed: int) -> list[tuple]:
    """What each of them is remembered by."""
    return [(what, tuple(sorted(values.items())), seed, trial) for values, trial in jobs]


def trial_key(seed: Any, trial: Any) -> Any:
    """The key of a trial, of whole numbers or traced ones: it depends on the seed and the trial, never on the axes."""
    import jax.random as jr

    return jr.fold_in(jr.key(seed), trial)


@lru_cache(maxsize=64)
def _problem_maker(maker: Callable) -> Callable:
    import jax

    def make_problem(key, traced, static):
        return maker(key, **traced, **dict(static))

    return jax.jit(make_problem, static_argnums=2)


def problem_of(simulation: Simulation, key: Any, values: Mapping[str, Any]) -> Any:
    """The problem of a trial, made again from its key."""
    assert simulation.make_problem is not None, "a reference that takes a problem needs a simulation that makes one"
    mine = {name: values[name] for name in asked(simulation.make_problem)}
    if simulation.host:
        return simulation.make_problem(key, **mine)
    return _problem_maker(simulation.make_problem)(key, *split_static(mine, simulation.params))


def flat(found: Any) -> dict[str, Any]:
    """A reference as plain arrays, or a plain number or vector under the name 'number'."""
    certificate = getattr(found, "certificate", None)
    if certificate is None:
        return {"number": np.asarray(found)}
    return {
        "effective": np.asarray(found.effective),
        "value": np.asarray(found.value),
        "feasibility": np.asarray(certificate.feasibility),
        "gap": np.asarray(certificate.gap),
        "ok": np.asarray(found.ok),
    }


def labelled(runs: list[dict], returns: Mapping[str, str], axes: Mapping[str, tuple], trials: int | None) -> "xr.Dataset":
    """Runs in order of (axes, trial), stacked to one Dataset with their names."""
    import xarray as xr

    outer = tuple(axes) + (("trial",) if trials is not None else ())
    shape = tuple(len(values) for values in axes.values()) + ((trials,) if trials is not None else ())
    variables = {}
    if taken := [name for name in returns if hasattr(xr.Dataset, name)]:
        raise TypeError(f"{', '.join(taken)}: a Dataset has a method of that name; return it under another")
    for name, own in returns.items():
        parts = [run[name] for run in runs]
        if len({part.shape for part in parts}) > 1:
            raise TypeError(f"{name!r} changes its shape along {', '.join(axes)}: return a number of it instead")
        variables[name] = (outer + tuple(own.split()), np.stack(parts).reshape(shape + parts[0].shape))
    return xr.Dataset(variables, coords={name: list(values) for name, values in axes.items()})
