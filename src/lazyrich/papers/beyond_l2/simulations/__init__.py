"""The simulations of beyond_l2."""
