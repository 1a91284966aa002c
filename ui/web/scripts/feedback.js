// Feedback on answers (thumbs with a reason), and buttons to copy answers and links.
(() => {
  window.relnotesThank = (turn) => {
    const form = turn.querySelector(".rn-feedback, .rn-tools template");
    if (!form) return;
    turn.querySelectorAll(".rn-thumb").forEach((thumb) => thumb.remove());
    form.replaceWith(relnotesElement("p", { className: "rn-thanks" }, "Thank you. Your feedback is kept with the question."));
  };

  const openPanel = (thumb) => {
    const tools = thumb.parentElement;
    tools.querySelector("template")?.replaceWith(tools.querySelector("template").content);
    const panel = tools.querySelector(".rn-feedback");
    tools.querySelectorAll(".rn-thumb").forEach((other) => other.setAttribute("aria-expanded", String(other === thumb)));
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
  const judge = async (panel) => {
    const turn = panel.closest(".rn-turn");
    const { link, seen, heard } = turn.dataset;
    const said = { seen, read: heard === "yes" && "yes", verdict: panel.dataset.verdict, reason: panel.querySelector("textarea").value };
    try {
      await relnotesFetch("/page/feedback", { method: "POST", body: relnotesForm(link, said) });
    } catch (error) {
      panel.querySelector(".rn-fault").textContent = error.message;
      return;
    }
    relnotesThank(turn);
    relnotesJudged(turn);
    relnotesSay("Thank you");
  };

  const copy = async (text) => {
    if (navigator.clipboard) return navigator.clipboard.writeText(text);
    // Without TLS, browsers offer no clipboard API, but can copy the selection.
    const box = Object.assign(document.createElement("textarea"), { value: text });
    document.body.append(box);
    box.select();
    const isCopied = document.execCommand("copy");
    box.remove();
    if (!isCopied) throw new Error("refused");
  };

  relnotesOn("click", ".rn-thumb", openPanel);
  relnotesOn("click", "[data-close]", (close) => closePanel(close.form));
  relnotesOn("keydown", ".rn-feedback", (panel, event) => event.key === "Escape" && closePanel(panel));
  relnotesOn("submit", ".rn-feedback", (panel, event) => {
    event.preventDefault();
    judge(panel);
  });
  // Returns the button's text or link, or the Markdown in the data address beside it, with a link to the page.
  const copied = ({ dataset, parentElement }) => {
    if ("copyLink" in dataset) return new URL(dataset.copyLink, location.href).href;
    const [address, link] = ["", " ~ a"].map((beside) => parentElement.querySelector(`[data-markdown]${beside}`)?.href);
    return dataset.copy || decodeURIComponent(address.slice(address.indexOf(",") + 1)) + (link ? `\n${link}\n` : "");
  };
  relnotesOn("click", "[data-copy], [data-copy-link]", async (button) => {
    const words = (button.dataset.words ??= button.textContent);
    // Keeps the button's width, so that its neighbours don't move.
    button.style.minWidth = `${button.offsetWidth}px`;
    button.textContent = await copy(copied(button)).then(() => "Copied", () => "Can't copy here");
    relnotesSay(button.textContent);
    setTimeout(() => { button.textContent = words; }, 2000);
  });
})();
