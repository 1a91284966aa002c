"""What is taken out of texts before they are kept or logged: secrets by their form, and e-mail addresses.

What has no form of its own, such as a name or a short password, isn't recognised: questions aren't kept by default.
"""

import os
import re
from collections.abc import Mapping

SECRET, ADDRESS = "[secret]", "[e-mail]"
_FORMS = re.compile(
    r"-----BEGIN [A-Z ]{0,40}PRIVATE KEY-----[\s\S]{0,8000}?(?:-----END [A-Z ]{0,40}PRIVATE KEY-----|\Z)"
    r"|\brn_[\w-]{20,200}"  # ours
    r"|\bxox[a-z]-[\w-]{8,300}|\bxapp-[\w-]{8,300}"  # Slack
    r"|\bgh[pousr]_\w{20,300}|\bgithub_pat_\w{20,300}|\bglpat-[\w-]{16,300}"
    r"|\bnpm_\w{30,100}|\bpypi-[\w-]{40,400}"
    r"|\bsk-[\w-]{16,300}|\b(?:AKIA|ASIA)[0-9A-Z]{16}\b"
    r"|\beyJ[\w-]{8,2000}\.[\w-]{4,4000}\.[\w-]{0,1000}"  # a JSON web token
)
_LOGIN = re.compile(r"(?<=://)[^\s/@:]{1,200}:[^\s/@]{1,200}(?=@)")
_HEADER = re.compile(r"\b(bearer|basic) +[\w.~+/=-]{8,2000}", re.IGNORECASE)
_STATED = re.compile(
    r"\b((?:[\w-]{0,40}[_-])?(?:password|passwd|secret|token|api[_-]?key)[\"']?\s{0,3}[=:]\s{0,3})"
    r"[\"']?[^\s\"',;]{6,500}[\"']?",
    re.IGNORECASE,
)
_MAIL = re.compile(r"[\w.+-]{1,64}@(?:[a-z0-9-]{1,63}\.){1,8}[a-z]{2,24}\b", re.IGNORECASE)
_VARIABLES = (
    "RELNOTES_TOKEN",
    "RELNOTES_LLM_API_KEY",
    "RELNOTES_MILVUS_TOKEN",
    "GITHUB_TOKEN",
    "SLACK_BOT_TOKEN",
    "SLACK_APP_TOKEN",
    "SLACK_SIGNING_SECRET",
)
_SHORTEST = 6
"""A shorter value would blot out words that have nothing to do with it."""


def redact(text: str) -> str:
    """`text` with `[secret]` and `[e-mail]` in the places of what looks like one; other text stays as it is."""
    text = _FORMS.sub(SECRET, text)
    text = _LOGIN.sub(SECRET, text)
    text = _HEADER.sub(rf"\1 {SECRET}", text)
    text = _STATED.sub(rf"\1{SECRET}", text)
    return _MAIL.sub(ADDRESS, text)


def own_secrets(environment: Mapping[str, str] = os.environ) -> tuple[str, ...]:
    """The secrets that this process was given, longest first; the short ones aren't among them."""
    values = {environment.get(name, "") for name in _VARIABLES}
    return tuple(sorted((value for value in values if len(value) >= _SHORTEST), key=len, reverse=True))
