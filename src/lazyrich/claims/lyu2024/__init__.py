"""Dichotomy of early and late phase implicit biases: kernel first, least norm later, grokking between."""

CLAIMS = ("figure_1a", "data_collapse", "theorem_3_4_normalizer")
