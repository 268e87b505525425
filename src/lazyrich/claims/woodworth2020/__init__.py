"""Kernel and rich regimes: one scale of the start leads from least l2 to least l1."""

CLAIMS = (
    "theorem_1",
    "theorem_1_general",
    "dual_ascent",
    "lemma_6",
    "theorem_3",
    "lemma_8",
    "appendix_c",
    "kernel_scaling",
    "kernel_limit",
    "shape_survives_depth_3",
    "explicit_against_implicit",
    "output_scaling",
    "biased_start",
    "escape_time",
    "proof_time_factor",
)
