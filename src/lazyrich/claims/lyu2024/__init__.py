"""Dichotomy of early and late phase implicit biases: kernel first, least norm later, grokking between."""

CLAIMS = (
    "figure_1a",
    "figure_1b",
    "corollary_3_6",
    "theorem_3_9",
    "lemma_d_1",
    "lemma_d_2",
    "lemma_d_4",
    "slow_manifold",
    "corollary_3_11",
    "remark_3_13",
    "corollary_3_7",
    "theorem_3_10",
    "theorem_3_12",
    "property_f_2",
    "envelope",
    "data_collapse",
    "recovery_f_5",
    "theorem_3_4_normalizer",
    "proof_of_3_10",
)
