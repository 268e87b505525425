"""Two-layer linear networks: what the start conserves decides how fast the flow converges, and to which interpolator."""

CLAIMS = (
    "figure_7",
    "proposition_9",
    "decomposition",
    "proposition_10",
    "defect_law",
    "lemma_11_imbalance",
    "lemma_11_orthogonality",
    "lemma_e_1",
    "lemma_e_2",
    "theorem_12",
    "width_law",
    "beyond_range",
    "ntk_clock",
    "kernel_spectrum",
    "width_compression",
    "decay_bridge",
    "theorem_12_range",
    "theorem_12_proof",
)
