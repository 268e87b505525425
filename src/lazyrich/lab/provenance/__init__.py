"""Where a result comes from: which source, which commit, and a digest of what it depends on."""
