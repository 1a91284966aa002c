// Buttons to copy answers and links.
(() => {
  const copy = async (text) => {
    if (navigator.clipboard) return navigator.clipboard.writeText(text);
    // Without TLS, browsers offer no clipboard API, but can copy the selection.
    const box = Object.assign(document.createElement("textarea"), { value: text });
    document.body.append(box);
    box.select();
    const isCopied = document.execCommand("copy");
    box.remove();
    if (!isCopied) throw new Error("refused");
  };

  // Returns the button's text or link, or the Markdown in the data address beside it, with a link to the page.
  const copied = ({ dataset, parentElement }) => {
    if ("copyLink" in dataset) return new URL(dataset.copyLink, location.href).href;
    const [address, link] = ["", " ~ a"].map((beside) => parentElement.querySelector(`[data-markdown]${beside}`)?.href);
    return dataset.copy || decodeURIComponent(address.slice(address.indexOf(",") + 1)) + (link ? `\n${link}\n` : "");
  };
  relnotesOn("click", "[data-copy], [data-copy-link]", async (button) => {
    const words = (button.dataset.words ??= button.textContent);
    // Keeps the button's width, so that its neighbours don't move.
    button.style.minWidth = `${button.offsetWidth}px`;
    button.textContent = await copy(copied(button)).then(() => "Copied", () => "Can't copy here");
    relnotesSay(button.textContent);
    setTimeout(() => { button.textContent = words; }, 2000);
  });
})();
