"""Grokking beyond the l2 norm: a small penalty on sparsity, rank or what is known moves a fitted model to the truth."""

CLAIMS = (
    "figure_6",
    "figure_7",
    "figure_25",
    "figure_26",
    "figure_27",
    "figure_28",
    "figure_29",
    "slow_flow",
    "theorem_c_3",
    "theorem_c_9",
    "theorem_c_10",
    "least_squares_generalizes",
    "lemma_c_11",
    "theorem_c_12",
    "theorem_c_13",
    "theorem_c_14",
    "theorem_c_15",
    "transition_without_solution",
    "theorem_c_9_exponent",
    "count_in_c_12",
)
