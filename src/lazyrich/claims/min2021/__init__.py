"""Two-layer linear networks: what the start conserves decides how fast the flow converges, and to which interpolator."""

CLAIMS = (
    "conservation",
    "scalar_identities",
    "monotone_loss",
    "lemma_7",
    "lemma_8",
    "proposition_1",
)
