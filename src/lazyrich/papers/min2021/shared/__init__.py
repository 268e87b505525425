"""Readings and drawings that several claims of min2021 use."""
