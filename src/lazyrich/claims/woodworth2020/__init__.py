"""Kernel and rich regimes: one scale of the start leads from least l2 to least l1."""

CLAIMS = (
    "theorem_1",
    "lemma_6",
    "figure_5_left",
    "figure_5_right",
    "theorem_4",
    "lifted_dynamics",
    "completion_transition",
    "nuclear_conjecture",
    "theorem_9",
    "corollary_10",
    "corollary_10_tangent",
    "lemma_11",
    "lemma_12",
    "lemma_13",
    "non_square",
    "width_regimes",
    "lifted_sign",
    "corollary_10_rate",
)
