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
    const mark = card.querySelector(".rn-telling") ?? card.querySelector("mark");
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
    if (sheet()) sheet().open = false;
    card.open = true;
    // Its text can be read on with the arrows, and Enter, pressed again, doesn't close it.
    card.querySelector("blockquote").focus({ preventScroll: true });
    showQuote(card);
    const isNarrow = !matchMedia("(min-width: 1000px)").matches;
    card.classList.toggle("rn-sheet", isNarrow);
    openedBy = marker;
    if (!isNarrow) card.scrollIntoView({ block: "nearest" });
    else if (!history.state?.isSheet) history.pushState({ ...history.state, isSheet: true }, "");
  });
  // Escape leads from a source back to what opened it; a sheet goes with it, where one presses beside it, and with Back.
  let openedBy = null;
  const sheet = () => document.querySelector(".rn-sheet[open]");
  const goBack = () => history.state?.isSheet && history.back();
  const leave = (card) => {
    const isSheet = card === sheet();
    if (isSheet) card.open = false;
    const markers = [openedBy, ...document.querySelectorAll("[data-card]")];
    const opener = markers.find((marker) => marker?.isConnected && marker.dataset.card === card.id);
    (opener ?? card.querySelector("summary")).focus({ preventScroll: isSheet });
  };
  document.addEventListener("keydown", ({ key, target }) => {
    const card = key === "Escape" && (sheet() ?? target.closest?.("details.rn-card"));
    if (!card) return;
    if (sheet()) goBack();
    leave(card);
  });
  document.addEventListener("click", ({ target }) => {
    if (!sheet() || target.closest?.(".rn-sheet, [data-card]")) return;
    // What is pressed may lead elsewhere itself.
    if (!target.closest?.("a, button, input, textarea, summary")) goBack();
    leave(sheet());
  }, true);
  on("click", ".rn-sheet > summary", goBack);
  addEventListener("popstate", () => sheet() && leave(sheet()));
  // Of a picture that is wider than the screen, what is at hand is in sight.
  const current = document.querySelector(".rn-wide-plot [aria-current]");
  const plot = current?.closest(".rn-scroll");
  plot?.scrollBy(current.getBoundingClientRect().left - plot.getBoundingClientRect().left - plot.clientWidth / 2, 0);

  // A quote in its document was opened from an answer, mostly in a tab of its own.
  const back = document.querySelector("[data-leave]");
  if (back) back.hidden = false;
  back?.addEventListener("click", () => (history.length > 1 ? history.back() : close()));
  document.addEventListener("keydown", ({ key }) => key === "Escape" && back?.click());

  // Ctrl-K (or ⌘K) leads to the question box, from other pages to the one that has it.
  document.addEventListener("keydown", (event) => {
    if (event.key.toLowerCase() !== "k" || !(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey) return;
    event.preventDefault();
    document.querySelector("dialog[open]")?.close();
    const box = document.getElementById("rn-question");
    if (!box) return location.assign("/");
    box.focus();
    box.select();
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
    [button.textContent, button.dataset.then] = [button.dataset.then, button.textContent];
    showQuote(box);
  });

  // Beside a long answer, the card that a marker would open is told apart before it is.
  const light = (lit) => (marker) => document.getElementById(marker.dataset.card)?.classList.toggle("rn-lit", lit);
  on("mouseover focusin", "[data-card]", light(true));
  on("mouseout focusout", "[data-card]", light(false));
})();
