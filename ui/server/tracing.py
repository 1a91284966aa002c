"""Spans for OpenTelemetry, one a request; sent only where `OTEL_EXPORTER_OTLP_ENDPOINT` says whereto."""

import threading
from collections.abc import Mapping
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING

from corpus.errors import UsageError

if TYPE_CHECKING:
    from opentelemetry.sdk.trace.export import SpanExporter
    from opentelemetry.trace import Span

ENDPOINT_VARIABLE = "OTEL_EXPORTER_OTLP_ENDPOINT"
_CLOSE_S = 2.0


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

    def request_span(self, *, method: str, route: str, headers: Mapping[str, str]) -> "AbstractContextManager[Span]":
        """A server span for a `with` block, a child of the one that `headers` name (W3C Trace Context)."""
        from opentelemetry.trace import SpanKind
        from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator

        return self._tracer.start_as_current_span(
            f"{method} {route}",
            context=TraceContextTextMapPropagator().extract(dict(headers)),
            kind=SpanKind.SERVER,
            attributes={"http.request.method": method, "http.route": route},
            # An exception's words may quote a question.
            record_exception=False,
            set_status_on_exception=False,
        )

    def close(self) -> None:
        """Send what is left, for two seconds at most: an endpoint that is gone is tried for longer than that."""
        closing = threading.Thread(target=self._provider.shutdown, name="last spans", daemon=True)
        closing.start()
        closing.join(_CLOSE_S)


def record_status(span: "Span", status: int) -> str:
    """Note how the request of a span was answered; returns its trace's id, 32 hex digits."""
    from opentelemetry.trace import Status, StatusCode

    span.set_attribute("http.response.status_code", status)
    if status >= 500:
        span.set_status(Status(StatusCode.ERROR))
    return f"{span.get_span_context().trace_id:032x}"


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
            "`pip install '.[otel]'` in a clone of relnotes, or unset the variable."
        ) from None
    return Tracing(OTLPSpanExporter())
