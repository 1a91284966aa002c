// The questions that this browser asked last, offered where the page has none open. They are kept in the browser alone.
(() => {
  const KEY = "relnotes-asked";
  const KEPT = 5;
  const read = () => {
    try {
      const kept = JSON.parse(localStorage.getItem(KEY) || "[]");
      return Array.isArray(kept) ? kept.filter((one) => one && String(one.link).startsWith("/?")) : [];
    } catch { return []; }
  };
  const write = (kept) => {
    try { localStorage.setItem(KEY, JSON.stringify(kept)); } catch { /* Then they are forgotten. */ }
  };
  window.relnotesAsked = (link, question) => {
    write([{ link, question }, ...read().filter((one) => one.link !== link)].slice(0, KEPT));
    show();
  };

  const show = () => {
    const block = document.getElementById("rn-before");
    if (!block) return;
    const kept = read();
    const lines = kept.map(({ link, question }) => {
      const line = document.createElement("li");
      const anchor = document.createElement("a");
      anchor.href = link;
      anchor.textContent = String(question);
      line.append(anchor);
      return line;
    });
    block.querySelector("ul").replaceChildren(...lines);
    block.hidden = !lines.length;
    block.dataset.filled = "yes";
  };
  document.addEventListener("click", (event) => {
    if (!event.target.closest || !event.target.closest("[data-forget]")) return;
    write([]);
    show();
    document.querySelector("#rn-question textarea").focus();
    window.relnotesSay("Forgotten");
  });
  new MutationObserver(() => {
    const block = document.getElementById("rn-before");
    if (block && !block.dataset.filled) show();
  }).observe(document.documentElement, { childList: true, subtree: true });
})();
