"""JSON that may be looked at in a terminal: the same values, and nothing in it drives the screen."""

import json

_DRIVING = (*range(0x7F, 0xA0), 0x061C, 0x200E, 0x200F, *range(0x2028, 0x202F), *range(0x2066, 0x206A))
_ESCAPED = {code: f"\\u{code:04x}" for code in _DRIVING}
"""C1 controls, separators of lines and marks of writing direction, which JSON needn't escape; they stand in strings
alone, so that escaped they are the same."""


def printed_json(value: object) -> str:
    """`value` as indented JSON without the final line end, with every character escaped that a terminal acts upon."""
    return json.dumps(value, ensure_ascii=False, indent=2).translate(_ESCAPED)
