"""Kernel and rich regimes: one scale of the start leads from least l2 to least l1."""

CLAIMS = (
    "figure_1a",
    "figure_1b",
    "figure_2",
    "figure_3a",
    "figure_3b",
    "theorem_1",
    "theorem_2_l1",
    "theorem_2_l2",
    "lemma_5",
    "lemma_7",
    "lemma_6",
    "excess_l1_law",
    "depth_2_planted_rate",
    "distance_regularizer",
    "quartic_root",
    "r_prefactor",
    "q_expansion",
    "theorem_2_proof_gap",
)
