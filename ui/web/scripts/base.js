// A marker opens its card; the answer is a live region, so that a screen reader reads it when it comes; and one region
// says what any of the tabs wants said.
(() => {
  // A region that comes together with its text isn't read; this one is there before. Outside of Gradio's container.
  const region = document.createElement("div");
  region.setAttribute("role", "status");
  region.className = "rn-visually-hidden";
  window.relnotesSay = (words) => {
    region.textContent = "";
    requestAnimationFrame(() => { region.textContent = words; });
  };
  if (document.body) document.body.append(region);
  else document.addEventListener("DOMContentLoaded", () => document.body.append(region));

  // The quote in its place, by whole lines, so that none is cut at the top.
  const showQuote = (card) => {
    const mark = card.querySelector("mark");
    const quote = card.querySelector("blockquote");
    if (!mark || !quote) return;
    const line = parseFloat(getComputedStyle(quote).lineHeight);
    const above = mark.offsetTop - quote.offsetTop - quote.clientHeight / 3;
    quote.scrollTop = Math.ceil(Math.max(0, Math.floor(above / line)) * line);
  };
  document.addEventListener("toggle", (event) => {
    if (event.target.matches && event.target.matches("details.rn-card") && event.target.open) showQuote(event.target);
  }, true);

  document.addEventListener("click", (event) => {
    const marker = event.target.closest && event.target.closest("[data-card]");
    const card = marker && document.getElementById(marker.dataset.card);
    if (!card) return;
    card.open = true;
    const summary = card.querySelector("summary");
    summary.focus({ preventScroll: true });
    card.scrollIntoView({ block: "nearest" });
    showQuote(card);
  });

  // Beside a long answer, the card that a marker would open is told apart before it is.
  const light = (event, lit) => {
    const marker = event.target.closest && event.target.closest("[data-card]");
    const card = marker && document.getElementById(marker.dataset.card);
    if (!card) return;
    card.classList.toggle("rn-lit", lit);
    marker.title ||= [...card.querySelectorAll(".rn-title, .rn-about")].map((part) => part.textContent.trim()).join(" · ");
  };
  for (const begun of ["mouseover", "focusin"]) document.addEventListener(begun, (event) => light(event, true));
  for (const over of ["mouseout", "focusout"]) document.addEventListener(over, (event) => light(event, false));

  const announce = () => {
    const answer = document.getElementById("rn-answer");
    if (!answer) return false;
    answer.setAttribute("aria-live", "polite");
    answer.setAttribute("role", "region");
    answer.setAttribute("aria-label", "Answer");
    return true;
  };
  const observer = new MutationObserver(() => announce() && observer.disconnect());
  if (!announce()) observer.observe(document.documentElement, { childList: true, subtree: true });
})();
