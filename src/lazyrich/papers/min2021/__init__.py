"""Two-layer linear networks: the initialization determines how fast gradient flow converges, and to which interpolant."""

from ...claims.paper import Paper

CITATION = r"""@unpublished{min2021,
  title  = {Convergence and Implicit Bias of Gradient Flow on Overparametrized Linear Networks},
  author = {Min, Hancheng and Tarmoun, Salma and Vidal, Ren{\'e} and Mallada, Enrique},
  year   = {2021},
}"""

PAPER = Paper(
    key="min2021",
    title="Convergence and Implicit Bias of Gradient Flow on Overparametrized Linear Networks",
    citation=CITATION,
    claims=(
        "figure_1",
        "figure_2: figure_2_left figure_2_right",
        "figure_3",
        "figure_7: figure_7",
        "table_1",
        "conservation",
        "rank_deficient: frozen_part",
        "scalar_identities",
        "theorem_3: monotone_loss",
        "pointwise_bounds: lemma_7 lemma_8 proposition_1",
        "theorem_3: theorem_3",
        "corollaries_4_to_6: corollary_4 corollary_5 corollary_6",
        "tightness",
        "implicit_bias: proposition_9 decomposition proposition_10",
        "zero_start",
        "implicit_bias: defect_law",
        "gaussian_init: lemma_11_imbalance",
        "figure_2: inertia",
        "gaussian_init: lemma_11_orthogonality lemma_e_1",
        "lemma_e_2",
        "theorem_12: theorem_12 width_law beyond_range",
        "equivalent_networks: ntk_clock",
        "kernel_spectrum",
        "rank_deficient: balanced_start",
        "imbalance_speeds_up",
        "figure_2: two_rate_regimes",
        "equivalent_networks: width_compression",
        "decay_bridge",
        "corollaries_4_to_6: corollary_6_clock corollary_5_factor",
        "figure_7: theorem_12_range",
        "theorem_12_proof",
    ),
)
