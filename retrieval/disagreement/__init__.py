"""Whether two sentences of release notes disagree: what each claims, and the comparison of two claims."""

from retrieval.disagreement.claims import Claim, read_claims
from retrieval.disagreement.comparison import Saying, Scope, find_disagreement

__all__ = ["Claim", "Saying", "Scope", "find_disagreement", "read_claims"]
