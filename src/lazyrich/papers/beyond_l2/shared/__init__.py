"""Judges, drawings and readings that several claims of beyond_l2 use."""
