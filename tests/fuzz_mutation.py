"""Inputs made from other inputs: a mutator that knows lines, pairs and the pieces of a target's grammar.

Chance alone seldom writes a second `<<<<<<<` or a table within a list; this one puts the target's own signs in, takes
lines from other seeds, and repeats pieces until they nest deep.
"""

import random
from collections.abc import Sequence

MAX_BYTES = 16_384
_EDGES = (
    b"\x00",
    b"\xff",
    b"\xfe\xff",
    b"\xed\xa0\x80",
    b"\xf4\x90\x80\x80",
    b"\xc2\x85",
    b"\xe2\x80\xa8",
    b"\xef\xbb\xbf",
    b"\xcc\x81",
    b"\xd9\xa0",
    b"\xe0\xa5\xa7",
    b"\xf0\x9d\x9f\x98",
    b"\xe2\x80\xae",
    b"\x1b[31m",
    b"\r",
    b"\r\n",
    b"\t",
    b"\x0c",
    b"\x0b",
    b"\x1c",
    b"\xc2\xa0",
    b"\xc4\xb0",
    b"\xc3\x9f",
    b"%",
    b"\\",
    b"{}",
    b"1" * 30,
    b"-1",
    b"0x1",
    b"1e309",
)
"""Bytes that decoders, line splitters, number readers and templates trip over."""


class Mutator:
    """Makes inputs of one target. The same `chance` in the same state gives the same input."""

    def __init__(self, seeds: Sequence[bytes], signs: Sequence[str]) -> None:
        self._seeds = tuple(seeds)
        self._signs = tuple(sign.encode("utf-8", "surrogatepass") for sign in signs)

    def fresh(self, chance: random.Random) -> bytes:
        """An input from a seed, or from signs alone; at most `MAX_BYTES`."""
        if chance.random() < 0.25:
            content = b"".join(self._piece(chance) for _ in range(chance.randint(0, 40)))
        else:
            content = chance.choice(self._seeds)
        return self.changed(content, chance)

    def changed(self, content: bytes, chance: random.Random) -> bytes:
        """`content` after one to eight changes; at most `MAX_BYTES`."""
        for _ in range(1 + min(7, int(chance.expovariate(0.6)))):
            content = self._once(content, chance)
        return content[:MAX_BYTES]

    def _once(self, content: bytes, chance: random.Random) -> bytes:
        start, end = sorted((chance.randint(0, len(content)), chance.randint(0, len(content))))
        end = min(end, start + chance.choice((1, 4, 32, 512, MAX_BYTES)))
        match chance.randrange(9):
            case 0 | 1:
                return content[:start] + self._piece(chance) + content[start:]
            case 2:
                return content[:start] + content[end:]
            case 3:
                return content[:end] + content[start:end] * chance.choice((1, 2, 30)) + content[end:]
            case 4:
                return content[:start] + self._piece(chance) * chance.choice((3, 50, 1_000)) + content[start:]
            case 5:
                return content[:start] + chance.randbytes(min(4, end - start)) + content[end:]
            case 6:
                return self._with_lines_moved(content, chance)
            case 7:
                return content[:start] + chance.choice(_EDGES) + content[start:]
        other = chance.choice(self._seeds)
        there = chance.randint(0, len(other))
        return content[:start] + other[there : there + chance.choice((16, 256, 4_096))] + content[end:]

    def _piece(self, chance: random.Random) -> bytes:
        return chance.choice(self._signs) if self._signs and chance.random() < 0.8 else chance.choice(_EDGES)

    def _with_lines_moved(self, content: bytes, chance: random.Random) -> bytes:
        lines = content.split(b"\n")
        one, other = chance.randrange(len(lines)), chance.randrange(len(lines))
        lines[one], lines[other] = (
            lines[other],
            lines[one] + (b" " * chance.choice((0, 2, 8)) if chance.random() < 0.3 else b""),
        )
        return b"\n".join(lines)
