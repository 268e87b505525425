"""The simulations of min2021."""
