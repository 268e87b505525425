"""What is read off a run: curves and numbers of models along it."""

from .curve import Curve
from .direction import cosine
from .fit import accuracy, relative_error, sampled_accuracy
from .kernel_drift import example_drift, feature_drift, kernel_drift
from .kkt import KKT, decay_residual, interpolation_kkt, margin_kkt

ALL = (accuracy, cosine, kernel_drift, feature_drift, example_drift)

__all__ = [
    "ALL",
    "KKT",
    "Curve",
    "accuracy",
    "cosine",
    "decay_residual",
    "example_drift",
    "feature_drift",
    "interpolation_kkt",
    "kernel_drift",
    "margin_kkt",
    "relative_error",
    "sampled_accuracy",
]
