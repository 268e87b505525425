"""Kernel and rich regimes: one scale of the start leads from least l2 to least l1."""

CLAIMS = ("theorem_1", "lemma_6", "figure_4", "figure_6c", "figure_6d", "figure_8", "figure_9")
