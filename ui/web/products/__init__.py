"""Pages of products and of their releases."""
