// The conversation: questions go to the server one by one, and come back as HTML that takes the place of their turn.
(() => {
  if (document.body.dataset.page !== "ask") return;
  const MAX_TURNS = 30;
  const MAX_HISTORY = 10;
  let talk = { turns: [] };
  let isAsking = false;
  // Asked while another was being answered; it stays in the box until then, and isn't asked if it is changed there.
  let isWaiting = false;
  let drawn = 0;
  let deleted = null;

  const of = (id) => document.getElementById(id);
  const turnAt = (number) => of(`rn-turn-${number}`);
  const numberOf = (turn) => Number(turn.id.replace("rn-turn-", ""));
  const box = () => of("rn-question");
  const element = (tag, className, ...children) => relnotesElement(tag, { className }, ...children);
  const parsed = (html) => {
    const template = document.createElement("template");
    template.innerHTML = html;
    return template.content;
  };

  const article = (number, question, ...inside) => {
    const turn = element("article", "rn-turn", element("div", "rn-q", element("h2", "rn-asked", question)), ...inside);
    turn.id = `rn-turn-${number}`;
    return turn;
  };
  // The page keeps a heading for who listens to it.
  const converse = (question) => {
    const isOn = Boolean(question);
    document.title = isOn ? `${question} · relnotes` : "relnotes";
    of("rn-hero").querySelector("h1").textContent = isOn ? "Answers" : "What changed?";
    of("rn-hero").classList.toggle("rn-visually-hidden", isOn);
    document.body.classList.toggle("rn-talking", isOn);
    const example = of("rn-start").querySelector("[data-example]")?.dataset.example;
    box().placeholder = isOn ? "Ask a follow-up" : example || "Ask about a release";
  };
  const waiting = (number, question) => {
    converse(question);
    const lines = relnotesElement("div", { ariaHidden: "true" }, ...[1, 2, 3].map(() => element("span", "rn-skeleton")));
    return article(number, question, element("div", "rn-loading", element("p", "", "Searching the notes …"), lines));
  };
  const failure = (number, question, link, words) => {
    const again = relnotesButton("Try again");
    again.dataset.again = link;
    const said = relnotesElement("div", { className: "rn-answer rn-failure", role: "alert" }, element("p", "", words));
    return article(number, question, said, element("p", "rn-tools", again));
  };
  const put = (number, turn) => {
    if (turnAt(number)) turnAt(number).replaceWith(turn);
    else of("rn-answer").append(turn);
    return turn;
  };

  const firstLine = (turn) => turn.querySelector(".rn-answer").innerText.split("\n", 1)[0];
  const send = (path, body) => relnotesFetch(path, { method: "POST", body });
  const formOf = (link, more) => {
    const form = new URLSearchParams(link.slice(2));
    for (const [name, value] of Object.entries(more)) if (value) form.set(name, value);
    return form;
  };

  // `number` is a turn's own for as long as the conversation is shown: ids within its HTML begin with it.
  const answer = async (asked, { seen, again = "", read = "" }) => {
    const { number, link, question } = asked;
    const mine = drawn;
    let turn;
    try {
      turn = parsed(await send("/page/ask", formOf(link, { number, seen, again, read }))).firstElementChild;
    } catch (error) {
      turn = failure(number, question, link, error.message);
    }
    // Meanwhile another conversation may have been opened, this one have gone on without its first turn, or another
    // question have been asked in this one's place.
    if (mine !== drawn || !turnAt(number) || !talk.turns.includes(asked)) return null;
    if (read && mustStand(turnAt(number), turn)) return null;
    tellSubject(asked, turn);
    return read ? putKept(number, turn) : put(number, turn);
  };
  // What was answered without the language model stays where that can't be asked; why, it says where it said before that
  // the model reads.
  const mustStand = (before, turn) => {
    if (turn.dataset.seen) return false;
    const why = `The language model hasn't answered: ${turn.querySelector("[role=alert]").innerText.trim()} This is the answer without it.`;
    const mark = before.querySelector(".rn-reading");
    mark?.replaceChildren(why);
    mark?.removeAttribute("aria-busy");
    relnotesSay(why);
    return true;
  };
  // What a person opened stays open, and what has the focus keeps it, or its turn's heading does.
  const putKept = (number, turn) => {
    const before = turnAt(number);
    const titleOf = (card) => card.querySelector("summary").textContent;
    for (const card of before.querySelectorAll("details")) {
      const again = [...turn.querySelectorAll("details")].find((one) => titleOf(one) === titleOf(card));
      if (again) Object.assign(again, { open: card.open, className: card.className });
    }
    const held = before.contains(document.activeElement) && document.activeElement;
    const isAlike = (one) => ["data-card", "data-question", "data-again", "aria-label"].every((name) => one.getAttribute(name) === held.getAttribute(name));
    put(number, turn);
    if (!held) return turn;
    const again = [...turn.querySelectorAll(held.localName)].find((one) => isAlike(one) && one.textContent === held.textContent);
    (again ?? turn.querySelector(".rn-asked")).focus({ preventScroll: true });
    return turn;
  };
  // Of a question about another product than the one before, what was asked before can be kept to.
  const tellSubject = (asked, turn) => {
    const before = turnAt(talk.turns[talk.turns.indexOf(asked) - 1]?.number)?.dataset.products;
    const { products } = turn.dataset;
    const chips = turn.querySelector(".rn-chips");
    const params = new URLSearchParams(asked.link.slice(2));
    if (!before || !products || before === products || !chips || params.get("product")) return;
    const keep = relnotesButton(`Ask about ${before} instead`, { className: "rn-plain" });
    params.set("product", before.split(", ")[0]);
    keep.dataset.again = `/?${params}`;
    chips.append(element("li", "", keep));
  };

  // At once: what is on its way smoothly lands elsewhere when the page grows meanwhile.
  const bringUp = (turn) => turn.scrollIntoView({ block: "start", behavior: "instant" });
  const save = () => {
    talk.id ??= `${Date.now().toString(36)}${Math.random().toString(36).slice(2, 8)}`;
    talk.at = Date.now();
    relnotesTalks.save(talk);
    showTalks();
  };
  // What was seen first stays with its day until the answer is another one.
  const remember = (asked, turn) => {
    if (!turn.dataset.seen) return false;
    const [before, now] = [asked.seen || "", turn.dataset.seen].map((seen) => seen.split(".")[1]);
    if (!before || (turn.dataset.heard !== "not_yet" && before !== now)) asked.seen = turn.dataset.seen;
    return true;
  };
  // The answer that the language model read takes the place of the one without it.
  const readOn = async (asked, turn, { seen, again }) => {
    if (turn?.dataset.heard !== "not_yet") return turn;
    const read = await answer(asked, { seen, again, read: "yes" });
    if (!read) return turn;
    if (read.dataset.heard === "yes" && remember(asked, read)) relnotesTalks.save(talk);
    // Where the model failed, the same answer stands there, and its last note is new.
    relnotesSay(read.dataset.heard === "yes" ? firstLine(read) : read.querySelector(".rn-notes li:last-child")?.innerText ?? "");
    return read;
  };
  const showTalks = () => {
    of("rn-new").hidden = !talk.turns.length;
    of("rn-talk-list-button").hidden = !relnotesTalks.all().length;
  };

  // Asks in the place of turn `number`, or as the next one.
  const ask = async (link, { number = (talk.turns.at(-1)?.number ?? 0) + 1, seen = "" } = {}) => {
    if (isAsking) return;
    isAsking = true;
    of("rn-said").textContent = "";
    of("rn-send").setAttribute("aria-busy", "true");
    const params = new URLSearchParams(link.slice(2));
    const asked = { number, link, question: params.get("q"), seen };
    const place = talk.turns.findIndex((earlier) => earlier.number === number);
    if (place >= 0) talk.turns[place] = asked;
    else talk.turns.push(asked);
    if (talk.turns.length > MAX_TURNS) turnAt(talk.turns.shift().number).remove();
    of("rn-start").hidden = true;
    showTalks();
    const isFirst = !document.querySelector(".rn-turn");
    // One step back is the start.
    if (isFirst && !new URLSearchParams(location.search).get("q")) history.pushState(null, "", link);
    const held = put(number, waiting(number, asked.question));
    if (!isFirst) bringUp(held);
    const mine = drawn;
    const turn = await answer(asked, { seen });
    if (mine !== drawn) return;
    isAsking = false;
    of("rn-send").removeAttribute("aria-busy");
    if (remember(asked, turn)) {
      save();
      history.replaceState({ talk: talk.id }, "", link);
    }
    if (!isFirst) bringUp(turn);
    // What was pressed went with the turn.
    if (document.activeElement === document.body) turn.querySelector(".rn-asked").focus({ preventScroll: true });
    relnotesSay([firstLine(turn), turn.querySelector(".rn-reading")?.innerText].filter(Boolean).join(" "));
    readOn(asked, turn, { seen });
    if (isWaiting) submit();
  };

  const clear = () => {
    drawn += 1;
    isAsking = false;
    isWaiting = false;
    of("rn-send").removeAttribute("aria-busy");
    of("rn-answer").replaceChildren();
    of("rn-said").textContent = "";
  };
  const begin = () => {
    clear();
    talk = { turns: [] };
    of("rn-start").hidden = false;
    converse();
    scrollTo({ top: 0, behavior: "instant" });
    showTalks();
  };
  // Each turn is answered again, the last one first; what has changed meanwhile, the answer says.
  const open = async (kept) => {
    clear();
    talk = { ...kept, turns: kept.turns.map((turn, at) => ({ ...turn, number: at + 1 })) };
    of("rn-start").hidden = true;
    showTalks();
    const mine = drawn;
    const [last, ...earlier] = [...talk.turns].reverse();
    talk.turns.forEach(({ number, question }) => put(number, waiting(number, question)));
    if (earlier.length) bringUp(turnAt(last.number));
    const unread = [];
    for (const asked of [last, ...earlier]) {
      const { seen } = asked;
      const turn = await answer(asked, { seen, again: "yes" });
      if (mine !== drawn) return;
      if (turn && remember(asked, turn)) relnotesTalks.save(talk);
      if (turn?.dataset.heard === "not_yet") unread.push({ asked, turn, seen });
      if (asked !== last) continue;
      if (earlier.length) bringUp(turn);
    }
    for (const { asked, turn, seen } of unread) {
      await readOn(asked, turn, { seen, again: "yes" });
      if (mine !== drawn) return;
    }
  };
  window.relnotesOpenTalk = (id) => {
    const kept = relnotesTalks.get(id);
    if (!kept) return;
    history.pushState({ talk: id }, "", kept.turns.at(-1).link);
    open(kept);
  };

  // A page of somebody else's may link here, but not ask: a question costs, and may be kept.
  const tellForeign = () => {
    const [load] = performance.getEntriesByType("navigation");
    const isForeign = load.type !== "reload" && !load.serverTiming?.some(({ name }) => name === "ours");
    if (isForeign || history.state?.isForeign) history.replaceState({ ...history.state, isForeign }, "");
  };

  // What the address and the browser's own memory of it say: a conversation, a question, or neither.
  const restore = () => {
    const params = new URLSearchParams(location.search);
    const kept = history.state?.talk && relnotesTalks.get(history.state.talk);
    if (kept) {
      if (kept.id !== talk.id) open(kept);
    } else if (params.get("q")?.trim()) {
      const seen = params.get("seen") || "";
      params.delete("seen");
      begin();
      narrow(params.get("product") || "", params.get("version") || "");
      if (history.state?.isForeign) relnotesFill(params.get("q").trim());
      else ask(`/?${params}`, { seen });
    } else {
      if (talk.turns.length) begin();
      if (params.has("product")) narrow(params.get("product"), params.get("version") || "");
    }
  };

  // A question is asked after those of the conversation that were answered.
  const linkTo = (question, filters = {}) => {
    const params = new URLSearchParams({ q: question });
    for (const name of ["product", "version"]) if (filters[name]) params.set(name, filters[name]);
    const last = [...talk.turns].reverse().find((turn) => turn.seen);
    const before = new URLSearchParams(last?.link.slice(2) ?? location.search);
    const isOffered = !last && history.state?.isForeign && before.get("q").trim() === question;
    const after = last || isOffered ? before.getAll("after") : [];
    [...after, ...(last ? [before.get("q")] : [])].slice(-MAX_HISTORY).forEach((earlier) => params.append("after", earlier));
    return `/?${params}`;
  };

  const filters = () => ({ product: of("rn-product").value.trim(), version: of("rn-version").value.trim() });
  const narrow = (product, version) => {
    of("rn-product").value = product;
    of("rn-version").value = version;
    showFilters();
  };
  const showFilters = () => {
    const chips = Object.entries(filters()).filter(([, value]) => value).map(([name, value]) => {
      const drop = () => { of(`rn-${name}`).value = ""; showFilters(); box().focus(); };
      const off = relnotesButton("×", { ariaLabel: `No longer only ${name} ${value}`, onclick: drop });
      return element("li", "", element("span", "rn-chip", element("span", "rn-chip-label", `Only ${name}`), " ", value, off));
    });
    of("rn-filter-chips").replaceChildren(...chips);
    of("rn-filter-chips").hidden = !chips.length;
  };
  window.relnotesFill = (text) => {
    isWaiting = false;
    box().value = text;
    box().focus({ preventScroll: true });
  };
  const submit = () => {
    const question = box().value.trim();
    isWaiting = isAsking && Boolean(question);
    if (!question && !isAsking) of("rn-said").textContent = "Type a question first.";
    if (!question || isAsking) return;
    relnotesFill("");
    of("rn-said").textContent = "";
    ask(linkTo(question, filters()));
  };

  const wire = () => {
    box().addEventListener("input", () => {
      isWaiting = false;
      of("rn-said").textContent = "";
    });
    box().addEventListener("keydown", (event) => {
      if (event.key !== "Enter" || event.shiftKey || event.isComposing || event.defaultPrevented) return;
      event.preventDefault();
      submit();
    });
    of("rn-composer").addEventListener("submit", (event) => { event.preventDefault(); submit(); });
    of("rn-filters").addEventListener("input", showFilters);
    of("rn-filters").addEventListener("keydown", (event) => {
      // Without a question to send, the filter is taken.
      const isTaken = event.key === "Enter" && !box().value.trim();
      if (event.key !== "Escape" && !isTaken) return;
      event.preventDefault();
      of("rn-narrow").click();
      (isTaken ? box() : of("rn-narrow")).focus();
    });
    of("rn-narrow").addEventListener("click", () => {
      of("rn-filters").hidden = !of("rn-filters").hidden;
      of("rn-narrow").setAttribute("aria-expanded", String(!of("rn-filters").hidden));
      if (!of("rn-filters").hidden) of("rn-product").focus();
    });
    of("rn-new").addEventListener("click", () => {
      history.pushState(null, "", "/");
      begin();
      narrow("", "");
      showBefore();
      box().focus({ preventScroll: true });
    });
    relnotesOn("click", "[data-question]", (asked) => {
      // What an answer offers was proven under the filters of its question.
      const offering = asked.closest(".rn-turn")?.dataset.link ?? "/?";
      ask(linkTo(asked.dataset.question, Object.fromEntries(new URLSearchParams(offering.slice(2)))));
    });
    relnotesOn("click", "[data-to-answer]", () => of("rn-answer").lastElementChild.querySelector(":is(.rn-body, .rn-tools) :is(a, button)")?.focus());
    relnotesOn("click", "[data-again]", (again) => {
      const link = again.dataset.again;
      const params = new URLSearchParams(link.slice(2));
      narrow(params.get("product") || "", params.get("version") || "");
      ask(link, { number: numberOf(again.closest(".rn-turn")) });
    });
    addEventListener("popstate", restore);
    addEventListener("relnotes-talks", () => {
      showTalks();
      showBefore();
      // What was deleted while it is shown must not come back with the next question; what is put back is shown again.
      if (talk.id && !relnotesTalks.get(talk.id)) {
        const { id } = talk;
        of("rn-new").click();
        deleted = id;
      } else if (deleted && relnotesTalks.get(deleted) && !talk.turns.length) relnotesOpenTalk(deleted);
    });
    showTalks();
    tellForeign();
    restore();
    showStart();
    if (matchMedia("(hover: hover)").matches) box().focus({ preventScroll: true });
  };
  const showStart = () => {
    if (!talk.turns.length) converse();
    showBefore();
  };
  const showBefore = () => {
    of("rn-start").querySelector(".rn-before")?.remove();
    const lines = relnotesTalks.all().slice(0, 3).map((known) =>
      element("li", "", relnotesButton(relnotesTalks.nameOf(known), { onclick: () => relnotesOpenTalk(known.id) })));
    if (!lines.length) return;
    of("rn-start").append(element("section", "rn-before", element("h2", "rn-label", "Asked before"), element("ul", "rn-tries", ...lines)));
  };
  wire();
})();
