"""Decides which origin is a product's own: the user's, else those that a file or folder names, else the first. Others'
statements aren't official, and releases that they tag with its name are kept under their repository's name.

An origin is a repository, a package, a site, or a folder or file of the user's.
"""

import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from corpus.index.stored import DocumentSummary
from corpus.model import Authority, Claim, Speaker


@dataclass(frozen=True, slots=True)
class NameClaim:
    """An origin's claim to a name, with the document that claims it most strongly."""

    speaker: Speaker
    name: str
    document: DocumentSummary

    @property
    def strength(self) -> tuple[bool, Claim, int]:
        """A sort key: whether the name is the document's product (not an alias), the kind of claim, and how early."""
        return self.name == self.document.product, self.speaker.claim, -self.speaker.since

    @property
    def who(self) -> str:
        """The origin as people call it: a repository, a package, a site, a folder or a file."""
        if self.speaker.origin.endswith("*"):
            return self.document.source
        address = self.speaker.origin.rpartition("github:")[2].rstrip("/")
        return address.rpartition("/")[2] if address.startswith("/") else address


@dataclass(frozen=True, slots=True)
class Contest:
    """An origin's claim to a name that belongs to another origin, the holder."""

    claim: NameClaim
    holder: NameClaim

    def __str__(self) -> str:
        """Return an explanation in one line, without a full stop."""
        who, own_name = self.claim.who, self.claim.speaker.own_name
        fate = f"what {who} tags so is kept as {own_name}" if own_name else f"what {who} says isn't taken as official"
        cause = f"{self.holder.who} speaks for {self.holder.name}, which {who} tells of too"
        return f"{cause}; {fate} (--product says that both are one project)"


Contests = Mapping[tuple[str, str], Contest]  # By origin and the product's name in folded case.


def find_contests(documents: Iterable[DocumentSummary]) -> Contests:
    """Return the claims to names that belong to another origin, by origin and case-folded name."""
    claims: dict[str, dict[str, NameClaim]] = {}
    for document in documents:
        for name in (document.product, *document.aliases):
            speaker = document.speaker
            if name in speaker.from_headings and name != document.product:
                # An alias found only in headings joins no products, not even those of one origin.
                speaker = Speaker(f"?{speaker.origin}", Claim.TEXT, since=sys.maxsize)
            elif speaker.claim is Claim.TEXT and speaker.origin.casefold().endswith(f"/{name.casefold()}/"):
                # The folder is named after the product, whatever its files call it.
                speaker = replace(speaker, origin=speaker.origin[: -len(name) - 1], claim=Claim.FILE)
            by_origin, claim = claims.setdefault(name.casefold(), {}), NameClaim(speaker, name, document)
            by_origin[speaker.origin] = max(by_origin.get(speaker.origin, claim), claim, key=lambda c: c.strength)
    contested = ((name, list(rivals.values())) for name, rivals in claims.items() if len(rivals) > 1)
    return {(c.claim.speaker.origin, name): c for name, rivals in contested for c in _contests(rivals)}


def _contests(claims: Sequence[NameClaim]) -> Iterable[Contest]:
    """Yield a `Contest` for each claim to a name that loses to a stronger claim of an unrelated origin."""
    strongest = max(claim.speaker.claim for claim in claims)
    winners = [claim for claim in claims if claim.speaker.claim is strongest]
    if strongest is Claim.TEXT:
        first = min(winners, key=lambda claim: claim.speaker.since)
        winners = [claim for claim in winners if claim.document.root == first.document.root]
    holder = max(winners, key=lambda claim: claim.strength)
    for claim in claims:
        if claim not in winners and not any(_are_kin(claim.speaker, winner.speaker) for winner in winners):
            yield Contest(claim, holder)


def apply_contests(documents: Sequence[DocumentSummary], contests: Contests) -> tuple[DocumentSummary, ...]:
    """Return the documents, in order, with product, aliases and authority corrected by the contests that they lost."""
    return tuple(_granted(document, contests) for document in documents) if contests else tuple(documents)


def _granted(document: DocumentSummary, contests: Contests) -> DocumentSummary:
    """Return a document without names that its origin lost: under its own name, or as contested and unofficial."""
    origin, from_headings = document.speaker.origin, document.speaker.from_headings
    alias_origins = [(name, f"?{origin}" if name in from_headings else origin) for name in document.aliases]
    aliases = tuple(name for name, alias_origin in alias_origins if (alias_origin, name.casefold()) not in contests)
    contest = contests.get((origin, document.product.casefold()))
    if contest is None:
        return replace(document, aliases=aliases)
    if document.speaker.own_name:
        return replace(document, product=document.speaker.own_name, aliases=())
    is_ours = document.authority in (Authority.OFFICIAL, Authority.PROJECT)
    authority = Authority.UNKNOWN if is_ours else document.authority
    return replace(document, product=contest.holder.name, aliases=(), authority=authority, is_contested=True)


def _are_kin(first: Speaker, second: Speaker) -> bool:
    """Return whether two origins surely belong to one project: to one site or folder, or linked by a package."""
    return any(
        f"{a.origin}*" == b.origin or any(_is_within(a.origin, place) for place in (b.origin, *b.kin))
        for a, b in ((first, second), (second, first))
    )


def _is_within(origin: str, place: str) -> bool:
    """Return whether an origin is the `place` itself, or a host below that domain."""
    return origin == place or (":" not in place and "/" not in place and origin.endswith(f".{place}"))
