"""Whether two sentences of release notes disagree: what each claims, and the comparison of two claims."""

from retrieval.disagreement.claims import ClauseClaim, read_claims
from retrieval.disagreement.comparison import Saying, StatementScope, find_disagreement

__all__ = ["ClauseClaim", "Saying", "StatementScope", "find_disagreement", "read_claims"]
