"""What an upgrade from one release to another breaks, removes, deprecates or asks of its users."""
