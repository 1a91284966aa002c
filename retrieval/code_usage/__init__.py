"""Which symbols, command-line flags and environment variables a repository's code uses, and on which line."""
