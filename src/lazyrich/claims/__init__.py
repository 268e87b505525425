"""Statements of the papers that can be checked, each with a control on which the check must say "fails"."""

from .base import Claim, Control, Evidence, Reading
from .drawing import Drawing
from .judge import Result, check
from .registry import every, find

__all__ = ["Claim", "Control", "Drawing", "Evidence", "Reading", "Result", "check", "every", "find"]
