"""Inputs made from other inputs: a mutator that knows lines, pairs and the pieces of a target's grammar.

Chance alone seldom writes a second `<<<<<<<` or a table within a list; this one puts the target's own signs in, takes
lines from other seeds, and repeats pieces until they nest deep.
"""

import random
import re
from collections.abc import Sequence

MAX_BYTES = 16_384
_CHARACTERS = "\ufeff\u0301\u0085\u2028\u202e\u00a0\u0660\u0967\U0001d7d8İß\0\t\r\v\f\x1c%\\"
_EDGES = (
    *(character.encode() for character in _CHARACTERS),
    *(b"\xff", b"\xfe\xff", b"\xed\xa0\x80", b"\xf4\x90\x80\x80"),
    *(b"\r\n", b"\x1b[31m", b"{}", b"1" * 30, b"-1", b"0x1", b"1e309"),
)
"""Bytes that decoders, line splitters, number readers and templates trip over."""


class Mutator:
    """Makes inputs of one target. The same `chance` in the same state gives the same input."""

    def __init__(self, seeds: Sequence[bytes], signs: Sequence[str]) -> None:
        self._seeds = tuple(seeds)
        of_seeds = (piece for seed in seeds for piece in (*re.findall(rb"[^\w\s]+", seed), *seed.splitlines(True)))
        self._pieces = tuple(dict.fromkeys((*(sign.encode("utf-8", "surrogatepass") for sign in signs), *of_seeds)))

    def fresh(self, chance: random.Random) -> bytes:
        """An input from a seed, or from pieces alone; at most `MAX_BYTES`."""
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
                return self._with_lines_exchanged(content, chance)
            case 7:
                return content[:start] + chance.choice(_EDGES) + content[start:]
        other = chance.choice(self._seeds)
        there = chance.randint(0, len(other))
        return content[:start] + other[there : there + chance.choice((16, 256, 4_096))] + content[end:]

    def _piece(self, chance: random.Random) -> bytes:
        return chance.choice(self._pieces if self._pieces and chance.random() < 0.8 else _EDGES)

    def _with_lines_exchanged(self, content: bytes, chance: random.Random) -> bytes:
        lines = content.split(b"\n")
        first, second = chance.randrange(len(lines)), chance.randrange(len(lines))
        indented = b" " * chance.choice((0, 0, 0, 2, 8)) + lines[first]
        lines[first], lines[second] = lines[second], indented
        return b"\n".join(lines)
