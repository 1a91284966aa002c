// The address follows the tab, so that a reload and a bookmark come back to it.
(() => {
  const show = (tab, values) => {
    // The first tab is what the bare address opens.
    const query = new URLSearchParams(tab === "ask" ? values : { tab, ...values }).toString();
    history.replaceState(history.state, "", location.pathname + (query && `?${query}`));
  };
  window.relnotesAddress = show;
  document.addEventListener("click", (event) => {
    const tab = event.target.closest && event.target.closest("#rn-tabs [role=tab][data-tab-id]");
    const name = tab && tab.dataset.tabId;
    if (name && (new URLSearchParams(location.search).get("tab") || "ask") !== name) show(name, {});
  });
})();
