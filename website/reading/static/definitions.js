// A word's definition shows on hover and focus by the style sheet alone. Here it comes to stand below its word, Escape
// hides it, and where nothing hovers the first tap shows it and the second follows the link.
if (typeof document !== "undefined") {
  const root = document.documentElement;
  addEventListener("keydown", ({ key }) => key === "Escape" && root.classList.add("no-definitions"));
  for (const event of ["pointerover", "focusin"]) {
    addEventListener(event, ({ target }) => {
      const word = target.closest?.("a.defined");
      if (!word) return;
      root.classList.remove("no-definitions");
      const box = word.nextElementSibling;
      const room = box.offsetParent ? box.offsetParent.clientWidth - box.offsetWidth : 0;
      box.style.left = `${Math.max(0, Math.min(word.offsetLeft, room))}px`;
    });
  }
  let shown = null;
  addEventListener("click", (event) => {
    const word = event.target.closest?.("a.defined");
    const by_finger = event.detail > 0 && matchMedia("(hover: none)").matches; // not by a key or a screen reader
    if (word && word !== shown && by_finger) {
      event.preventDefault();
      word.focus();
    }
    shown = word;
  });
}
