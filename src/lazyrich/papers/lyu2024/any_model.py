"""Both phases on any homogeneous model: the claim that `check_model` makes of a model of the user's, on two nets of ours."""

from ...claims.two_phases import CLAIM

__all__ = ["CLAIM"]
