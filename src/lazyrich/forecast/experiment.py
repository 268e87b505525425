"""A named experiment: an objective, a start and a way to train, composed of a few numbers; it can be forecast and watched."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from .bench import trial_key
from .params import Param, Settings

if TYPE_CHECKING:
    from ..dynamics.base import AbstractSegmented
    from ..objective import Objective
    from ..problems import Entries, Split


class Composed(NamedTuple):
    """What one choice of the numbers amounts to.

    `when` are the moments to look at, from 0 on (times of a flow, steps of a descent); `read` holds the curves `train` and
    `test` as functions of the model, in words `measure` ("accuracy" rises to 1, "error" falls to 0).
    """

    goal: "Objective"
    start: Any
    dynamics: "AbstractSegmented"
    test: "Split | Entries"
    when: Any
    read: Mapping[str, Callable[[Any], Any]]
    measure: str


@dataclass(frozen=True)
class Experiment:
    """How to compose one kind of training: `compose(key, ...)` asks for the parameters by name.

    Parameters have a range, which is what a slider may offer; those marked static change shapes, so each value of them
    compiles anew. Both rounds of randomness, problem and start, come from the key.
    """

    name: str
    title: str
    says: str
    params: tuple[Param, ...]
    compose: Callable[..., Composed]

    def settle(self, changes: Mapping[str, Any] | None = None) -> dict[str, Any]:
        """All parameters with a user's changes, each within its range, or a refusal before any work."""
        settings = Settings.of(self.params, "quick", changes=changes)
        return settings.solve(settings.values, [param.name for param in self.params])

    def at(self, changes: Mapping[str, Any] | None = None, *, seed: int = 0) -> Composed:
        """The experiment with these changes, drawn with this seed."""
        return self.compose(trial_key(seed, 0), **self.settle(changes))
