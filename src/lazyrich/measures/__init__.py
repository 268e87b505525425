"""What is read off a run: curves and numbers of models along it."""

from .curve import Curve
from .direction import cosine
from .fit import accuracy, sampled_accuracy
from .fourier import (
    excluded_loss,
    frequency_fraction,
    pair_outputs,
    restricted,
    restricted_loss,
    spectrum,
    strongest,
    sum_fraction,
    sum_spectrum,
)
from .kernel_drift import example_drift, feature_drift, kernel_drift
from .kkt import KKT, decay_residual, interpolation_kkt, margin_kkt
from .relative_error import relative_error

ALL = (accuracy, cosine, kernel_drift, feature_drift, example_drift, frequency_fraction)

__all__ = [
    "ALL",
    "KKT",
    "Curve",
    "accuracy",
    "cosine",
    "decay_residual",
    "example_drift",
    "excluded_loss",
    "feature_drift",
    "frequency_fraction",
    "interpolation_kkt",
    "kernel_drift",
    "margin_kkt",
    "pair_outputs",
    "relative_error",
    "restricted",
    "restricted_loss",
    "sampled_accuracy",
    "spectrum",
    "strongest",
    "sum_fraction",
    "sum_spectrum",
]
