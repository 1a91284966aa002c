// Upgrade and Review: a form that fills in its versions, a box that filters a list, and a busy state for submitted forms.
(() => {
  const narrow = (box) => {
    const list = box.closest(".rn-upgrade");
    const wanted = box.value.trim().toLowerCase();
    const changes = [...list.querySelectorAll("[data-change]")];
    const told = (change) => {
      const words = [...change.querySelectorAll(".rn-words, .rn-about, .rn-does, .rn-uses, mark")].map((part) => part.textContent);
      return `${change.closest("[data-group]").querySelector("h3").textContent} ${words.join(" ")}`.toLowerCase();
    };
    for (const change of changes) change.hidden = !told(change).includes(wanted);
    for (const group of list.querySelectorAll("[data-group]")) {
      group.hidden = !group.querySelector("[data-change]:not([hidden])");
      const link = list.querySelector(`a[href="#${CSS.escape(group.id)}"]`);
      if (link) link.parentElement.hidden = group.hidden;
    }
    const shown = changes.filter((change) => !change.hidden).length;
    const entries = relnotesCounted(changes.length, "entry", "entries");
    list.querySelector("[data-shown]").textContent = shown === changes.length ? entries : `${shown} of ${entries} shown`;
  };
  relnotesOn("input", "[data-filter-text]", narrow);
  relnotesOn("click", "a[href^='#']", ({ hash }) => {
    const folded = document.getElementById(hash.slice(1))?.closest("details");
    if (folded) folded.open = true;
  });

  // Another product replaces the versions, removes the timeline, and marks the list below as stale.
  document.getElementById("rn-upgrade-product")?.addEventListener("change", async ({ target }) => {
    const known = JSON.parse(await relnotesFetch(`/page/versions?product=${encodeURIComponent(target.value)}`).catch(() => "null"));
    if (!known) return;
    document.getElementById("rn-versions").replaceChildren(...known.versions.map((value) => relnotesElement("option", { value })));
    for (const end of ["from", "to"]) document.getElementById(`rn-upgrade-${end}`).value = known[end];
    document.getElementById("rn-upgrade-timeline").replaceChildren();
    document.getElementById("rn-upgrade-result").classList.add("rn-stale");
  });
  // Input over the server's limit isn't sent; a character of text may take four bytes.
  const MOST_BYTES = 2_000_000;
  const fits = (form) => {
    const values = [...new FormData(form).values()];
    const bytes = values.reduce((sum, value) => sum + (value.size ?? new Blob([value]).size), 0);
    const said = form.querySelector(".rn-too-much");
    said.hidden = bytes <= MOST_BYTES;
    said.textContent = said.hidden ? "" : "This is too much at once: some 2 MB may be sent together.";
    return said.hidden;
  };
  const wait = (form) => {
    form.querySelector("button[type=submit]")?.setAttribute("aria-busy", "true");
    relnotesSay("Reading");
  };
  relnotesOn("change", "[data-submits]", ({ files, form }) => {
    if (!files.length) return;
    // Files that pin no release are checked against the range in the form above.
    for (const name of ["product", "from", "to"]) form.elements[name].value = document.getElementById(`rn-upgrade-${name}`).value;
    if (!fits(form)) return;
    wait(form);
    form.submit();
  });
  relnotesOn("submit", "[data-waits]", (form, event) => {
    if (fits(form)) wait(form);
    else event.preventDefault();
  });
  // Returning to the page with Back makes its forms usable again.
  addEventListener("pageshow", () => document.querySelectorAll("[aria-busy]").forEach((busy) => busy.removeAttribute("aria-busy")));
})();
