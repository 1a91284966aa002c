// Typing ahead: products, versions and names of the notes, and what was asked before. Ctrl-K (or ⌘K) leads to the box.
(() => {
  if (document.body.dataset.page !== "ask") return;
  const WAIT_MS = 90;
  const ASKED = 3;
  let timer = 0;
  let wanted = 0;
  let active = -1;
  const box = () => document.getElementById("rn-question");
  const list = () => document.getElementById("rn-completions");
  const options = () => [...list().children];

  const close = () => {
    wanted += 1;
    active = -1;
    list().hidden = true;
    list().replaceChildren();
    box().removeAttribute("aria-activedescendant");
  };
  const choose = (to) => {
    const all = options();
    active = all.length ? (to + all.length) % all.length : -1;
    all.forEach((option, at) => option.setAttribute("aria-selected", String(at === active)));
    all[active]?.scrollIntoView({ block: "nearest" });
    if (active < 0) box().removeAttribute("aria-activedescendant");
    else box().setAttribute("aria-activedescendant", all[active].id);
  };
  const take = (option) => {
    const text = option.dataset.text;
    close();
    relnotesFill(text);
  };
  const show = (found, text) => {
    list().dataset.text = text;
    list().replaceChildren(...found.map(({ shown, hint, text }, at) => {
      const about = relnotesElement("span", { className: "rn-about" }, hint);
      const option = relnotesElement("li", { id: `rn-completion-${at}`, role: "option", ariaSelected: "false" }, shown, " ", about);
      option.dataset.text = text;
      return option;
    }));
    active = -1;
    list().hidden = !found.length;
    if (found.length) relnotesSay(relnotesCounted(found.length, "completion"));
  };
  const asked = (text) => {
    const words = text.trim().toLowerCase();
    const questions = relnotesTalks.all().flatMap((talk) => [...talk.turns].reverse().map((turn) => turn.question));
    return [...new Set(questions)]
      .filter((question) => question.toLowerCase().includes(words) && question !== text)
      .slice(0, words ? ASKED : 2 * ASKED)
      .map((question) => ({ shown: question, hint: "asked before", text: question }));
  };
  const complete = async (text) => {
    const mine = (wanted += 1);
    const found = text.trim() ? await relnotesFetch(`/page/complete?text=${encodeURIComponent(text)}`).then(JSON.parse, () => []) : [];
    if (mine === wanted) show([...found, ...asked(text)], text);
  };

  box().addEventListener("input", () => {
    clearTimeout(timer);
    const text = box().value;
    // Only what stands at the end is completed.
    if (text.length > 300 || box().selectionStart < text.length || !text.trim()) return close();
    timer = setTimeout(() => complete(text), WAIT_MS);
  });
  box().addEventListener("keydown", (event) => {
    if (event.key === "Enter") {
      clearTimeout(timer);
      // What completes the words that are asked now would come too late.
      wanted += 1;
    }
    if (list().hidden || event.isComposing) return;
    // What completes other words than those that stand there now would replace them unseen.
    const fits = list().dataset.text === box().value;
    if (fits && (event.key === "ArrowDown" || event.key === "ArrowUp")) choose(active + (event.key === "ArrowDown" ? 1 : active < 0 ? 0 : -1));
    else if (event.key === "Escape") close();
    else if (fits && (event.key === "Enter" || event.key === "Tab") && active >= 0) take(options()[active]);
    else {
      if (event.key === "Enter" || event.key === "Tab") close();
      return;
    }
    event.preventDefault();
  });
  box().addEventListener("blur", () => { clearTimeout(timer); close(); });
  // Before the box loses the focus, which would take the list away.
  list().addEventListener("mousedown", (event) => {
    event.preventDefault();
    const option = event.target.closest("[role=option]");
    if (option) take(option);
  });
  document.addEventListener("keydown", (event) => {
    if (event.key.toLowerCase() !== "k" || !(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey) return;
    event.preventDefault();
    document.querySelector("dialog[open]")?.close();
    box().focus();
    box().select();
    if (!box().value) show(asked(""), "");
  });
})();
