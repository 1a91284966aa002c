"""What an input costs in processor time as it doubles, and which patterns are slow on what they are made of."""
