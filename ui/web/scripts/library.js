// Sorts and filters tables.
(() => {
  const of = (id) => document.getElementById(id);

  const valueOf = (row, column) => {
    const cell = row.cells[column];
    const value = cell.dataset.value ?? cell.textContent.trim();
    return cell.classList.contains("rn-number") ? Number(value) : value.toLowerCase();
  };
  const compare = new Intl.Collator("en", { numeric: true }).compare;

  const sort = (heading) => {
    const table = heading.closest("table");
    const column = heading.cellIndex;
    // The first click sorts counts from the highest down, words from A to Z.
    const first = heading.classList.contains("rn-number") ? "descending" : "ascending";
    const isDescending = (heading.getAttribute("aria-sort") === first) !== (first === "descending");
    for (const other of table.tHead.rows[0].cells) other.setAttribute("aria-sort", "none");
    heading.setAttribute("aria-sort", isDescending ? "descending" : "ascending");
    const keyed = [...table.tBodies[0].rows].map((row) => [valueOf(row, column), row]);
    keyed.sort(([one], [other]) => {
      // Empty cells come last in both directions.
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
      row.rnText ??= [...row.cells].map((cell) => cell.textContent).join(" ").toLowerCase();
      row.hidden = !words.every((word) => row.rnText.includes(word));
      shown += !row.hidden;
    }
    const total = relnotesCounted(table.tBodies[0].rows.length, "document");
    const told = words.length ? `${shown.toLocaleString("en")} of ${total}` : total;
    document.querySelector(`[data-count-of="${table.id}"]`).textContent = told;
  };

  relnotesOn("click", "[data-sort]", (button) => sort(button.closest("th")));
  relnotesOn("input", "[data-filter-table]", filter);
})();
