// Lists of changes: filters, copies, and what a screen reader is told when one comes.
(() => {
  const listed = (filter) => {
    const list = filter.closest(".rn-upgrade");
    const kinds = new Set([...list.querySelectorAll("[data-filter]:checked")].map((box) => box.dataset.filter));
    const wanted = list.querySelector("[data-filter-text]").value.trim().toLowerCase();
    const changes = [...list.querySelectorAll("[data-change]")];
    const told = (change) => {
      const release = change.closest(".rn-release").querySelector("h3").textContent;
      const words = [...change.querySelectorAll(".rn-words, .rn-about, mark")].map((part) => part.textContent);
      return `${release} ${words.join(" ")}`.toLowerCase();
    };
    let shown = 0;
    for (const change of changes) {
      change.hidden = (kinds.size > 0 && !kinds.has(change.dataset.change)) || !(wanted === "" || told(change).includes(wanted));
      shown += change.hidden ? 0 : 1;
    }
    for (const group of list.querySelectorAll("[data-group]")) {
      group.hidden = !group.querySelector("[data-change]:not([hidden])");
    }
    const entries = changes.length === 1 ? "entry" : "entries";
    list.querySelector("[data-shown]").textContent =
      shown === changes.length ? `All ${shown} ${entries} shown` : `${shown} of ${changes.length} ${entries} shown`;
  };
  document.addEventListener("change", (event) => event.target.matches("[data-filter]") && listed(event.target));
  document.addEventListener("input", (event) => event.target.matches("[data-filter-text]") && listed(event.target));

  // The quote is what one opens a card for; its surroundings may be longer than the card.
  document.addEventListener("toggle", (event) => {
    const quote = event.target.open && event.target.matches(".rn-evidence") && event.target.querySelector("blockquote");
    if (quote) quote.scrollTop = Math.max(0, quote.querySelector("mark").offsetTop - quote.offsetTop - quote.clientHeight / 3);
  }, true);

  const copy = async (text) => {
    if (navigator.clipboard) return navigator.clipboard.writeText(text);
    // Without a secure address there is no clipboard but this one.
    const box = Object.assign(document.createElement("textarea"), { value: text });
    document.body.append(box);
    box.select();
    const copied = document.execCommand("copy");
    box.remove();
    if (!copied) throw new Error("refused");
  };
  document.addEventListener("click", async (event) => {
    const button = event.target.closest && event.target.closest("[data-copy-markdown]");
    if (!button) return;
    const address = button.parentElement.querySelector("[data-markdown]").href;
    try {
      await copy(decodeURIComponent(address.slice(address.indexOf(",") + 1)));
      button.textContent = "Copied";
    } catch {
      button.textContent = "Can't copy: use Download";
    }
    say(button.textContent);
    setTimeout(() => (button.textContent = "Copy as Markdown"), 2500);
  });

  const say = (words) => window.relnotesSay(words);
  const arrived = (records) => {
    for (const record of records) {
      for (const node of record.addedNodes) {
        const found = node.nodeType === 1 && (node.matches("[data-announce]") ? node : node.querySelector("[data-announce]"));
        if (found) say(found.dataset.announce);
      }
    }
  };
  const start = () => {
    new MutationObserver(arrived).observe(document.body, { childList: true, subtree: true });
  };
  // Gradio runs the scripts of its head before or after there is a body.
  if (document.body) start();
  else document.addEventListener("DOMContentLoaded", start);
})();
