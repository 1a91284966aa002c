"""All names that a body of code uses, and the look-up of those that release notes speak of."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from retrieval.code_usage.inheritance import with_inherited
from retrieval.code_usage.matching import Strength, strength
from retrieval.code_usage.model import FileNames, LeftOut, Mention, Usage
from retrieval.code_usage.product_roots import product_roots
from retrieval.code_usage.wanted import parse_wanted

_Place = tuple[int, int]
_CONSTANTS = frozenset(("None", "True", "False", "null", "true", "false", "undefined"))


@dataclass(frozen=True, slots=True)
class CodeUsage:
    """The names that code uses; made by `load_code`."""

    files: tuple[str, ...]
    """Those read, relative to the directory that was scanned, in order."""
    left_out: tuple[LeftOut, ...]
    """What wasn't read, and why."""
    places: Mapping[Mention, tuple[_Place, ...]] = field(repr=False)
    """For each mention, the number of its file in `files` and its line; in order."""
    by_part: Mapping[str, tuple[Mention, ...]] = field(repr=False)
    defined: frozenset[str] = field(repr=False)
    subjects: tuple[frozenset[str], ...] = field(repr=False)
    """What each file speaks of."""

    @classmethod
    def from_files(cls, files: Mapping[str, FileNames], *, left_out: Iterable[LeftOut] = ()) -> "CodeUsage":
        """Put together what the files name; a class of one file leads to its bases in another."""
        places: dict[Mention, list[_Place]] = {}
        for number, names in enumerate(files.values()):
            for mention, line in names.places:
                places.setdefault(mention, []).append((number, line))
        places = with_inherited(places, [own for names in files.values() for own in names.classes])
        by_part: dict[str, list[Mention]] = {}
        for mention in places:
            for part in set(mention.path[len(mention.path) - mention.written :]):
                by_part.setdefault(part, []).append(mention)
        return cls(
            tuple(files),
            tuple(left_out),
            {mention: tuple(where) for mention, where in places.items()},
            {part: tuple(mentions) for part, mentions in by_part.items()},
            frozenset().union(*(names.defined for names in files.values())),
            tuple(names.subjects for names in files.values()),
        )

    @property
    def notes(self) -> tuple[str, ...]:
        """One line for people about each reason for which files weren't read."""
        return tuple(
            f"{each.files} {'file' if each.files == 1 else 'files'} left out of the code scan, {each.reason}:"
            f" {each.example}{' and others' if each.files > 1 else ''}."
            for each in self.left_out
        )

    def usages_of(
        self,
        symbols: Sequence[str],
        *,
        product: Sequence[str] = (),
        arguments: Sequence[str] = (),
        limit: int = 20,
    ) -> tuple[Usage, ...]:
        """Where the code uses one of `symbols`, the surest first, then by file and line; one usage a line.

        Args:
            symbols: as release notes write them, all of one entry: an argument counts where its function is named too.
            product: the names of the product that the notes are of. Without one, a name counts only where the symbol
                itself says where it comes from, or is a flag, an environment variable or a setting.
            arguments: those of `symbols` that the notes call arguments or options, as `arguments_of` finds them. Where
                the notes name nothing else, they count in any call that leads into the product.
            limit: of usages.
        """
        roots = product_roots(tuple(product))
        wanted = [each for each in map(parse_wanted, dict.fromkeys(symbols)) if each]
        named = (each.last for each in wanted if not each.keyword and each.symbol not in arguments)
        beside = frozenset(name for name in named if name not in _CONSTANTS)
        found: dict[_Place, tuple[Strength, int, str]] = {}
        for order, each in enumerate(wanted):
            for mention in self.by_part.get(each.last, ()):
                sure = strength(
                    each,
                    mention,
                    roots=roots,
                    beside=beside,
                    owned=each.last in self.defined,
                    is_argument=each.symbol in arguments,
                )
                if sure is None:
                    continue
                for place in self.places[mention]:
                    if sure is Strength.NEAR and roots.isdisjoint(self.subjects[place[0]]):
                        continue
                    found[place] = min(found.get(place, (Strength.NEAR, len(wanted), "")), (sure, order, each.symbol))
        ranked = sorted(found.items(), key=lambda item: (item[1][0], item[0]))
        return tuple(Usage(symbol, self.files[file], line) for (file, line), (_, _, symbol) in ranked[:limit])
