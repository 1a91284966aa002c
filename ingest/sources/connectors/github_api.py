"""Asking GitHub's REST API: pages, conditions, and its limits told with their end."""

import re
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from urllib.parse import quote, urlsplit

from corpus.errors import SourceError
from ingest.sources.web import Validators, WebAnswer, WebError
from ingest.sources.web.client import WebClient

_MAX_PAGES = 50
_NEXT = re.compile(r"<(?P<url>[^<>\s]+)>[^<>,]*;\s*rel=\"?next\"?")
_COMMIT = re.compile(rb"[0-9a-f]{40}(?:[0-9a-f]{24})?")
_JSON = "application/vnd.github+json"
_RAW = "application/vnd.github.raw+json"
_SHA = "application/vnd.github.sha"


class GithubApi:
    """One API with one token; threads may share it."""

    def __init__(self, client: WebClient, base_url: str, token: str) -> None:
        self._client = client
        self._base_url = base_url.rstrip("/")
        self._token = token

    @property
    def has_token(self) -> bool:
        """Whether it is asked with a token."""
        return bool(self._token)

    def get(self, path: str, *, accept: str = _JSON, etag: str = "") -> WebAnswer:
        """What the API answers at a path, or at one of its own addresses.

        Raises:
            WebError: an error, or that its limit is reached, with the time when it ends.
        """
        url = path if "://" in path else f"{self._base_url}{path}"
        headers = {"Accept": accept, "X-GitHub-Api-Version": "2022-11-28"}
        if self._token:
            headers["Authorization"] = f"Bearer {self._token}"
        try:
            return self._client.get(url, headers=headers, validators=Validators(etag=etag))
        except WebError as error:
            if error.status in (403, 429):
                raise self._limited(error) from error
            if error.status == 401:
                raise WebError("GitHub refuses the token; set GITHUB_TOKEN to one that is valid", status=401) from error
            raise

    def pages(self, path: str) -> Iterator[WebAnswer]:
        """Every page of a listing, in order.

        Raises:
            SourceError: there is no end of them, or as for `get`.
        """
        url = f"{self._base_url}{path}"
        for _ in range(_MAX_PAGES):
            answer = self.get(url)
            yield answer
            following = _NEXT.search(answer.headers.get("link", ""))
            if following is None:
                return
            url = following["url"]
            # The token goes along: nowhere else than to the API.
            if _origin(url) != _origin(self._base_url):
                raise SourceError("GitHub's API continues on another host; check RELNOTES_GITHUB_API_URL")
        raise SourceError(
            f"has more than {_MAX_PAGES} pages of releases; ingest the ones you need by github:owner/repo@tag"
        )

    def is_unchanged(self, etags: Mapping[str, str]) -> bool:
        """Whether each page is as it was when it had this ETag; what can't be asked now counts as changed."""
        try:
            return all(
                _origin(url) == _origin(self._base_url) and self.get(url, etag=etag).is_unchanged
                for url, etag in etags.items()
            )
        except WebError as error:
            if error.is_gone:
                return False
            raise

    def commit(self, repository: str, ref: str) -> str:
        """The commit that a branch, tag or HEAD names now."""
        content = self.get(f"{repository}/commits/{quote(ref, safe='')}", accept=_SHA).content.strip()
        if not _COMMIT.fullmatch(content):
            raise SourceError("GitHub's API names no commit; try again later")
        return content.decode()

    def file(self, repository: str, path: str, commit: str) -> bytes:
        """A file's bytes at a commit."""
        return self.get(f"{repository}/contents/{quote(path)}?ref={commit}", accept=_RAW).content

    def _limited(self, error: WebError) -> WebError:
        """What a refusal comes to: a limit with its end, or a lack of leave."""
        reset = error.headers.get("x-ratelimit-reset", "")
        wait = error.headers.get("retry-after", "")
        advice = "try again then" if self._token else "set GITHUB_TOKEN for a higher limit, or try again then"
        if error.headers.get("x-ratelimit-remaining") == "0" and reset.isdecimal() and len(reset) < 12:
            end = datetime.fromtimestamp(int(reset), UTC)
            return WebError(f"GitHub's rate limit is used up until {end:%Y-%m-%d %H:%M} UTC; {advice}", status=429)
        if wait.isdecimal():
            return WebError(f"GitHub asks to wait {wait} s; {advice}", status=429)
        return WebError("GitHub doesn't let it be read; check that GITHUB_TOKEN may see it", status=error.status)


def _origin(url: str) -> tuple[str, str]:
    parts = urlsplit(url)
    return parts.scheme, parts.netloc.lower()
