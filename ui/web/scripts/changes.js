// Upgrade and Review: a form that fills itself in, a box that narrows a list, copies, and a sign that something is done.
(() => {
  const counted = (count, noun, nouns = `${noun}s`) => `${count.toLocaleString("en")} ${count === 1 ? noun : nouns}`;

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
    const entries = counted(changes.length, "entry", "entries");
    list.querySelector("[data-shown]").textContent = shown === changes.length ? `All ${entries} shown` : `${shown} of ${entries} shown`;
  };
  document.addEventListener("input", (event) => event.target.matches("[data-filter-text]") && narrow(event.target));

  // Another product has other versions; what the list below is about goes with its product.
  document.getElementById("rn-upgrade-product")?.addEventListener("change", async ({ target }) => {
    const response = await fetch(`/page/versions?product=${encodeURIComponent(target.value)}`).catch(() => null);
    if (!response?.ok) return;
    const known = await response.json();
    document.getElementById("rn-versions").replaceChildren(...known.versions.map((value) => relnotesElement("option", { value })));
    for (const end of ["from", "to"]) document.getElementById(`rn-upgrade-${end}`).value = known[end];
    document.getElementById("rn-upgrade-result").classList.add("rn-stale");
  });
  // More than the server takes stays here; of a text, a character may take four bytes.
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
  document.addEventListener("change", ({ target }) => {
    if (!target.matches("[data-submits]") || !target.files.length) return;
    // Files that state no release are checked for what the form above says now.
    for (const name of ["product", "from", "to"]) target.form.elements[name].value = document.getElementById(`rn-upgrade-${name}`).value;
    if (!fits(target.form)) return;
    wait(target.form);
    target.form.submit();
  });
  document.addEventListener("submit", (event) => {
    if (!event.target.matches("[data-waits]")) return;
    if (fits(event.target)) wait(event.target);
    else event.preventDefault();
  });
  // A page that is gone back to is asked again as it stands.
  addEventListener("pageshow", () => document.querySelectorAll("[aria-busy]").forEach((busy) => busy.removeAttribute("aria-busy")));

  document.addEventListener("click", async (event) => {
    const button = event.target.closest?.("[data-copy-markdown]");
    if (!button) return;
    const address = button.parentElement.querySelector("[data-markdown]").href;
    try {
      await relnotesCopy(decodeURIComponent(address.slice(address.indexOf(",") + 1)));
      button.textContent = "Copied";
    } catch {
      button.textContent = "Can't copy: use Download";
    }
    relnotesSay(button.textContent);
    setTimeout(() => (button.textContent = "Copy as Markdown"), 2500);
  });
})();
