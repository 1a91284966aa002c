"""What an item of the notes makes of a question or of a claim, read together by one small cross-encoder."""
