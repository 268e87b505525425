"""A named experiment: an objective, an initialization and a dynamics, of a few numbers; it can be forecast and trained."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from ..lab.params import Param, Params
from ..lab.runner import trial_key

if TYPE_CHECKING:
    from ..dynamics.base import AbstractSegmented
    from ..objective import Objective
    from ..problems import Entries, Split


class Composed(NamedTuple):
    """The training that one choice of the numbers gives.

    `when` are the moments to look at, from 0 on (times of a flow, steps of a descent); `read` holds the curves `train` and
    `test` as functions of the model, in words `measure` ("accuracy" rises to 1, "error" falls to 0).
    """

    objective: "Objective"
    init: Any
    dynamics: "AbstractSegmented"
    test: "Split | Entries"
    when: Any
    read: Mapping[str, Callable[[Any], Any]]
    measure: str


@dataclass(frozen=True)
class Experiment:
    """How to compose one kind of training: `compose(key, ...)` asks for the parameters by name.

    Parameters have a range, which is what a slider may offer; those marked static change shapes, so each value of them
    compiles anew. Both random parts, problem and initialization, come from the key.
    """

    name: str
    title: str
    says: str
    params: tuple[Param, ...]
    compose: Callable[..., Composed]

    def resolve(self, changes: Mapping[str, Any] | None = None) -> dict[str, Any]:
        """All parameters with a user's changes, each within its range, or a refusal before any work."""
        settings = Params.of(self.params, "quick", changes=changes)
        return settings.solve(settings.values, [param.name for param in self.params])

    def at(self, changes: Mapping[str, Any] | None = None, *, seed: int = 0) -> Composed:
        """The experiment with these changes, drawn with this seed."""
        return self.compose(trial_key(seed, 0), **self.resolve(changes))
