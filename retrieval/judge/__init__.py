"""The judge: small cross-encoders that read an item of the notes together with a question or a claim."""
