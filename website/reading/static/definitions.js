// The style sheet alone shows a word's definition on hover and focus. This script puts it below the word and lets
// Escape hide it. On a touch screen, the first tap shows the definition, and the second follows the link.
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
    const by_finger = event.detail > 0 && matchMedia("(hover: none)").matches; // not with a key or a screen reader
    if (word && word !== shown && by_finger) {
      event.preventDefault();
      word.focus();
    }
    shown = word;
  });
}
