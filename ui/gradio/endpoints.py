"""The named endpoints of the Gradio app, with the arguments and the JSON of the HTTP API."""

import inspect
from collections.abc import Awaitable, Callable
from typing import Any, TypeVar

import gradio as gr
from gradio.events import api
from pydantic import BaseModel, ValidationError

from corpus.errors import IndexUnavailable, ModelError, RelnotesError
from ui.contract.answer import Body
from ui.http.answering import Answering
from ui.http.problems import NO_INDEX
from ui.http.requests import AskRequest, CiteRequest, ReviewRequest, SearchRequest, UpgradeRequest, VersionsRequest

_Request = TypeVar("_Request", bound=BaseModel)
_NO_MODEL = "The server can't load its model; its log says why."
_ENDS = {"product": str, "from": str, "to": str}


def add_endpoints(answering: Answering) -> None:
    """Add `/ask`, `/search`, `/cite`, `/review`, `/upgrade` and `/versions` to the open `gr.Blocks`; their docstrings
    are what `view_api` shows."""

    async def ask(
        question: str,
        history: list[str] | None = None,
        product: str | None = None,
        version: str | None = None,
        k: int = 10,
        explain: bool = False,
    ) -> dict[str, Any]:
        """Answer a question about releases with verbatim, cited quotes. An honest "not found" is an answer too.

        Args:
            question: The question, as one would type it.
            history: Earlier questions of the same conversation, oldest first; at most 20.
            product: Only this product, by its name or an alias.
            version: Only this version's notes.
            k: How many ranked passages come with the answer, 1 to 50.
            explain: Say what counted for the order of the passages and for the decision to answer.

        Returns:
            question, status (answered, partial or not_found), confidence, answer with [n] markers, citations (quote,
            source, start, end, url, product, version, date, authority), passages, conflicts, interpretation, notes.
        """
        asked = {"question": question, "history": history or (), "product": product, "version": version}
        return await _do(answering.ask, AskRequest, **asked, k=k, explain=explain)

    async def search(query: str, product: str | None = None, version: str | None = None, k: int = 10) -> dict[str, Any]:
        """Rank the passages nearest to a query, without an answer.

        Args:
            query: What to look for.
            product: Only this product, by its name or an alias.
            version: Only this version's notes.
            k: How many passages, 1 to 50.

        Returns:
            query, passages (best first), interpretation.
        """
        return await _do(answering.search, SearchRequest, query=query, product=product, version=version, k=k)

    async def cite(text: str, product: str | None = None, version: str | None = None) -> dict[str, Any]:
        """Check the claims of a text against the notes.

        Args:
            text: A claim, or a text that makes several, such as a pull request's description.
            product: Only this product, by its name or an alias.
            version: Only this version's notes.

        Returns:
            text, claims (each with its range, a verdict: supported, contradicted, partly, unsure or not_found, the
            reason, and citations).
        """
        return await _do(answering.cite, CiteRequest, text=text, product=product, version=version)

    async def review(diff: str) -> dict[str, Any]:
        """List what the release notes say of the dependencies that a diff bumps, and of the names on its changed lines.

        Args:
            diff: A unified diff, as `git diff` writes it.

        Returns:
            bumps (each with its cited changes), symbols, unknown (what couldn't be looked up).
        """
        return await _do(answering.review, ReviewRequest, diff=diff)

    async def upgrade(product: str, start: str, end: str) -> dict[str, Any]:
        """List what breaks, is removed, deprecated or needs action between two versions, each with its citation.

        Args:
            product: By its name or an alias.
            from: The version in use; excluded.
            to: The version to move to, or `latest`; included.

        Returns:
            product, from, to, releases (each with its items, most severe first), missing_releases, notes.
        """
        return await _do(answering.upgrade, UpgradeRequest, **{"product": product, "from": start, "to": end})

    async def versions(product: str | None = None) -> dict[str, Any]:
        """List the versions that are indexed, newest first; a version that isn't listed is not in the library.

        Args:
            product: By its name or an alias; without one, the newest versions of every product.

        Returns:
            products (name, aliases, documents, releases, versions with their dates, older_versions).
        """
        return await _do(answering.versions, VersionsRequest, product=product)

    # `from` is what the HTTP API calls it, and no name that Python lets a parameter have unless it is positional.
    named = [inspect.Parameter(name, inspect.Parameter.POSITIONAL_ONLY, annotation=str) for name in _ENDS]
    upgrade.__signature__ = inspect.Signature(named, return_annotation=dict[str, Any])  # type: ignore[attr-defined]
    upgrade.__annotations__ = {**_ENDS, "return": dict[str, Any]}
    for endpoint in (ask, search, cite, review, upgrade, versions):
        # The desk bounds how many are answered at once, for every entrance together.
        api(endpoint, api_name=endpoint.__name__, concurrency_limit=None)


async def _do(
    answer: Callable[[_Request], Awaitable[Body]], request: type[_Request], **arguments: object
) -> dict[str, Any]:
    try:
        body = await answer(request.model_validate(arguments))
    except ValidationError as error:
        faults = (f"{'.'.join(map(str, fault['loc'])) or 'arguments'}: {fault['msg']}" for fault in error.errors()[:5])
        raise _refusal(f"The arguments don't fit. {'; '.join(faults)}.") from None
    except IndexUnavailable:
        # Its message names places on this machine.
        raise _refusal(NO_INDEX) from None
    except ModelError:
        raise _refusal(_NO_MODEL) from None
    except RelnotesError as error:
        raise _refusal(str(error)) from None
    return body.model_dump(mode="json", by_alias=True)


def _refusal(message: str) -> Exception:
    # The message goes to the client; nothing of it is a defect.
    return gr.Error(message, print_exception=False)  # type: ignore[no-any-return]  # to mypy, Gradio is untyped
