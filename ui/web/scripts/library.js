// The Library: files go to the server one by one; how far an ingest is; tables are sorted and searched; removing asks first.
(() => {
  if (document.body.dataset.page !== "library") return;
  const REFUSED = "relnotes-refused";
  const of = (id) => document.getElementById(id);

  // Sends the chosen files, and gives the keys that the server knows them by. What it refuses is told, on the page that
  // follows too.
  const upload = async () => {
    const chosen = of("rn-files");
    const said = of("rn-uploading");
    const files = chosen ? [...chosen.files] : [];
    if (!files.length) return "[]";
    const largest = Number(chosen.dataset.largest);
    const refused = [];
    const keys = [];
    if (files.length > Number(chosen.dataset.most)) {
      said.textContent = `Choose ${chosen.dataset.most} files at most.`;
      return "[]";
    }
    for (const [at, file] of files.entries()) {
      said.textContent = `Sending ${at + 1} of ${files.length}: ${file.name}`;
      if (file.size > largest) {
        refused.push(`${file.name} is larger than ${largest / 1048576} MB.`);
        continue;
      }
      try {
        const address = `/library/uploads?name=${encodeURIComponent(file.name)}`;
        const headers = { "Content-Type": "application/octet-stream" };
        keys.push(JSON.parse(await relnotesFetch(address, { method: "POST", body: file, headers })).upload);
      } catch (error) {
        refused.push(`${file.name}: ${error.message}`);
      }
    }
    said.textContent = refused.join(" ");
    if (keys.length) sessionStorage.setItem(REFUSED, said.textContent);
    chosen.value = "";
    return JSON.stringify(keys);
  };
  of("rn-adding")?.addEventListener("submit", async (event) => {
    const form = event.target;
    if (!of("rn-files").files.length) return;
    event.preventDefault();
    of("rn-add").setAttribute("aria-busy", "true");
    const keys = await upload();
    of("rn-add").removeAttribute("aria-busy");
    if (keys === "[]") return;
    form.elements.uploaded.value = keys;
    form.submit();
  });

  if (of("rn-uploading") && sessionStorage.getItem(REFUSED)) {
    const said = of("rn-uploading");
    said.textContent = sessionStorage.getItem(REFUSED);
    of("rn-ingest-outcome").append(said);
    if (!of("rn-ingest-progress").hasAttribute("data-running")) sessionStorage.removeItem(REFUSED);
  }

  const WAIT_MS = 400;
  const watch = async () => {
    const html = await relnotesFetch("/library/progress").catch(() => null);
    // Done: the page says what came of it.
    if (html === "") return location.replace("/library?done");
    if (html) of("rn-ingest-progress").innerHTML = html;
    setTimeout(watch, WAIT_MS);
  };
  if (of("rn-ingest-progress")?.hasAttribute("data-running")) setTimeout(watch, WAIT_MS);

  const valueOf = (row, column) => {
    const cell = row.cells[column];
    const value = cell.dataset.value ?? cell.textContent.trim();
    return cell.classList.contains("rn-number") ? Number(value) : value.toLowerCase();
  };
  const compare = new Intl.Collator("en", { numeric: true }).compare;

  const sort = (heading) => {
    const table = heading.closest("table");
    const column = heading.cellIndex;
    const isDescending = heading.getAttribute("aria-sort") === "ascending";
    for (const other of table.tHead.rows[0].cells) other.hasAttribute("aria-sort") && other.setAttribute("aria-sort", "none");
    heading.setAttribute("aria-sort", isDescending ? "descending" : "ascending");
    const keyed = [...table.tBodies[0].rows].map((row) => [valueOf(row, column), row]);
    keyed.sort(([one], [other]) => {
      // What has no value comes last, whichever way.
      if (one === "" || other === "") return (one === "") - (other === "");
      const order = typeof one === "number" ? one - other : compare(one, other);
      return isDescending ? -order : order;
    });
    table.tBodies[0].append(...keyed.map(([, row]) => row));
  };

  const filter = (box) => {
    const table = of(box.dataset.filterTable);
    const words = box.value.toLowerCase().split(/\s+/).filter(Boolean);
    let shown = 0;
    for (const row of table.tBodies[0].rows) {
      row.rnText ??= [...row.cells].filter((cell) => !cell.querySelector("[data-remove]")).map((cell) => cell.textContent).join(" ").toLowerCase();
      row.hidden = !words.every((word) => row.rnText.includes(word));
      shown += !row.hidden;
    }
    const total = relnotesCounted(table.tBodies[0].rows.length, "document");
    const told = words.length ? `${shown.toLocaleString("en")} of ${total}` : total;
    document.querySelector(`[data-count-of="${table.id}"]`).textContent = told;
  };

  let removing = null;
  const askToRemove = (button) => {
    removing = button;
    const where = button.hasAttribute("data-uploaded")
      ? "The uploaded file is deleted too."
      : "The file or site that it came from stays as it is; adding that again brings it back.";
    of("rn-remove-what").textContent = `Remove “${button.dataset.name}” from the library? Answers will no longer quote it. ${where}`;
    of("rn-remove-fault").textContent = "";
    of("rn-remove").showModal();
  };
  const remove = async () => {
    // While the server is asked, another one's button may be pressed.
    const button = removing;
    try {
      await relnotesFetch(`/library/documents/${button.dataset.remove}/remove`, { method: "POST" });
    } catch (error) {
      of("rn-remove-fault").textContent = error.message;
      return;
    }
    of("rn-remove").close();
    button.closest("tr").remove();
    filter(document.querySelector("[data-filter-table]"));
    of("rn-removed").textContent = `Removed “${button.dataset.name}”. Answers no longer quote it.`;
    // The button that was pressed went with its row.
    of("rn-removed").focus();
    const now = await relnotesFetch("/library").catch(() => "");
    const coverage = new DOMParser().parseFromString(now, "text/html").getElementById("rn-library-coverage");
    if (coverage) of("rn-library-coverage").replaceWith(coverage);
  };

  relnotesOn("click", "[data-sort]", (button) => sort(button.closest("th")));
  relnotesOn("click", "[data-remove]", askToRemove);
  relnotesOn("click", "[data-remove-yes]", remove);
  relnotesOn("input", "[data-filter-table]", filter);
})();
