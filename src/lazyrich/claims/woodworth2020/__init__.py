"""Kernel and rich regimes: one scale of the start leads from least l2 to least l1."""

CLAIMS = (
    "theorem_1",
    "lemma_6",
    "theorem_4",
    "figure_5_left",
    "figure_5_right",
    "completion_transition",
)
