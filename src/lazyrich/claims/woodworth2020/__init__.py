"""Kernel and rich regimes: one scale of the start leads from least l2 to least l1."""

CLAIMS = (
    "figure_4",
    "figure_6a",
    "figure_6b",
    "figure_6c",
    "figure_6d",
    "figure_7a",
    "figure_7b",
    "figure_7c",
    "figure_8",
    "figure_9",
    "theorem_1",
    "lemma_6",
    "spline_limits",
    "edge_of_kernel",
    "least_norm_spline",
)
