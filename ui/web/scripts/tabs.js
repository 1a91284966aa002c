// Tabs as the ARIA pattern has them: one stop for Tab, arrows between them. The address and the title name the tab, each
// tab keeps its own address, and Gradio is started when one of its tabs is opened first.
(() => {
  const NAMES = ["ask", "upgrade", "review", "library"];
  const STEPS = { ArrowRight: 1, ArrowLeft: -1 };
  const root = document.documentElement;
  const left = {};
  const named = () => {
    const name = new URLSearchParams(location.search).get("tab");
    return NAMES.includes(name) ? name : "ask";
  };
  const tabOf = (name) => document.getElementById(`rn-tab-${name}`);

  const start = async (name) => {
    const script = document.querySelector('meta[name="rn-gradio-script"]');
    if (!script) return;
    script.remove();
    document.getElementById("rn-starting").hidden = false;
    const style = document.querySelector('meta[name="rn-gradio-style"]');
    style?.replaceWith(Object.assign(document.createElement("link"), { rel: "stylesheet", href: style.content }));
    document.head.append(Object.assign(document.createElement("link"), { rel: "modulepreload", href: script.content }));
    // What Gradio's page brings along in itself, and most visitors of ours never need.
    const config = await fetch("/config").then((response) => response.json()).catch(() => null);
    if (!config?.components) {
      document.getElementById("rn-starting").textContent = "This can't be loaded now. Load the page again in a moment.";
      return;
    }
    config.components.find((part) => part.props.elem_id === "rn-gradio-tabs").props.selected = name;
    window.gradio_config = config;
    document.head.append(Object.assign(document.createElement("script"), { type: "module", src: script.content }));
  };
  // Gradio's own tab, which draws what is in it when it is chosen first.
  let drawing = null;
  const select = (name) => {
    const choose = () => {
      const tab = document.querySelector(`#rn-gradio-tabs [role=tab][data-tab-id="${name}"]`);
      if (tab && tab.getAttribute("aria-selected") !== "true") tab.click();
      const panel = tab && document.getElementById(`rn-panel-${name}`);
      if (!panel) return false;
      panel.setAttribute("aria-labelledby", `rn-tab-${name}`);
      document.getElementById("rn-starting").hidden = true;
      return true;
    };
    drawing?.disconnect();
    if (choose()) return;
    drawing = new MutationObserver(() => choose() && drawing.disconnect());
    drawing.observe(document.body, { childList: true, subtree: true });
  };

  const show = (name) => {
    root.dataset.tab = name;
    for (const tab of NAMES.map(tabOf)) {
      const isShown = tab.dataset.tab === name;
      tab.setAttribute("aria-selected", String(isShown));
      tab.tabIndex = isShown ? 0 : -1;
      if (isShown) {
        document.title = name === "ask" ? "relnotes" : `${tab.textContent} · relnotes`;
        tab.scrollIntoView({ block: "nearest", inline: "nearest" });
      }
    }
    if (name === "ask") return;
    start(name);
    select(name);
    if (name === "library") document.getElementById("rn-refresh")?.click();
  };

  // Opens a tab where it was left; the one before stays a step back.
  const open = (name) => {
    const shown = named();
    if (name === shown) return;
    left[shown] = [history.state, location.pathname + location.search];
    const [state, address] = left[name] ?? [null, name === "ask" ? "/" : `/?tab=${name}`];
    history.pushState(state, "", address);
    show(name);
  };
  window.relnotesOpenTab = open;
  // What comes to a tab that isn't looked at shows in the address when it is.
  window.relnotesPutAddress = (name, address, state = null) => {
    if (name === named()) history.replaceState(state, "", address);
    else left[name] = [state, address];
  };
  window.relnotesAddress = (tab, values) => relnotesPutAddress(tab, `/?${new URLSearchParams({ tab, ...values })}`);

  root.dataset.tab = named();
  document.addEventListener("DOMContentLoaded", () => show(named()));
  addEventListener("popstate", () => show(named()));
  document.addEventListener("click", (event) => {
    const tab = event.target.closest?.("#rn-tabs [role=tab]");
    if (tab) open(tab.dataset.tab);
  });
  document.addEventListener("keydown", (event) => {
    const at = NAMES.findIndex((name) => event.target === tabOf(name));
    if (at < 0 || event.ctrlKey || event.altKey || event.metaKey) return;
    let to = event.key === "Home" ? 0 : event.key === "End" ? NAMES.length - 1 : -1;
    if (event.key in STEPS) to = (at + STEPS[event.key] + NAMES.length) % NAMES.length;
    if (to < 0) return;
    event.preventDefault();
    open(NAMES[to]);
    tabOf(NAMES[to]).focus();
  });
})();
