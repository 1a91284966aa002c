// Shared by all pages: markers that open cards, rendered and raw sources, the theme, and one live region for announcements.
(() => {
  // Screen readers don't read a live region that is inserted with its text, so this one exists from the start.
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
  // Calls `act` with the element matching `selector` at or around an event's target, also for elements added later.
  const on = (types, selector, act) => {
    for (const type of types.split(" ")) {
      document.addEventListener(type, (event) => {
        const found = event.target.closest?.(selector);
        if (found) act(found, event);
      });
    }
  };
  window.relnotesOn = on;
  // Returns the text of the server's response; throws an error with a message for people.
  window.relnotesFetch = async (path, options) => {
    const response = await fetch(path, options).catch(() => {
      throw new Error("The server didn't answer. Try again in a moment.");
    });
    if (response.ok) return response.text();
    const detail = await response.json().then((problem) => problem.detail, () => "");
    throw new Error(detail || `The server answered ${response.status} ${response.statusText}.`);
  };

  // Scrolls to the quote.
  const showQuote = (card) => {
    const mark = card.querySelector(".rn-telling") ?? card.querySelector("mark");
    const quote = card.querySelector("blockquote");
    if (!mark || !quote) return;
    const topOf = (one) => one.getBoundingClientRect().top - quote.getBoundingClientRect().top + quote.scrollTop;
    const above = topOf(mark) - quote.clientHeight / 3;
    const line = parseFloat(getComputedStyle(quote).lineHeight);
    quote.scrollTop = Math.ceil(Math.max(0, Math.floor(above / line)) * line);
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
    // Focuses the text, so that the arrow keys scroll it and a second Enter doesn't close the card.
    card.querySelector("blockquote").focus({ preventScroll: true });
    showQuote(card);
    const isNarrow = !matchMedia("(min-width: 1000px)").matches;
    card.classList.toggle("rn-sheet", isNarrow);
    openedBy = marker;
    if (!isNarrow) card.scrollIntoView({ block: "nearest" });
    else if (!history.state?.isSheet) history.pushState({ ...history.state, isSheet: true }, "");
  });
  // Escape returns from a source to the element that opened it; a sheet is also closed by a press outside it and by Back.
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
    // The pressed element may navigate or take the focus itself.
    if (!target.closest?.("a, button, input, textarea, summary")) goBack();
    leave(sheet());
  }, true);
  on("click", ".rn-sheet > summary", goBack);
  addEventListener("popstate", () => sheet() && leave(sheet()));
  // Scrolls a plot that is wider than the screen to the current release.
  const current = document.querySelector(".rn-wide-plot [aria-current]");
  const plot = current?.closest(".rn-scroll");
  plot?.scrollBy(current.getBoundingClientRect().left - plot.getBoundingClientRect().left - plot.clientWidth / 2, 0);

  // A quote's document page is opened from an answer, mostly in a tab of its own.
  const back = document.querySelector("[data-leave]");
  if (back) back.hidden = false;
  back?.addEventListener("click", () => (history.length > 1 ? history.back() : close()));
  document.addEventListener("keydown", ({ key }) => key === "Escape" && back?.click());

  // Ctrl-K (or ⌘K) focuses the question box, or opens the page that has it.
  document.addEventListener("keydown", (event) => {
    if (event.key.toLowerCase() !== "k" || !(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey) return;
    event.preventDefault();
    document.querySelector("dialog[open]")?.close();
    const box = document.getElementById("rn-question");
    if (!box) return location.assign("/");
    box.focus();
    box.select();
  });

  // The theme (system, light or dark) is stored in a cookie, so that the server renders the next page in it.
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

  // Beside a long answer, highlights the card of the marker under the pointer or focus.
  const light = (lit) => (marker) => document.getElementById(marker.dataset.card)?.classList.toggle("rn-lit", lit);
  on("mouseover focusin", "[data-card]", light(true));
  on("mouseout focusout", "[data-card]", light(false));
})();
