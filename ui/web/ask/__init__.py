"""Ask: questions, answers and the conversation that they make."""
