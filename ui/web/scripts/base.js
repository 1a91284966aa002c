// A marker opens its card, a source reads as text or raw, the theme is chosen; and one region says what any page wants said.
(() => {
  // A region that comes together with its text isn't read; this one is there before.
  const region = document.createElement("div");
  region.setAttribute("role", "status");
  region.setAttribute("aria-live", "polite");
  region.className = "rn-visually-hidden";
  window.relnotesSay = (words) => {
    region.textContent = "";
    requestAnimationFrame(() => { region.textContent = words; });
  };
  document.body.append(region);
  const announced = document.querySelector("[data-announce]");
  if (announced) relnotesSay(announced.dataset.announce);

  window.relnotesElement = (tag, properties, ...children) => {
    const made = Object.assign(document.createElement(tag), properties);
    made.append(...children);
    return made;
  };
  window.relnotesButton = (words, properties) => relnotesElement("button", { type: "button", ...properties }, words);
  window.relnotesCounted = (count, noun, nouns = `${noun}s`) => `${count.toLocaleString("en")} ${count === 1 ? noun : nouns}`;
  // Does something with what `selector` finds at or around the place of an event, now or later in the page.
  const on = (types, selector, act) => {
    for (const type of types.split(" ")) {
      document.addEventListener(type, (event) => {
        const found = event.target.closest?.(selector);
        if (found) act(found, event);
      });
    }
  };
  window.relnotesOn = on;
  // The text that the server answers with; an error tells a person what is wrong.
  window.relnotesFetch = async (path, options) => {
    const response = await fetch(path, options).catch(() => {
      throw new Error("The server didn't answer. Try again in a moment.");
    });
    if (response.ok) return response.text();
    const detail = await response.json().then((problem) => problem.detail, () => "");
    throw new Error(detail || `The server answered ${response.status} ${response.statusText}.`);
  };

  // The quote in its place; what is above it begins with a whole block, or a whole line of raw text.
  const showQuote = (card) => {
    const mark = card.querySelector("mark");
    const quote = card.querySelector("blockquote");
    if (!mark || !quote) return;
    const topOf = (one) => one.getBoundingClientRect().top - quote.getBoundingClientRect().top + quote.scrollTop;
    const above = topOf(mark) - quote.clientHeight / 3;
    const line = parseFloat(getComputedStyle(quote).lineHeight);
    const tops = [...quote.querySelectorAll(":scope > :is(p, pre, div), li")].map(topOf);
    const block = tops.find((top) => top >= above && top <= topOf(mark));
    quote.scrollTop = block ?? Math.ceil(Math.max(0, Math.floor(above / line)) * line);
  };
  document.addEventListener("toggle", (event) => {
    const card = event.target;
    if (!card.matches || !card.matches("details.rn-card")) return;
    for (const marker of document.querySelectorAll(`[data-card="${CSS.escape(card.id)}"]`)) marker.setAttribute("aria-expanded", card.open);
    if (card.open) showQuote(card);
    else card.classList.remove("rn-sheet");
  }, true);

  on("click", "[data-card]", (marker) => {
    const card = document.getElementById(marker.dataset.card);
    if (!card) return;
    card.open = true;
    const summary = card.querySelector("summary");
    summary.focus({ preventScroll: true });
    showQuote(card);
    const isNarrow = !matchMedia("(min-width: 1000px)").matches;
    card.classList.toggle("rn-sheet", isNarrow);
    if (isNarrow) openedBy = marker;
    else card.scrollIntoView({ block: "nearest" });
  });
  // A sheet goes where one presses beside it, or Escape; then one is where one was.
  let openedBy = null;
  const putAway = () => {
    const sheet = document.querySelector(".rn-sheet[open]");
    if (!sheet) return;
    sheet.open = false;
    openedBy?.focus({ preventScroll: true });
  };
  document.addEventListener("keydown", (event) => event.key === "Escape" && putAway());
  document.addEventListener("click", (event) => {
    if (openedBy && !event.target.closest?.(".rn-sheet, [data-card]")) putAway();
  }, true);

  // Ctrl-K (or ⌘K) leads to the question box, from other pages to the one that has it.
  document.addEventListener("keydown", (event) => {
    const isAsked = event.key.toLowerCase() === "k" && (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey;
    if (!isAsked || document.body.dataset.page === "ask") return;
    event.preventDefault();
    location.assign("/");
  });

  // The system's theme, light, dark: kept as a cookie, so that the next page comes as it was chosen.
  const root = document.documentElement;
  const themes = ["system", "light", "dark"];
  const button = document.getElementById("rn-theme");
  const themed = () => root.dataset.theme ?? "system";
  const nameTheme = () => button.setAttribute("aria-label", `Theme: ${themed()}`);
  button.hidden = false;
  nameTheme();
  button.addEventListener("click", () => {
    const next = themes[(themes.indexOf(themed()) + 1) % themes.length];
    if (next === "system") delete root.dataset.theme;
    else root.dataset.theme = next;
    document.cookie = `theme=${next}; path=/; samesite=strict; max-age=${next === "system" ? 0 : 31536000}`;
    nameTheme();
    relnotesSay(`Theme: ${next}`);
  });

  // What a source says and its raw text take each other's place; the one that isn't shown waits in the template.
  on("click", ".rn-swap", (button) => {
    const box = button.closest(".rn-quoted");
    const waiting = box.querySelector("template").content;
    const shown = box.querySelector("blockquote");
    box.prepend(waiting.firstElementChild);
    waiting.replaceChildren(shown);
    button.setAttribute("aria-pressed", String(button.getAttribute("aria-pressed") !== "true"));
    showQuote(box);
  });

  // Beside a long answer, the card that a marker would open is told apart before it is.
  const light = (lit) => (marker) => document.getElementById(marker.dataset.card)?.classList.toggle("rn-lit", lit);
  on("mouseover focusin", "[data-card]", light(true));
  on("mouseout focusout", "[data-card]", light(false));
})();
