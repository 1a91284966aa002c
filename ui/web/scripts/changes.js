// Lists of changes: a box that narrows them, somebody's own files, copies, and what a screen reader is told when one comes.
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
      const link = list.querySelector(`a[href="#${group.id}"]`);
      if (link) link.parentElement.hidden = group.hidden;
    }
    const shown = changes.filter((change) => !change.hidden).length;
    const entries = counted(changes.length, "entry", "entries");
    list.querySelector("[data-shown]").textContent = shown === changes.length ? `All ${entries} shown` : `${shown} of ${entries} shown`;
  };
  document.addEventListener("input", (event) => event.target.matches("[data-filter-text]") && narrow(event.target));

  // Gradio's page has a base, so that a bare "#" would lead to another address.
  document.addEventListener("click", (event) => {
    const link = event.target.closest && event.target.closest(".rn-contents a");
    if (!link) return;
    event.preventDefault();
    const section = document.getElementById(link.hash.slice(1));
    section.scrollIntoView();
    section.focus({ preventScroll: true });
  });

  // Somebody's own files are read here and sent along with the form as text; what is too much or no text stays here.
  const own = new Map();
  let areNew = false;
  window.relnotesOwnFiles = () => {
    if (!own.size) return "";
    const sent = JSON.stringify({ files: [...own].map(([name, { text }]) => ({ name, text })), are_new: areNew });
    areNew = false;
    return sent;
  };
  const list = () => document.getElementById("rn-upgrade-show").click();
  const ownBox = () => document.querySelector("[data-own]");
  const tellOwn = (faults) => {
    const box = ownBox();
    const names = [...own.keys()];
    const more = names.length > 3 ? ` and ${names.length - 3} more` : "";
    box.querySelector("[data-own-names]").textContent = names.slice(0, 3).join(", ") + more;
    box.querySelector("[data-own-forget]").hidden = !names.length;
    box.querySelector("[data-own-said]").textContent = faults.join(" ");
  };
  const take = async (files) => {
    const most = Number(ownBox().dataset.most);
    const room = Number(ownBox().dataset.bytes);
    const faults = [];
    for (const file of files) {
      const name = file.name.slice(-300);
      // What is larger by itself isn't even read.
      const text = file.size > room ? "" : await file.text().catch(() => null);
      // As the request has it: JSON in JSON.
      const bytes = new Blob([JSON.stringify(JSON.stringify({ name, text }))]).size;
      const others = [...own].filter(([other]) => other !== name);
      const taken = others.reduce((sum, [, other]) => sum + other.bytes, bytes);
      if (text === null) faults.push(`${file.name} can't be read.`);
      else if (text.includes("\0")) faults.push(`${file.name} is left out: it holds no text.`);
      else if (others.length >= most) faults.push(`${file.name} is left out: ${most} files at most.`);
      else if (file.size > room || taken > room) {
        faults.push(`${file.name} is left out: the files may have some ${Math.floor(room / 1e6)} MB together.`);
      } else {
        own.set(name, { text, bytes });
        areNew = true;
      }
    }
    tellOwn(faults);
    if (areNew) list();
  };
  document.addEventListener("change", (event) => {
    if (event.target.id !== "rn-own-files") return;
    const files = [...event.target.files];
    // The same file can be chosen again after it was changed.
    event.target.value = "";
    take(files);
  });
  document.addEventListener("click", (event) => {
    if (!event.target.closest || !event.target.closest("[data-own-forget]")) return;
    own.clear();
    tellOwn([]);
    document.getElementById("rn-own-files").focus();
    list();
  });
  // Files may be dropped anywhere while the tab is looked at; a browser would open them in place of the page.
  const isOver = (event) => ownBox()?.offsetParent && [...event.dataTransfer.types].includes("Files");
  document.addEventListener("dragover", (event) => {
    if (!isOver(event)) return;
    event.preventDefault();
    ownBox().classList.add("rn-over");
  });
  document.addEventListener("dragleave", (event) => event.relatedTarget || ownBox()?.classList.remove("rn-over"));
  document.addEventListener("drop", (event) => {
    if (!isOver(event)) return;
    event.preventDefault();
    ownBox().classList.remove("rn-over");
    take([...event.dataTransfer.files]);
  });

  // The quote is what one opens a card for; its surroundings may be longer than the card.
  document.addEventListener("toggle", (event) => {
    const quote = event.target.open && event.target.matches(".rn-evidence") && event.target.querySelector("blockquote");
    if (quote) quote.scrollTop = Math.max(0, quote.querySelector("mark").offsetTop - quote.offsetTop - quote.clientHeight / 3);
  }, true);

  document.addEventListener("click", async (event) => {
    const button = event.target.closest && event.target.closest("[data-copy-markdown]");
    if (!button) return;
    const address = button.parentElement.querySelector("[data-markdown]").href;
    try {
      await relnotesCopy(decodeURIComponent(address.slice(address.indexOf(",") + 1)));
      button.textContent = "Copied";
    } catch {
      button.textContent = "Can't copy: use Download";
    }
    say(button.textContent);
    setTimeout(() => (button.textContent = "Copy as Markdown"), 2500);
  });

  const say = (words) => window.relnotesSay(words);
  const arrived = (records) => {
    for (const record of records) {
      // Gradio keeps the elements that the list before had too, and changes what is in them.
      for (const node of record.type === "attributes" ? [record.target] : record.addedNodes) {
        const found = node.nodeType === 1 && (node.matches("[data-announce]") ? node : node.querySelector("[data-announce]"));
        if (found) say(found.dataset.announce);
      }
    }
  };
  const start = () => {
    new MutationObserver(arrived).observe(document.body, {
      childList: true, subtree: true, attributeFilter: ["data-announce"],
    });
  };
  // Gradio runs the scripts of its head before or after there is a body.
  if (document.body) start();
  else document.addEventListener("DOMContentLoaded", start);
})();
