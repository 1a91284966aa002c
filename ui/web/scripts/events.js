// Gradio's script reads what comes of an event from the stream that is open, and opens one only where none is. A stream
// that told its end and isn't shut yet still counts as open, so what was asked in that moment would never be answered.
// Here the word that an event was taken reaches that script once the stream brings something of it, or is shut.
(() => {
  const JOIN = "/gradio_api/queue/join";
  const MESSAGES = "/gradio_api/queue/data";
  const EVENT = /[0-9a-f]{32}/g;
  const fetched = window.fetch;
  let stream = null;

  const follow = (signal) => {
    const brought = new Set();
    const waiting = new Map();
    const words = new TextDecoder();
    let rest = "";
    const opened = {
      brings: (event) => new Promise((done) => (brought.has(event) ? done() : waiting.set(event, done))),
      read: (chunk) => {
        rest += words.decode(chunk, { stream: true });
        for (const [event] of rest.matchAll(EVENT)) {
          brought.add(event);
          waiting.get(event)?.();
        }
        rest = rest.slice(-31);
      },
      end: () => {
        if (stream === opened) stream = null;
        for (const done of waiting.values()) done();
      },
    };
    signal.addEventListener("abort", opened.end, { once: true });
    return opened;
  };

  window.fetch = async (request, options) => {
    const { pathname } = new URL(request.url || request, location.href);
    if (pathname.endsWith(MESSAGES)) {
      const opened = (stream = follow(request.signal));
      try {
        const response = await fetched(request, options);
        const read = new TransformStream({ transform(chunk, to) { opened.read(chunk); to.enqueue(chunk); } });
        return new Response(response.body.pipeThrough(read), response);
      } catch (fault) {
        opened.end();
        throw fault;
      }
    }
    const response = await fetched(request, options);
    if (pathname.endsWith(JOIN) && response.ok) {
      const { event_id: event } = await response.clone().json();
      if (stream) await stream.brings(event);
    }
    return response;
  };
})();

// Gradio opens the list of a dropdown again at the very Tab that leaves its box, and a long list, which scrolls, is a stop
// for Tab itself. Here Tab is kept from that script and leads past the list, which then shuts as the box is left.
window.addEventListener("keydown", (event) => {
  if (event.key !== "Tab" || !event.target.matches?.("gradio-app [role=combobox]")) return;
  event.stopPropagation();
  document.getElementById(event.target.getAttribute("aria-controls"))?.setAttribute("tabindex", "-1");
}, true);
