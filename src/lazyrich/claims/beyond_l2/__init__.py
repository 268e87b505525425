"""Grokking beyond the l2 norm: a small penalty on sparsity, rank or what is known moves a fitted model to the truth."""

CLAIMS = (
    "figure_1",
    "figure_2",
    "figure_8",
    "figure_9",
    "figure_10",
    "figure_11",
    "figure_12",
    "slow_flow",
    "theorem_c_3",
    "theorem_c_9",
    "theorem_c_10",
    "lemma_c_11",
    "theorem_c_12",
    "theorem_c_13",
    "theorem_c_14",
    "theorem_c_15",
    "theorem_c_9_exponent",
    "count_in_c_12",
)
