"""Composed experiments that claims, sweeps and the page share, one a file."""
