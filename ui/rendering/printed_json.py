"""JSON that may be looked at in a terminal: the same values, and nothing in it drives the screen."""

_DRIVING = (*range(0x7F, 0xA0), 0x061C, 0x200E, 0x200F, *range(0x2028, 0x202F), *range(0x2066, 0x206A))
_ESCAPED = {code: f"\\u{code:04x}" for code in _DRIVING}
"""C1 controls, separators of lines and marks of writing direction, which JSON needn't escape; they stand in strings
alone, so that escaped they are the same."""


def printed_json(text: str) -> str:
    """`text`, which is JSON, with every character escaped that a terminal acts upon."""
    return text.translate(_ESCAPED)
