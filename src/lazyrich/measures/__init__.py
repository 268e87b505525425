"""What is read off a run: curves and numbers of models along it."""

from .curve import Curve
from .direction import cosine
from .fit import accuracy, sampled_accuracy

ALL = (accuracy, cosine)

__all__ = ["ALL", "Curve", "accuracy", "cosine", "sampled_accuracy"]
