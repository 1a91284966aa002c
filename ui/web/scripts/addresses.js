// The address follows the tab and what it shows, so that a reload and a bookmark come back to it; each tab keeps its own.
(() => {
  const addresses = {};
  const told = () => new URLSearchParams(location.search).get("tab") || "ask";
  const selected = () => {
    const tab = document.querySelector("#rn-tabs [role=tab][aria-selected=true]");
    return tab ? tab.dataset.tabId : told();
  };
  // What comes to a tab that isn't looked at shows in the address when it is.
  const put = (tab, address) => {
    addresses[tab] = address;
    if (tab === selected()) history.replaceState(history.state, "", address);
  };
  window.relnotesPutAddress = put;
  // The first tab is what the bare address opens.
  const addressOf = (tab, values) => {
    const query = new URLSearchParams(tab === "ask" ? values : { tab, ...values }).toString();
    return location.pathname + (query && `?${query}`);
  };
  window.relnotesAddress = (tab, values) => put(tab, addressOf(tab, values));
  document.addEventListener("click", (event) => {
    const tab = event.target.closest && event.target.closest("#rn-tabs [role=tab][data-tab-id]");
    const name = tab && tab.dataset.tabId;
    if (!name || name === told()) return;
    addresses[told()] ??= location.pathname + location.search;
    history.replaceState(history.state, "", addresses[name] ?? addressOf(name, {}));
  });
})();
