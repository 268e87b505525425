"""Two-layer linear networks: what the start conserves decides how fast the flow converges, and to which interpolator."""

CLAIMS = (
    "proposition_9",
    "decomposition",
    "proposition_10",
    "defect_law",
)
