"""Two-layer linear networks: what the start conserves decides how fast the flow converges, and to which interpolator."""

CLAIMS = (
    "figure_2_left",
    "figure_2_right",
    "figure_3",
    "conservation",
    "scalar_identities",
    "monotone_loss",
    "lemma_7",
    "lemma_8",
    "proposition_1",
    "theorem_3",
    "corollary_4",
    "corollary_5",
    "corollary_6",
    "tightness",
    "inertia",
    "imbalance_speeds_up",
    "two_rate_regimes",
    "corollary_6_clock",
    "corollary_5_factor",
)
