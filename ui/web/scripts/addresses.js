// The address follows the tab, so that a reload and a bookmark come back to it.
(() => {
  const show = (tab, values) => {
    const query = new URLSearchParams({ tab, ...values }).toString();
    history.replaceState(history.state, "", `${location.pathname}?${query}`);
  };
  window.relnotesAddress = show;
  document.addEventListener("click", (event) => {
    const tab = event.target.closest && event.target.closest("#rn-tabs [role=tab][data-tab-id]");
    const name = tab && tab.dataset.tabId;
    if (name && new URLSearchParams(location.search).get("tab") !== name) show(name, {});
  });
})();
