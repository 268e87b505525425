"""The simulations of woodworth2020."""
