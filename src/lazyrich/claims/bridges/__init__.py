"""What no single paper says: one scale, one Gram flow and one clock run through all four."""

CLAIMS = (
    "one_scale",
    "entrywise",
)
