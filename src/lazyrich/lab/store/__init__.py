"""Stored runs: their files, the catalogue of their rows, questions about them, exports."""
