"""The simulations of the bridges."""
