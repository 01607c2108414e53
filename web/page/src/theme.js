// Runs before the first paint, so that a chosen theme does not flash.
const themes = ["auto", "light", "dark"];

function stored() {
  try {
    return localStorage.getItem("theme");
  } catch {
    return null; // storage can be forbidden
  }
}

let theme = themes.includes(stored()) ? stored() : "auto";

function apply() {
  document.documentElement.dataset.theme = theme;
  const button = document.getElementById("theme");
  if (!button) return;
  button.textContent = { auto: "◐", light: "☀", dark: "☾" }[theme];
  button.setAttribute("aria-label", `Color theme: ${theme}`);
  button.title = `Color theme: ${theme}`;
}

apply();
document.addEventListener("DOMContentLoaded", () => {
  apply();
  document.getElementById("theme")?.addEventListener("click", () => {
    theme = themes[(themes.indexOf(theme) + 1) % themes.length];
    try {
      localStorage.setItem("theme", theme);
    } catch {
      // the choice holds for this page only
    }
    apply();
  });
});
