"""Grokking beyond the l2 norm: a small penalty on sparsity, rank or what is known moves a fitted model to the truth."""

CLAIMS = (
    "figure_4",
    "figure_5",
    "figure_42",
    "figure_43",
    "figure_44",
    "slow_flow",
    "theorem_c_3",
    "theorem_c_9",
    "theorem_c_10",
    "lemma_c_11",
    "theorem_c_12",
    "theorem_c_13",
    "theorem_c_14",
    "theorem_c_15",
    "theorem_2_2",
    "theorem_2_2_limit",
    "theorem_c_9_exponent",
    "count_in_c_12",
)
