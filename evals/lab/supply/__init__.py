"""What the product is made of: the locked dependencies, and what is known against them."""
