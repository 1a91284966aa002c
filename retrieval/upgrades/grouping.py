"""Atoms in groups: a bullet with what hangs on it, a paragraph with what leans on it; and what a group is good for, an
entry, an introduction to others, or their details.
"""

import re
from collections.abc import Callable, Iterator, Sequence

from corpus.plain_words import readable
from retrieval.quoting.said_words import leads_away
from retrieval.upgrades.atoms import Atom
from retrieval.upgrades.effects import stated_change, told_change

_NAME_CHARACTERS = 70
"""A nested list's bullets up to this length on average are names or details of what introduces them."""
_DETAIL_CHARACTERS = 200
_INTRODUCTION_CHARACTERS = 220
_LEANS = re.compile(
    r"(?:this|these|it|they|previously|before|now|instead|if|for example|for instance|e\.g|see|note|to (?:keep|update"
    r"|avoid|get|use|enable|disable)|as a|in order|in addition|additionally|also|however|should|would|use|you|we|when"
    r"|where|which|after|and|or|but|because|while|code|with this|refer|example|then|there|here|contributed"
    r"|the (?:new|old|following|same|previous|above))\b|\(|\W*$",
    re.IGNORECASE,
)
_ONLY_INTRODUCES = re.compile(
    r"\W*(?:[\w'\u2019 -]{1,60}\b(?:proud|happy|pleased|excited|thrilled|delighted) to announce|these (?:features"
    r"|changes|are\b|release notes)|this (?:section|page|document)\b|contributed by"
    r"|(?:[\w-]+ ){1,5}(?:is|are) (?:listed|described|documented|kept) (?:separately|below|elsewhere|above|under))",
    re.IGNORECASE,
)
_DIRECTED = re.compile(r"(?:[:\uff1a\u2026]|\.\.\.)\W*$")


def _groups(atoms: Sequence[Atom], opens: Callable[[Atom, Sequence[Atom]], bool]) -> Iterator[list[Atom]]:
    """The atoms in order, a group for each that `opens` one after those before it."""
    run: list[Atom] = []
    for atom in atoms:
        if run and opens(atom, run):
            yield run
            run = []
        run.append(atom)
    if run:
        yield run


def read_runs(atoms: Sequence[Atom]) -> Iterator[list[Atom]]:
    """A bullet with what is nested in it or continues it; a paragraph with what leans on it."""

    def opens(atom: Atom, run: Sequence[Atom]) -> bool:
        if not run[0].is_entry:
            return atom.is_entry or _opens_paragraph(atom, run)
        return atom.indent <= run[0].indent and (atom.is_entry or (atom.opens_paragraph and not atom.is_code))

    return _groups(atoms, opens)


def read_paragraphs(atoms: Sequence[Atom]) -> Iterator[list[Atom]]:
    """Paragraphs with the code, the names and the explanations that follow each."""
    return _groups(atoms, _opens_paragraph)


def read_sentences(atoms: Sequence[Atom]) -> Iterator[list[Atom]]:
    """Sentences, each with those that lean on it within its paragraph."""
    return _groups(
        atoms,
        lambda atom, run: (
            not atom.is_code and not introduces(run) and (atom.opens_paragraph or not _LEANS.match(atom.words))
        ),
    )


def read_directives(atoms: Sequence[Atom]) -> Iterator[list[Atom]]:
    """Each change directive with all that it holds."""
    return _groups(atoms, lambda atom, _: atom.tags is not None)


def is_introduction(run: Sequence[Atom]) -> bool:
    words = plain(run)
    return (
        run[0].is_code
        or bool(_ONLY_INTRODUCES.match(words))
        or leads_away(run[0].words)
        or bool(introduces(run) and len(run) == 1)
    )


def are_names(runs: Sequence[Sequence[Atom]]) -> bool:
    lengths = [sum(len(atom.words) for atom in run) for run in runs]
    return bool(lengths) and sum(lengths) / len(lengths) <= _NAME_CHARACTERS


def are_entries(paragraphs: Sequence[Sequence[Atom]]) -> bool:
    """Whether the paragraphs or bullets under a title each state a change of their own."""
    stating = sum(stated_change(plain(run)) is not None for run in paragraphs)
    return stating > 1 and 2 * stating >= len(paragraphs)


def are_details(prose: Sequence[Sequence[Atom]], bullets: Sequence[Sequence[Atom]]) -> bool:
    """Whether bullets under a titled change only spell out what its prose says."""
    words = " ".join(plain(run) for run in prose)
    if not told_change(words) and len(words) < _INTRODUCTION_CHARACTERS:
        return False
    return are_names(bullets) or len(words) > sum(len(plain(run)) for run in bullets) or len(bullets) == 1


def plain(run: Sequence[Atom]) -> str:
    return readable(" ".join(atom.words for atom in run if not atom.is_code))


def _opens_paragraph(atom: Atom, run: Sequence[Atom]) -> bool:
    return atom.opens_paragraph and not atom.is_code and not _leans(atom, run)


def _leans(atom: Atom, run: Sequence[Atom]) -> bool:
    """Whether a paragraph continues what stands before it: further in, after a colon, or by its first words."""
    return (
        atom.indent > run[0].indent
        or introduces(run)
        or bool(_LEANS.match(atom.words))
        or (len(atom.words) < _NAME_CHARACTERS and not atom.words.rstrip().endswith((".", ":")))
        or (
            atom.words[:1].islower()
            and len(atom.words) < _DETAIL_CHARACTERS
            and any(_DIRECTED.search(earlier.words) for earlier in run)
        )
    )


def introduces(run: Sequence[Atom]) -> bool:
    """Whether a group ends as an introduction does, in a colon or dots."""
    return bool(_DIRECTED.search(run[-1].words))
