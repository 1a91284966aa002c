"""Opens the assistant and its parts from the settings: index, embedding model, language model."""

import gc
import os
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING

from corpus.errors import UsageError
from ui.settings import AskingSettings, FetchingSettings, IndexSettings, Settings, load_settings

if TYPE_CHECKING:
    from corpus.embedding import Embedder
    from ingest.sources.connectors import Connectors
    from retrieval.assistant import Assistant
    from retrieval.llm import ChatModel
    from retrieval.llm.client import ChatClient
    from ui.server.live_assistant import LiveAssistant
    from ui.server.question_desk import QuestionDesk


def open_document_embedder(settings: IndexSettings) -> "Embedder":
    """Open the embedding model of `settings` for documents.

    Raises:
        ModelError: the model is missing, altered or can't be loaded.
    """
    from corpus import embedding

    return embedding.open_bulk_embedder(settings.model, cache_dir=settings.cache_dir)


@contextmanager
def document_embedder_at(settings: IndexSettings, *, ray: str | None) -> Iterator["Embedder"]:
    """Open the document embedder for a `with` block, on the Ray cluster at `ray`; None means in this process.

    Raises:
        ModelError: as for `open_document_embedder`.
        UsageError, ClusterError: the cluster can't be reached or used; see `connected_cluster`.
    """
    if ray is None:
        yield open_document_embedder(settings)
        return
    from ingest.cluster import RayEmbedder, connected_cluster

    with connected_cluster(ray):
        yield RayEmbedder(open_document_embedder(settings), open_there=partial(_open_on_worker, settings.model))


def _open_on_worker(model: str | None) -> "Embedder":
    """Open the model called `model` on a worker of the cluster, with the worker's settings."""
    from ui.environment import silence_libraries

    silence_libraries()
    return open_document_embedder(load_settings(model=model))


def open_connectors(settings: FetchingSettings) -> "Connectors":
    """Build the connectors that fetch sources from the settings and the environment. Nothing is fetched yet.

    Raises:
        UsageError: a setting is invalid.
    """
    from ingest.sources.connectors import Connectors, ConnectorSettings
    from ingest.sources.web import WebSettings
    from ingest.web_addresses import address_fault

    if fault := address_fault(settings.github_api_url):
        raise UsageError(f"Cannot use RELNOTES_GITHUB_API_URL: it {fault}. Correct it in the environment.")
    hosts = (host.strip().lower() for host in settings.allow_private_hosts.split(","))
    return Connectors(
        ConnectorSettings(
            web=WebSettings(allowed_hosts=tuple(host for host in hosts if host), environment=dict(os.environ)),
            github_api_url=settings.github_api_url.rstrip("/"),
            github_token=(settings.github_token or "").strip(),
        )
    )


def open_question_embedder(settings: IndexSettings, *, for_few: bool = False) -> "Embedder":
    """Open the embedding model of `settings` for questions, whose vectors aren't cached on disk.

    With `for_few`, open the built-in model on NumPy: it is ready sooner, and takes longer for each question.

    Raises:
        ModelError: the model is missing, altered or can't be loaded.
    """
    from corpus.embedding import Runtime, open_embedder
    from corpus.embedding.default_model import DEFAULT_MODEL_ID

    is_default = settings.model in (None, DEFAULT_MODEL_ID)
    runtime = Runtime.NUMPY if for_few and is_default else None
    return open_embedder(settings.model, cache_dir=settings.cache_dir, runtime=runtime)


def open_chat_model(settings: AskingSettings) -> "ChatClient | None":
    """Return the client of the language model; None, the default, if the settings name none. Nothing is sent yet.

    Raises:
        UsageError: its address or name is missing or invalid, or its timeout isn't below that of a server's questions.
    """
    if settings.llm_base_url is None and settings.llm_model is None:
        return None
    if settings.llm_base_url is None or settings.llm_model is None:
        lacking = "RELNOTES_LLM_MODEL" if settings.llm_model is None else "RELNOTES_LLM_BASE_URL"
        raise UsageError(
            f"Cannot use a language model without {lacking}. Set it too, or unset the other RELNOTES_LLM_*."
        )
    if isinstance(settings, Settings) and settings.llm_timeout_s >= settings.question_timeout_s:
        raise UsageError(
            f"RELNOTES_LLM_TIMEOUT_S ({settings.llm_timeout_s:g}) must be less than RELNOTES_QUESTION_TIMEOUT_S "
            f"({settings.question_timeout_s:g}), or a slow language model costs the answer. Change one of them."
        )
    from retrieval.llm.client import ChatClient, ChatEndpoint

    key = (settings.llm_api_key or "").strip()
    return ChatClient(ChatEndpoint(settings.llm_base_url, settings.llm_model, key, settings.llm_timeout_s))


def open_assistant(settings: IndexSettings, *, model: "ChatModel | None" = None, for_few: bool = False) -> "Assistant":
    """Open the assistant over the index of `settings`; `for_few` questions it starts faster and answers slower.

    Raises:
        IndexUnavailable: there is no index, or it can't be served with this model.
        ModelError: the model is missing, altered or can't be loaded.
    """
    if for_few:
        # Read when NumPy is imported below. The matrix products of a question are too small to gain from threads.
        os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    # Imports make no garbage; collecting during them takes a twentieth of a question's time.
    gc.disable()
    from retrieval.assistant import Assistant

    gc.enable()
    return Assistant.open(settings.index, embedder=open_question_embedder(settings, for_few=for_few), model=model)


def open_live_assistant(settings: AskingSettings, *, model: "ChatModel | None" = None) -> "LiveAssistant":
    """Build the assistant of a server, which loads its index and models at the first question."""
    from ui.server.live_assistant import LiveAssistant

    return LiveAssistant(settings.index, open_embedder=lambda: open_question_embedder(settings), model=model)


def open_desk(settings: Settings) -> "QuestionDesk":
    """Build the desk of a server. Clients may ask several things at once, so that some wait."""
    from ui.server.question_desk import QuestionDesk

    return QuestionDesk(
        max_questions=settings.max_questions,
        timeout_s=settings.question_timeout_s,
        max_waiting=settings.max_waiting,
        log_questions=settings.log_questions,
    )
