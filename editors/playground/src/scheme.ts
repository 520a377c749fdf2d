// The color scheme: that of the system, until the reader chooses the other one.

const KEY = "shapecheck-scheme";

export function schemeControl(button: HTMLElement): void {
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const now = (): string => document.documentElement.dataset.scheme ?? (dark.matches ? "dark" : "light");
  const name = (): void => {
    button.textContent = now() === "dark" ? "Light" : "Dark";
    button.setAttribute("aria-label", `Use the ${now() === "dark" ? "light" : "dark"} color scheme`);
  };
  const stored = read();
  if (stored) document.documentElement.dataset.scheme = stored;
  name();
  dark.addEventListener("change", name);
  button.addEventListener("click", () => {
    const chosen = now() === "dark" ? "light" : "dark";
    document.documentElement.dataset.scheme = chosen;
    try {
      localStorage.setItem(KEY, chosen);
    } catch {
      // without storage, the choice lasts as long as the page
    }
    name();
  });
}

function read(): string | null {
  try {
    return localStorage.getItem(KEY);
  } catch {
    return null;
  }
}
