// Shows the quote beside its [1] while the pointer or the focus is on it or on the quote; Escape hides it.
(() => {
  const MOST = 420;
  const AWAY_MS = 180;
  let timer = 0;
  let shown = null;
  const preview = relnotesElement("div", { id: "rn-preview", role: "tooltip", hidden: true });

  const hide = () => {
    preview.hidden = true;
    shown?.removeAttribute("aria-describedby");
    shown = null;
  };
  const show = (marker) => {
    clearTimeout(timer);
    const card = document.getElementById(marker.dataset.card);
    if (!card || card.open || marker === shown) return;
    hide();
    const telling = card.querySelectorAll(".rn-telling");
    const quote = [...(telling.length ? telling : card.querySelectorAll("mark"))].map((mark) => mark.textContent).join(" ").replace(/\s+/g, " ").trim();
    const about = ["title", "about"].map((part) => card.querySelector(`.rn-${part}`)?.textContent.trim());
    const words = quote.length > MOST ? `${quote.slice(0, MOST)} …` : quote;
    preview.replaceChildren(relnotesElement("q", {}, words), relnotesElement("p", {}, about.filter(Boolean).join(" · ")));
    document.body.append(preview);
    preview.hidden = false;
    const at = marker.getBoundingClientRect();
    const width = preview.offsetWidth;
    preview.style.left = `${scrollX + Math.max(8, Math.min(at.left, document.documentElement.clientWidth - width - 8))}px`;
    const isAbove = at.top > preview.offsetHeight + 16;
    preview.style.top = `${scrollY + (isAbove ? at.top - preview.offsetHeight - 6 : at.bottom + 6)}px`;
    marker.setAttribute("aria-describedby", preview.id);
    shown = marker;
  };
  const leave = () => {
    clearTimeout(timer);
    timer = setTimeout(hide, AWAY_MS);
  };
  const markerOf = (event) => event.target.closest?.("[data-card]");
  document.addEventListener("mouseover", (event) => {
    const marker = markerOf(event);
    if (marker) show(marker);
    else if (event.target.closest?.("#rn-preview")) clearTimeout(timer);
    else if (shown && shown !== document.activeElement) leave();
  });
  document.addEventListener("focusin", (event) => (markerOf(event) ? show(markerOf(event)) : leave()));
  document.addEventListener("click", (event) => markerOf(event) && hide());
  document.addEventListener("keydown", (event) => event.key === "Escape" && hide());
})();
