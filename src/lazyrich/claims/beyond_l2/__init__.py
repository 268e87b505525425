"""Grokking beyond the l2 norm: a small penalty on sparsity, rank or what is known moves a fitted model to the truth."""

CLAIMS = (
    "slow_flow",
    "theorem_c_3",
    "theorem_c_9",
    "theorem_c_10",
    "lemma_c_11",
    "theorem_c_12",
    "theorem_c_13",
    "theorem_c_14",
    "theorem_c_15",
    "proposition_c_1",
    "proposition_c_2",
    "proposition_c_3",
    "proposition_c_4",
    "theorem_c_1",
    "theorem_c_2",
    "theorem_c_9_exponent",
    "count_in_c_12",
    "remark_c_10",
    "example_c_1",
)
