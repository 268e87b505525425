"""Trainings that were watched to their end: the last few are kept, for downloads."""

import threading
from collections import OrderedDict
from dataclasses import dataclass
from typing import Any

from ..errors import BadInput
from .asks import Ask

MOST = 64


@dataclass(frozen=True)
class Trained:
    """The curves of one training, what was forecast of it, what happened on the way and how it ended."""

    ask: Ask
    measure: str
    clock: str
    time: tuple[float, ...]
    train: tuple[float, ...]
    test: tuple[float, ...]
    marks: dict[str, float]
    forecast: dict[str, Any] | None
    outcome: str


class Finished:
    """The newest trainings by what was asked: the same numbers and seed give the same curves."""

    def __init__(self) -> None:
        """Nothing yet."""
        self._kept: OrderedDict[Ask, Trained] = OrderedDict()
        self._lock = threading.Lock()

    def keep(self, trained: Trained) -> None:
        """Keep one, and forget the oldest of too many."""
        with self._lock:
            self._kept[trained.ask] = trained
            self._kept.move_to_end(trained.ask)
            while len(self._kept) > MOST:
                self._kept.popitem(last=False)

    def get(self, ask: Ask) -> Trained:
        """One that is kept, or a refusal."""
        with self._lock:
            if ask in self._kept:
                return self._kept[ask]
        raise BadInput(
            needed="what is downloaded was trained to its end here, not long ago",
            given="settings that were not",
            cure="Train them first.",
        )
