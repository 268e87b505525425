"""Kernel and rich regimes: one scale of the start leads from least l2 to least l1."""

CLAIMS = ("theorem_1", "lemma_6", "figure_6c", "figure_4", "figure_9")
