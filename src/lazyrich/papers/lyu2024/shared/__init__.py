"""Judges, drawings and readings that several claims of lyu2024 use."""
