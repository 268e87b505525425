"""Facts about arrays: stable functions, crossings, quadrature. No model, no data."""
