"""Two-layer linear networks: what the start conserves decides how fast the flow converges, and to which interpolator."""

CLAIMS = (
    "figure_7",
    "proposition_9",
    "decomposition",
    "proposition_10",
    "defect_law",
    "theorem_12",
    "width_law",
    "beyond_range",
    "theorem_12_range",
)
