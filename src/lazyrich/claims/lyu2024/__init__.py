"""Dichotomy of early and late phase implicit biases: kernel first, least norm later, grokking between."""

CLAIMS = (
    "figure_1a",
    "figure_1b",
    "data_collapse",
    "theorem_3_4",
    "theorem_3_4_normalizer",
    "corollary_3_6",
    "norm_decay",
    "loss_bounds",
    "lemma_c_4",
    "lemma_c_6",
    "lemma_c_7",
    "lemma_c_8",
    "corollary_3_7",
    "loss_equivalence",
    "small_output_start",
    "key_insight_factor",
    "bound_17",
    "w1_sphere",
)
