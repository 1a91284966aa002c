"""Why a file of code isn't read."""


class Unparsable(ValueError):
    """The text can't be parsed, or only at a cost that no reader would bear; the message is the reason."""
