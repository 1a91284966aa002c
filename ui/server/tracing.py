"""Spans for OpenTelemetry, one a request; sent only where `OTEL_EXPORTER_OTLP_ENDPOINT` says whereto."""

import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Protocol

from corpus.errors import UsageError

if TYPE_CHECKING:
    from opentelemetry.sdk.trace.export import SpanExporter
    from opentelemetry.trace import Span

ENDPOINT_VARIABLE = "OTEL_EXPORTER_OTLP_ENDPOINT"
_CLOSE_S = 2.0


class RequestSpan(Protocol):
    """The span of one request."""

    @property
    def trace_id(self) -> str | None:
        """32 hex digits; None where nothing is traced."""

    def end(self, status: int) -> None:
        """Note how the request was answered."""


class NoSpan:
    """The span of a request that isn't traced."""

    trace_id = None

    def end(self, status: int) -> None:
        """Do nothing."""


class Tracing:
    """A tracer with its exporter."""

    def __init__(self, exporter: "SpanExporter") -> None:
        from opentelemetry.sdk.resources import SERVICE_NAME, OTELResourceDetector, Resource
        from opentelemetry.sdk.trace import TracerProvider
        from opentelemetry.sdk.trace.export import BatchSpanProcessor

        service = Resource({SERVICE_NAME: "relnotes"})
        self._provider = TracerProvider(resource=service.merge(OTELResourceDetector().detect()), shutdown_on_exit=False)
        self._provider.add_span_processor(BatchSpanProcessor(exporter))
        self._tracer = self._provider.get_tracer("relnotes")

    @contextmanager
    def request_span(self, *, method: str, route: str, headers: Mapping[str, str]) -> Iterator[RequestSpan]:
        """A server span for a `with` block, a child of the one that `headers` name (W3C Trace Context)."""
        from opentelemetry.trace import SpanKind
        from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator

        with self._tracer.start_as_current_span(
            f"{method} {route}",
            context=TraceContextTextMapPropagator().extract(dict(headers)),
            kind=SpanKind.SERVER,
            attributes={"http.request.method": method, "http.route": route},
            # An exception's words may quote a question.
            record_exception=False,
            set_status_on_exception=False,
        ) as span:
            yield _Span(span)

    def close(self) -> None:
        """Send what is left, for two seconds at most: an endpoint that is gone is tried for longer than that."""
        closing = threading.Thread(target=self._provider.shutdown, name="last spans", daemon=True)
        closing.start()
        closing.join(_CLOSE_S)


class _Span:
    def __init__(self, span: "Span") -> None:
        self._span = span

    @property
    def trace_id(self) -> str | None:
        return f"{self._span.get_span_context().trace_id:032x}"

    def end(self, status: int) -> None:
        from opentelemetry.trace import Status, StatusCode

        self._span.set_attribute("http.response.status_code", status)
        if status >= 500:
            self._span.set_status(Status(StatusCode.ERROR))


def open_tracing(environment: Mapping[str, str]) -> Tracing | None:
    """Tracing to where `environment` says; None where it says nothing, and then nothing is imported or sent.

    Raises:
        UsageError: it says so, and the extra isn't installed.
    """
    if not environment.get(ENDPOINT_VARIABLE):
        return None
    try:
        from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
    except ImportError:
        raise UsageError(
            f"{ENDPOINT_VARIABLE} is set, and OpenTelemetry isn't installed. Install it with "
            "`pip install 'relnotes[otel]'`, or unset the variable."
        ) from None
    return Tracing(OTLPSpanExporter())
