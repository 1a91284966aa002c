// Tabs as the ARIA pattern has them: one stop for Tab, arrows between them; the title names the tab.
(() => {
  const bar = () => document.querySelector("#rn-tabs [role=tablist]");
  const tabs = () => [...document.querySelectorAll("#rn-tabs [role=tablist] [role=tab]")];
  const brand = document.title || "relnotes";
  const steps = { ArrowRight: 1, ArrowLeft: -1 };

  document.addEventListener("keydown", (event) => {
    const all = tabs();
    const at = all.indexOf(event.target);
    if (at < 0 || event.ctrlKey || event.altKey || event.metaKey) return;
    let to = event.key === "Home" ? 0 : event.key === "End" ? all.length - 1 : -1;
    if (event.key in steps) to = (at + steps[event.key] + all.length) % all.length;
    if (to < 0) return;
    event.preventDefault();
    all[to].click();
    all[to].focus();
  });

  const tell = () => {
    for (const tab of tabs()) {
      const isSelected = tab.getAttribute("aria-selected") === "true";
      tab.tabIndex = isSelected ? 0 : -1;
      if (!isSelected) continue;
      const label = tab.textContent.trim();
      document.title = tab === tabs()[0] ? brand : `${label} · ${brand}`;
      const panel = document.getElementById(tab.getAttribute("aria-controls"));
      if (panel) panel.setAttribute("aria-labelledby", tab.id);
      tab.scrollIntoView({ block: "nearest", inline: "nearest" });
    }
  };
  const started = () => {
    if (!bar() || !tabs().length) return false;
    document.getElementById("rn-starting")?.remove();
    tell();
    new MutationObserver(tell).observe(bar(), {
      attributes: true, attributeFilter: ["aria-selected"], subtree: true, childList: true,
    });
    return true;
  };
  const waiting = new MutationObserver(() => started() && waiting.disconnect());
  if (!started()) waiting.observe(document.documentElement, { childList: true, subtree: true });
})();
