"""Finished trainings: the most recent ones are kept for downloads."""

import threading
from collections import OrderedDict
from dataclasses import dataclass
from typing import Any

from ..errors import BadInput
from .config import TrainingConfig

MAX_KEPT = 64


@dataclass(frozen=True)
class FinishedTraining:
    """The curves of one training, its forecast, its milestones, and how it ended."""

    config: TrainingConfig
    measure: str
    time_label: str
    time: tuple[float, ...]
    train: tuple[float, ...]
    test: tuple[float, ...]
    milestones: dict[str, float]
    forecast: dict[str, Any] | None
    outcome: str


class FinishedTrainings:
    """The most recent trainings by configuration: the same parameters and seed give the same curves."""

    def __init__(self) -> None:
        """Empty."""
        self._kept: OrderedDict[TrainingConfig, FinishedTraining] = OrderedDict()
        self._lock = threading.Lock()

    def add(self, training: FinishedTraining) -> None:
        """Keep one, and drop the oldest beyond `MAX_KEPT`."""
        with self._lock:
            self._kept[training.config] = training
            self._kept.move_to_end(training.config)
            while len(self._kept) > MAX_KEPT:
                self._kept.popitem(last=False)

    def get(self, config: TrainingConfig) -> FinishedTraining:
        """The training of this configuration, or a refusal."""
        with self._lock:
            if config in self._kept:
                return self._kept[config]
        raise BadInput(
            needed="a download needs a finished, recent training", given="a configuration that has none", cure="Train it first."
        )
