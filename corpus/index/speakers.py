"""Who speaks for a product: whom the user names for it, else who had it first; all else is told by its name.

An origin is a repository, a package, a site, or a folder or file of the user's. Where another one speaks, what it says
isn't official, and what a tag of it names stands below its repository's name.
"""

import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from corpus.index.stored import DocumentSummary
from corpus.model import Authority, Claim, Speaker


@dataclass(frozen=True, slots=True)
class NameClaim:
    """How an origin has a name: by the document that claims it most."""

    speaker: Speaker
    name: str
    document: DocumentSummary

    @property
    def strength(self) -> tuple[bool, Claim, int]:
        """Whether a product is called so, and not only called so as well; by what right, and since when."""
        return self.name == self.document.product, self.speaker.claim, -self.speaker.since

    @property
    def who(self) -> str:
        """The origin as people call it: a repository, a package, a site, a folder or a file."""
        if self.speaker.origin.endswith("*"):
            return self.document.source
        place = self.speaker.origin.rpartition("github:")[2].rstrip("/")
        return place.rpartition("/")[2] if place.startswith("/") else place


@dataclass(frozen=True, slots=True)
class Contest:
    """An origin that has a name for which another one speaks."""

    claim: NameClaim
    holder: NameClaim

    def __str__(self) -> str:
        """Return what there is to say of it, in one line without a full stop."""
        who, own = self.claim.who, self.claim.speaker.own
        fate = f"what {who} tags so is kept as {own}" if own else f"what {who} says isn't taken as official"
        told = f"{self.holder.who} speaks for {self.holder.name}, which {who} tells of too"
        return f"{told}; {fate} (--product or a sources.toml says that both are one project)"


Contests = Mapping[tuple[str, str], Contest]  # By origin and the product's name in folded case.


def find_contests(documents: Iterable[DocumentSummary]) -> Contests:
    """Return which origins have names for which others speak."""
    claims: dict[str, dict[str, NameClaim]] = {}
    for document in documents:
        for name in (document.product, *document.aliases):
            speaker = document.speaker
            if name in speaker.from_headings and name != document.product:
                # Another name that headings alone tell joins no products, not even of this origin.
                speaker = Speaker(f"?{speaker.origin}", Claim.TEXT, since=sys.maxsize)
            known, claim = claims.setdefault(name.casefold(), {}), NameClaim(speaker, name, document)
            known[speaker.origin] = max(known.get(speaker.origin, claim), claim, key=lambda one: one.strength)
    contested = ((name, list(found.values())) for name, found in claims.items() if len(found) > 1)
    return {(one.claim.speaker.origin, name): one for name, found in contested for one in _contests(found)}


def _contests(claims: Sequence[NameClaim]) -> Iterable[Contest]:
    """Yield those of the claims to one name that give way."""
    strongest = max(one.speaker.claim for one in claims)
    speaking = [one for one in claims if one.speaker.claim is strongest]
    if strongest is Claim.TEXT:
        first = min(speaking, key=lambda one: one.speaker.since)
        speaking = [one for one in speaking if one.document.root == first.document.root]
    holder = max(speaking, key=lambda one: one.strength)
    for one in claims:
        if one not in speaking and not any(_are_kin(one.speaker, other.speaker) for other in speaking):
            yield Contest(one, holder)


def grant(documents: Sequence[DocumentSummary], contests: Contests) -> tuple[DocumentSummary, ...]:
    """Return the documents with the product, the aliases and the authority that are theirs by right, in their order."""
    return tuple(_granted(document, contests) for document in documents) if contests else tuple(documents)


def _granted(document: DocumentSummary, lost: Contests) -> DocumentSummary:
    origin, from_headings = document.speaker.origin, document.speaker.from_headings
    kept = [(name, f"?{origin}" if name in from_headings else origin) for name in document.aliases]
    aliases = tuple(name for name, place in kept if (place, name.casefold()) not in lost)
    contest = lost.get((origin, document.product.casefold()))
    if contest is None:
        return replace(document, aliases=aliases)
    if document.speaker.own:
        return replace(document, product=document.speaker.own, aliases=())
    is_ours = document.authority in (Authority.OFFICIAL, Authority.PROJECT)
    authority = Authority.UNKNOWN if is_ours else document.authority
    return replace(document, product=contest.holder.name, aliases=(), authority=authority, is_contested=True)


def _are_kin(one: Speaker, other: Speaker) -> bool:
    """Return whether two origins are surely of one project: of one site or folder, or linked by a package."""
    return any(
        f"{a.origin}*" == b.origin or any(_lies_in(a.origin, place) for place in (b.origin, *b.kin))
        for a, b in ((one, other), (other, one))
    )


def _lies_in(origin: str, place: str) -> bool:
    """Return whether an origin is a place, or a host below one."""
    return origin == place or (":" not in place and "/" not in place and origin.endswith(f".{place}"))
