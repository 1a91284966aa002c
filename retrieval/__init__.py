"""Questions to answers: `Assistant.open("index").ask("Is TorchScript deprecated?")`.

What it offers is imported when it is asked for: `relnotes --help` needs a word of an answer and no assistant.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from retrieval.assistant import Assistant
    from retrieval.claims.model import CheckedClaim, ClaimCheck, Verdict
    from retrieval.model import Answer, Citation, RankedPassage, SearchResult, Status
    from retrieval.reviews.model import Review
    from retrieval.upgrades.code_usage import CodeUsage, load_code
    from retrieval.upgrades.model import Upgrade, UpgradeItem

__all__ = ["Answer", "Assistant", "CheckedClaim", "Citation", "ClaimCheck", "CodeUsage", "RankedPassage", "Review"]
__all__ += ["SearchResult", "Status", "Upgrade", "UpgradeItem", "Verdict", "load_code"]

if not TYPE_CHECKING:

    def __getattr__(name: str) -> object:
        homes = ("model", "claims.model", "upgrades.code_usage", "upgrades.model", "reviews.model", "assistant")
        for home in homes if name in __all__ else ():
            if name in vars(module := import_module(f"{__name__}.{home}")):
                return vars(module)[name]
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
