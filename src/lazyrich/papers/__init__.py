"""The papers, a folder each: claims, the simulations they read, and what several of them share."""
