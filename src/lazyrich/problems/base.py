"""The records of a problem: a split of data, and a problem with its truth and the law that drew it."""

import abc
import numbers
from typing import Any, Generic, TypeVar

import equinox as eqx

from ..errors import BadInput
from ..numerics.values import concrete, require_finite
from ..types import Array, Float, Int, Key, Scalar


class Split(eqx.Module):
    r"""Measurements: inputs $x_i$ along the first axis, a target $y_i$ each: one number (labels are -1 or +1), or $k$.

    An input is a vector as a rule; a matrix $X_i$ measures a matrix by $\langle X_i, M\rangle$, an image feeds a net.
    """

    x: Float[Array, "n *d"]
    y: Float[Array, " n"] | Float[Array, "n k"]

    def __check_init__(self):
        """Shapes must agree and numbers be finite."""
        if self.x.ndim < 2 or self.y.ndim not in (1, 2) or self.x.shape[0] != self.y.shape[0] or self.x.size == 0:
            raise BadInput(
                needed="a Split takes x of shape (n, d) and y of shape (n,) or (n, k), none 0; an input may be an array too",
                given=f"shapes {self.x.shape} and {self.y.shape}",
                cure="Put one sample a row in x and its target at the same place in y.",
            )
        require_finite("x of a Split", self.x)
        require_finite("y of a Split", self.y)

    @property
    def n(self) -> int:
        """The number of samples."""
        return self.x.shape[0]

    @property
    def d(self) -> int:
        """The number of inputs."""
        return self.x.shape[1]


class Entries(eqx.Module):
    r"""Entries of a matrix: $y_i$ stands at row `rows[i]` and column `cols[i]` of a matrix of this shape.

    A place may be given twice: it then counts twice.
    """

    rows: Int[Array, " n"]
    cols: Int[Array, " n"]
    y: Float[Array, " n"]
    shape: tuple[int, int] = eqx.field(static=True)

    def __check_init__(self):
        """As many rows as columns as targets, all inside the matrix."""
        one = self.y.shape
        if self.y.ndim != 1 or self.rows.shape != one or self.cols.shape != one or self.y.size == 0:
            raise BadInput(
                needed="Entries take rows, cols and y of one shape (n,), n at least 1",
                given=f"shapes {self.rows.shape}, {self.cols.shape} and {self.y.shape}",
                cure="Give the row, the column and the value of each known entry.",
            )
        require_finite("y of Entries", self.y)
        for name, places, size in (("row", self.rows, self.shape[0]), ("column", self.cols, self.shape[1])):
            known = concrete(places)
            if known is not None and not ((known >= 0) & (known < size)).all():
                raise BadInput(
                    needed=f"every {name} of Entries is from 0 to {size - 1}",
                    given=f"{known.min()} to {known.max()}",
                    cure="Count from 0, and give the shape of the whole matrix.",
                )

    @property
    def n(self) -> int:
        """The number of known entries."""
        return self.y.shape[0]


class AbstractLaw(eqx.Module):
    """Where samples come from: fresh ones on demand, and exact errors of a linear predictor."""

    @abc.abstractmethod
    def sample(self, key: Key, n: int) -> Split:
        """Fresh samples."""


class AbstractSignLaw(AbstractLaw):
    """A law with labels -1 and +1."""

    @abc.abstractmethod
    def accuracy(self, effective: Float[Array, " d"]) -> Scalar:
        """The fraction of fresh samples whose label a linear predictor gets right, in closed form."""


Data = TypeVar("Data", bound=Split | Entries, covariant=True)


class Problem(eqx.Module, Generic[Data]):
    """Data to fit, data to test on (None if it would not fit in memory), the truth and the law."""

    train: Data
    test: Data | None
    truth: Float[Array, "..."]
    law: AbstractLaw | None

    @property
    def held_out(self) -> Data:
        """The data to test on, of a problem that has some."""
        if self.test is None:
            raise BadInput(
                needed="a test error needs data to test on",
                given="a problem with test=None",
                cure="Make the problem with a test set.",
            )
        return self.test


def require_count(name: str, value: Any, *, least: int = 1) -> None:
    """Refuse counts below the least that makes sense."""
    if not isinstance(value, numbers.Integral) or isinstance(value, bool) or int(value) < least:
        raise BadInput(
            needed=f"{name} must be a whole number of at least {least}", given=repr(value), cure=f"Give {name}={least} or more."
        )
