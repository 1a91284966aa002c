"""Other libraries beside relnotes: one class each, whatever is measured of them."""
