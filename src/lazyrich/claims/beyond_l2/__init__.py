"""Grokking beyond the l2 norm: a small penalty on sparsity, rank or what is known moves a fitted model to the truth."""

CLAIMS = ("slow_flow", "theorem_c_9", "theorem_c_10", "theorem_c_9_exponent")
