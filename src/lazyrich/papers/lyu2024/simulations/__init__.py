"""The simulations of lyu2024."""
