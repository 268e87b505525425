"""Kernel and rich regimes: one scale of the start leads from least l2 to least l1."""

CLAIMS = (
    "figure_2",
    "figure_3a",
    "figure_3b",
    "theorem_1",
    "lemma_6",
    "quartic_root",
    "r_prefactor",
    "q_expansion",
)
