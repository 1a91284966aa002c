"""Ways to make an input of any size: a piece repeated, a pattern counted through, stairs, and what is nested."""

from collections.abc import Callable

Family = Callable[[int], bytes]


def repeated(piece: str | bytes, *, before: str = "", after: str = "") -> Family:
    """`piece` again and again."""
    encoded = piece.encode() if isinstance(piece, str) else piece
    return lambda size: before.encode() + encoded * max(1, size // len(encoded)) + after.encode()


def counted(pattern: str, *, before: str = "", after: str = "") -> Family:
    """`pattern` with `@` for a number that counts up."""

    def build(size: int) -> bytes:
        count = max(1, size // (len(pattern) + 4))
        return (before + "".join(pattern.replace("@", str(number)) for number in range(count)) + after).encode()

    return build


def staircase(pattern: str) -> Family:
    """Lines that are each indented more than the one before; starts anew at a hundred."""

    def build(size: int) -> bytes:
        made, length, depth = [], 0, 0
        while length < size:
            made.append(" " * (2 * depth) + pattern)
            length += len(made[-1])
            depth = (depth + 1) % 100
        return "".join(made).encode()

    return build


def nested(opening: str, inner: str, closing: str) -> Family:
    """`opening` as often as it goes, then as many of `closing`."""
    return lambda size: (
        opening * (size // len(opening + closing)) + inner + closing * (size // len(opening + closing))
    ).encode()


def deep_json(size: int) -> bytes:
    """A list of releases whose text is a list of lists."""
    return b'[{"body": ' + b"[" * (size // 2) + b"]" * (size // 2) + b"}]"
