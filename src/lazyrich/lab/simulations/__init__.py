"""Simulations that two papers share, or a paper and the forecast."""
