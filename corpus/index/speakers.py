"""Who speaks for a product: each origin for what its user, or its own name, says that it is about; what a text says of
itself counts where no other origin has the product.

An origin is a repository, a package, a site, or a folder or file of the user's. One that claims what another one has
isn't official, and what a tag names stands below its repository's name then.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from corpus.index.stored import DocumentSummary
from corpus.model import Authority, Claim, Speaker

_NOT_OURS = {Authority.OFFICIAL: Authority.UNKNOWN, Authority.PROJECT: Authority.UNKNOWN}
"""As what another origin speaks than as the project itself."""


@dataclass(frozen=True, slots=True)
class NameClaim:
    """How an origin has a name."""

    speaker: Speaker
    """With the strongest claim of its documents to the name."""
    name: str
    """As it is written."""
    source: str
    """One of its documents."""
    is_product: bool
    """Whether a product is called so, and not only called so as well."""

    @property
    def who(self) -> str:
        """The origin as people call it: a repository, a package, a site, a folder or a file."""
        if self.speaker.origin.endswith("/*"):
            return self.source
        place = self.speaker.origin.rpartition("github:")[2].rstrip("/")
        return place.rpartition("/")[2] if place.startswith("/") else place


@dataclass(frozen=True, slots=True)
class Contest:
    """An origin that claims a name which another one has."""

    claim: NameClaim
    holder: NameClaim

    def __str__(self) -> str:
        """Return what there is to say of it, in one line without a full stop."""
        claim, holder = self.claim, self.holder
        later, earlier = (claim, holder) if claim.speaker.since >= holder.speaker.since else (holder, claim)
        own = claim.speaker.own
        fate = f"what {claim.who} tags so is kept as {own}" if own else f"what {claim.who} says isn't taken as official"
        return (
            f"{later.who} now speaks for {holder.name}, which came from {earlier.who} so far; {fate} "
            "(--product or a sources.toml says that both are one project)"
        )


Contests = Mapping[tuple[str, str], Contest]
"""By origin and the product's name in folded case."""


def find_contests(documents: Iterable[DocumentSummary]) -> Contests:
    """Return which origins claim names that others have."""
    claims: dict[str, dict[str, NameClaim]] = {}
    for document in documents:
        for name in (document.product, *document.aliases):
            speaker = document.speaker
            if name in speaker.from_headings:
                speaker = replace(speaker, origin=_heading_origin(speaker.origin), claim=Claim.TAG, kin=())
            claim = NameClaim(speaker, name, document.source, name == document.product)
            known = claims.setdefault(name.casefold(), {}).setdefault(speaker.origin, claim)
            if _strength(claim) > _strength(known):
                claims[name.casefold()][speaker.origin] = claim
    found: dict[tuple[str, str], Contest] = {}
    for name, origins in claims.items():
        # The user's own origins are never doubted, and there may be thousands.
        doubtful = [one for one in origins.values() if one.speaker.claim is not Claim.USER]
        for one in doubtful if len(origins) > 1 else ():
            if holders := [other for other in origins.values() if _yields(one.speaker, other.speaker)]:
                found[one.speaker.origin, name] = Contest(one, max(holders, key=_strength))
    return found


def _heading_origin(origin: str) -> str:
    """Return what stands for the headings of an origin's documents: another name that they alone tell joins no
    products, not even of this origin."""
    return f"?{origin}"


def _strength(claim: NameClaim) -> tuple[bool, Claim, int]:
    return claim.is_product, claim.speaker.claim, -claim.speaker.since


def grant(documents: Sequence[DocumentSummary], contests: Contests) -> tuple[DocumentSummary, ...]:
    """Return the documents with the product, the aliases and the authority that are theirs by right, in their order."""
    return tuple(_granted(document, contests) for document in documents) if contests else tuple(documents)


def _granted(document: DocumentSummary, contests: Contests) -> DocumentSummary:
    origin, from_headings = document.speaker.origin, document.speaker.from_headings
    aliases = tuple(
        alias
        for alias in document.aliases
        if (_heading_origin(origin) if alias in from_headings else origin, alias.casefold()) not in contests
    )
    contest = contests.get((origin, document.product.casefold()))
    if contest is None:
        return document if aliases == document.aliases else replace(document, aliases=aliases)
    if document.speaker.own:
        return replace(document, product=document.speaker.own, aliases=())
    authority = _NOT_OURS.get(document.authority, document.authority)
    return replace(document, product=contest.holder.name, aliases=(), authority=authority, is_contested=True)


def _yields(one: Speaker, other: Speaker) -> bool:
    """Return whether an origin that the user doesn't name so has no right to a name beside another one that has it."""
    if _are_kin(one, other):
        return False
    is_later = other.since < one.since
    if Claim.TAG in (one.claim, other.claim):
        return one.claim is Claim.TAG and (other.claim is not Claim.TAG or other.since <= one.since)
    if one.claim is Claim.NAME:
        return other.claim is Claim.NAME and is_later
    is_stranger = one.claim is Claim.STRANGER or other.since == one.since
    return is_later or (other.claim >= Claim.NAME and is_stranger)


def _are_kin(one: Speaker, other: Speaker) -> bool:
    """Return whether two origins are surely of one project: the same, of one site or folder, or linked by a package."""
    pair = (one, other), (other, one)
    return any(
        a.origin == b.origin
        or any(_lies_in(a.origin, place) for place in b.kin)
        or (a.origin.startswith(b.origin) if b.origin.endswith("/") else _lies_in(a.origin, b.origin))
        for a, b in pair
    )


def _lies_in(origin: str, place: str) -> bool:
    """Return whether an origin is a place, or a host below one."""
    return origin == place or (":" not in place and "/" not in place and origin.endswith(f".{place}"))
