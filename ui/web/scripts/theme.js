// The theme that was chosen lasts. It is set before the first paint; Gradio sets the system's as it starts, so it is held.
(() => {
  const KEY = "relnotes-theme";
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const chosen = () => {
    try { return localStorage.getItem(KEY) || "system"; } catch { return "system"; }
  };
  const show = () => {
    const choice = chosen();
    const isDark = choice === "dark" || (choice === "system" && dark.matches);
    // Gradio's own styles look for the class on the body; ours for the first paint on the root, which is there before it.
    for (const element of [document.documentElement, document.body]) {
      if (element && element.classList.contains("dark") !== isDark) element.classList.toggle("dark", isDark);
    }
    for (const button of document.querySelectorAll("[data-theme-choice]")) {
      button.setAttribute("aria-pressed", String(button.dataset.themeChoice === choice));
    }
  };
  show();
  dark.addEventListener("change", show);
  addEventListener("storage", show);
  document.addEventListener("DOMContentLoaded", () => {
    show();
    new MutationObserver(show).observe(document.body, { attributes: true, attributeFilter: ["class"] });
  });
  document.addEventListener("click", (event) => {
    const button = event.target.closest && event.target.closest("[data-theme-choice]");
    if (!button) return;
    try { localStorage.setItem(KEY, button.dataset.themeChoice); } catch { /* Kept for this visit only. */ }
    show();
  });
})();
