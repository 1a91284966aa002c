// Conversations, stored in this browser only, as questions with their addresses and a digest of the answers seen; and the
// list of them, with renaming and deleting.
(() => {
  if (document.body.dataset.page !== "ask") return;
  const KEY = "relnotes-conversations";
  const MOST = 50;
  // Other code of this origin may have written anything to the storage.
  const isTurn = (turn) => typeof turn?.question === "string" && typeof turn.link === "string" && turn.link.startsWith("/?");
  const isTalk = (talk) => typeof talk?.id === "string" && Array.isArray(talk.turns) && talk.turns.length > 0 && talk.turns.every(isTurn);
  const read = () => {
    try {
      const kept = JSON.parse(localStorage.getItem(KEY) || "[]");
      return Array.isArray(kept) ? kept.filter(isTalk) : [];
    } catch { return []; }
  };
  const write = (talks) => {
    // Another window may have written in the meantime, so each call reads the storage and changes one conversation.
    try { localStorage.setItem(KEY, JSON.stringify(talks.slice(0, MOST))); } catch { /* Without storage, conversations aren't kept. */ }
  };
  const nameOf = (talk) => talk.name || talk.turns[0]?.question || "Conversation";
  window.relnotesTalks = {
    all: read,
    get: (id) => read().find((talk) => talk.id === id),
    // The stored name wins, because the open conversation may have been renamed in the list.
    save: (talk) => {
      const talks = read();
      const name = talks.find((kept) => kept.id === talk.id)?.name;
      write([{ ...talk, name }, ...talks.filter((kept) => kept.id !== talk.id)]);
    },
    nameOf,
  };

  const element = window.relnotesElement;
  const list = () => document.getElementById("rn-talk-list");
  const say = (words, undo) => {
    const said = document.getElementById("rn-talk-said");
    said.replaceChildren(words);
    if (undo) said.append(" ", relnotesButton("Undo", { className: "rn-button", onclick: undo }));
  };

  const draw = () => {
    const talks = read();
    list().querySelector("ul").replaceChildren(...talks.map(line));
    list().querySelector("[data-talks-clear]").hidden = !talks.length;
    if (!talks.length && !document.getElementById("rn-talk-said").hasChildNodes()) say("There are none.");
  };
  const line = (talk) => {
    const name = nameOf(talk);
    const day = new Date(talk.at).toLocaleDateString("en-GB", { day: "numeric", month: "long", year: "numeric" });
    const about = `${day} · ${relnotesCounted(talk.turns.length, "question")}`;
    const open = element("button", { type: "button", className: "rn-talk", onclick: () => { list().close(); relnotesOpenTalk(talk.id); } },
      element("span", { className: "rn-talk-name" }, name), element("span", { className: "rn-about" }, about));
    const act = (verb, onclick) => relnotesButton(verb, { className: "rn-button", ariaLabel: `${verb} ${name}`, onclick });
    const row = element("li", {}, open);
    row.append(act("Rename", () => row.replaceChildren(renaming(talk, name))), act("Delete", () => forget([talk.id], "Deleted.")));
    return row;
  };
  const renaming = (talk, name) => {
    const box = element("input", { type: "text", value: name, maxLength: 200, ariaLabel: "Name of the conversation" });
    const form = element("form", { className: "rn-renaming" }, box,
      element("button", { type: "submit", className: "rn-button" }, "Save"));
    form.onsubmit = (event) => {
      event.preventDefault();
      change(read().map((kept) => (kept.id === talk.id ? { ...kept, name: box.value.trim() } : kept)), "Renamed.");
      list().querySelectorAll(".rn-talk")[read().findIndex((kept) => kept.id === talk.id)]?.focus();
    };
    setTimeout(() => { box.focus(); box.select(); });
    return form;
  };
  const forget = (ids, words) => {
    const before = read();
    change(before.filter((talk) => !ids.includes(talk.id)), words, () => change(before, "They are back."));
    document.querySelector("#rn-talk-said button")?.focus();
  };
  const change = (talks, words, undo) => {
    write(talks);
    say(words, undo);
    draw();
    dispatchEvent(new Event("relnotes-talks"));
  };

  relnotesOn("click", "[data-talks-clear]", () => forget(read().map((talk) => talk.id), "All are deleted."));
  relnotesOn("click", "#rn-talk-list-button", () => {
    say("");
    draw();
    list().showModal();
  });
})();
