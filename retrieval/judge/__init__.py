"""What an item of the notes makes of a question or of a claim: a small cross-encoder reads both together."""
