// What of the conversation only the browser can do: address bar, clipboard, panels that open, cards that stay open.
(() => {
  const opened = new Set();
  const seen = new Set();
  let shownLink = "";

  const say = (words) => window.relnotesSay(words);

  document.addEventListener("toggle", (event) => {
    const card = event.target;
    if (!card.matches || !card.matches("details.rn-card") || !card.isConnected) return;
    if (card.open) opened.add(card.id); else opened.delete(card.id);
  }, true);

  // The last turn is drawn anew when the next one comes; what was open in it stays open.
  const keepOpen = (block) => block.querySelectorAll("details.rn-card:not([open])").forEach((card) => {
    if (opened.has(card.id)) card.open = true;
  });

  const showLast = () => {
    const turns = document.querySelectorAll("#rn-answer .rn-turn");
    const last = turns[turns.length - 1];
    if (!last) {
      if (shownLink) { shownLink = ""; opened.clear(); seen.clear(); relnotesPutAddress("ask", "/"); }
      return;
    }
    if (last.dataset.shown) return;
    last.dataset.shown = "yes";
    if (last.dataset.link) {
      shownLink = last.dataset.link;
      relnotesPutAddress("ask", shownLink);
      if (!last.querySelector(".rn-failure")) relnotesAsked(shownLink, last.querySelector(".rn-asked").textContent);
    }
    // Once when the question appears and once when its answer does, for the page is longer then.
    const state = `${last.id} ${last.dataset.link ? "answered" : "asked"}`;
    if (!seen.has(state) && document.querySelector("#rn-earlier .rn-turn")) last.scrollIntoView({ block: "start" });
    seen.add(state);
  };

  const thank = () => {
    const judged = document.querySelector("#rn-said [data-judged]");
    const form = judged && document.getElementById(`rn-feedback-${judged.dataset.judged}`);
    if (!form) return;
    const thanks = document.createElement("p");
    thanks.className = "rn-thanks";
    thanks.textContent = judged.parentElement.textContent.trim();
    form.parentElement.querySelectorAll(".rn-thumb").forEach((thumb) => thumb.remove());
    form.replaceWith(thanks);
  };

  const copy = async (text) => {
    if (navigator.clipboard) return navigator.clipboard.writeText(text);
    // Without TLS browsers give no clipboard, but they copy what is selected.
    const box = document.createElement("textarea");
    box.value = text;
    document.body.append(box);
    box.select();
    document.execCommand("copy");
    box.remove();
  };

  const openPanel = (thumb) => {
    const panel = document.getElementById(thumb.getAttribute("aria-controls"));
    const thumbs = panel.parentElement.querySelectorAll(".rn-thumb");
    thumbs.forEach((one) => one.setAttribute("aria-expanded", String(one === thumb)));
    panel.dataset.verdict = thumb.dataset.verdict;
    panel.hidden = false;
    panel.querySelector("textarea").focus();
    panel.scrollIntoView({ block: "nearest" });
  };
  const closePanel = (panel) => {
    const thumb = panel.parentElement.querySelector(".rn-thumb[aria-expanded=true]");
    panel.hidden = true;
    if (thumb) { thumb.setAttribute("aria-expanded", "false"); thumb.focus(); }
  };

  document.addEventListener("click", async (event) => {
    if (!event.target.closest) return;
    const thumb = event.target.closest(".rn-thumb");
    if (thumb) return openPanel(thumb);
    const close = event.target.closest("[data-close]");
    if (close) return closePanel(close.closest("form"));
    const button = event.target.closest("[data-copy], [data-copy-link]");
    if (!button) return;
    const link = button.dataset.copyLink;
    const words = button.dataset.words || button.textContent;
    button.dataset.words = words;
    await copy(link === undefined ? button.dataset.copy : new URL(link, location.href).href);
    button.textContent = "Copied";
    say("Copied");
    setTimeout(() => { button.textContent = words; }, 2000);
  });
  document.addEventListener("keydown", (event) => {
    const panel = event.key === "Escape" && event.target.closest && event.target.closest(".rn-feedback");
    if (panel) closePanel(panel);
  });
  document.addEventListener("submit", (event) => {
    if (event.target.matches(".rn-feedback")) event.preventDefault();
  });

  const watch = (id, seen) => {
    const block = document.getElementById(id);
    if (!block || block.dataset.watched) return;
    block.dataset.watched = "yes";
    new MutationObserver(() => seen(block)).observe(block, { childList: true, subtree: true });
    seen(block);
  };
  const begin = new MutationObserver(() => {
    if (!document.getElementById("rn-said")) return;
    document.getElementById("rn-said").setAttribute("role", "status");
    watch("rn-answer", (block) => { keepOpen(block); showLast(); });
    watch("rn-earlier", keepOpen);
    watch("rn-said", thank);
  });
  begin.observe(document.documentElement, { childList: true, subtree: true });
})();
