// What one says of an answer, and takes away from it: thumbs with a reason, copies, links.
(() => {
  const say = (words) => window.relnotesSay(words);
  window.relnotesThank = (turn) => {
    const form = turn.querySelector(".rn-feedback, .rn-tools template");
    if (!form) return;
    const thanks = document.createElement("p");
    thanks.className = "rn-thanks";
    thanks.textContent = "Thank you. Your feedback is kept with the question.";
    turn.querySelectorAll(".rn-thumb").forEach((thumb) => thumb.remove());
    form.replaceWith(thanks);
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
      await relnotesSend("/page/feedback", relnotesForm(link, said));
    } catch (error) {
      panel.querySelector(".rn-fault").textContent = error.message;
      return;
    }
    relnotesThank(turn);
    relnotesJudged(turn);
    say("Thank you");
  };

  const copy = async (text) => {
    if (navigator.clipboard) return navigator.clipboard.writeText(text);
    // Without TLS browsers give no clipboard, but they copy what is selected.
    const box = Object.assign(document.createElement("textarea"), { value: text });
    document.body.append(box);
    box.select();
    const isCopied = document.execCommand("copy");
    box.remove();
    if (!isCopied) throw new Error("refused");
  };
  window.relnotesCopy = copy;

  document.addEventListener("click", async (event) => {
    if (!event.target.closest) return;
    const thumb = event.target.closest(".rn-thumb");
    if (thumb) return openPanel(thumb);
    const close = event.target.closest("[data-close]");
    if (close) return closePanel(close.closest("form"));
    const button = event.target.closest("[data-copy], [data-copy-link]");
    if (!button) return;
    const link = button.dataset.copyLink;
    const words = (button.dataset.words ??= button.textContent);
    try {
      await copy(link === undefined ? button.dataset.copy : new URL(link, location.href).href);
      // Its neighbours stay where they are.
      button.style.minWidth = `${button.offsetWidth}px`;
      button.textContent = "Copied";
    } catch {
      button.textContent = "Can't copy here";
    }
    say(button.textContent);
    setTimeout(() => { button.textContent = words; }, 2000);
  });
  document.addEventListener("keydown", (event) => {
    const panel = event.key === "Escape" && event.target.closest?.(".rn-feedback");
    if (panel) closePanel(panel);
  });
  document.addEventListener("submit", (event) => {
    if (!event.target.matches(".rn-feedback")) return;
    event.preventDefault();
    judge(event.target);
  });
})();
