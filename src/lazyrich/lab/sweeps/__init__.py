"""Sweeps: one experiment at every point of a grid, in pieces that outlive whatever dies."""
