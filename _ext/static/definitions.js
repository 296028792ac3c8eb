// A word's definition shows on hover and focus by the style sheet alone. Escape hides it; where nothing hovers, the first
// tap shows it and the second follows the link.
if (typeof document !== "undefined") {
  const root = document.documentElement;
  addEventListener("keydown", ({ key }) => key === "Escape" && root.classList.add("no-definitions"));
  for (const event of ["pointerover", "focusin"]) {
    addEventListener(event, ({ target }) => {
      if (target.closest?.("a.defined")) root.classList.remove("no-definitions");
    });
  }
  let shown = null;
  addEventListener("click", (event) => {
    const word = event.target.closest?.("a.defined");
    if (word && word !== shown && matchMedia("(hover: none)").matches) {
      event.preventDefault();
      word.focus();
    }
    shown = word;
  });
}
