// The states of an explorer, as buttons: a click sets all controls, lights those that it changed, and shows the state's
// sentence. When a control is moved by hand, no button stays pressed.
globalThis.explorer_states = (() => {
  "use strict";

  /** Show for a second that a control has changed, even a rare one that is folded away. */
  function light(control) {
    control.closest(".explorer-more")?.setAttribute("open", "");
    control.classList.add("explorer-lit");
    setTimeout(() => control.classList.remove("explorer-lit"), 1200);
  }

  /** `take(positions)` sets all controls and returns the elements of those that have changed. Returns the function to
   * call when a control moves.
   */
  function bind(figure, take) {
    const row = figure.querySelector(".explorer-states");
    if (!row) return () => {};
    const buttons = [...row.querySelectorAll("button")];
    const sentence = figure.querySelector(".explorer-notice");
    const press = (pressed) => {
      for (const button of buttons) button.setAttribute("aria-pressed", button === pressed);
      sentence.textContent = pressed?.dataset.sentence ?? "";
    };
    for (const button of buttons)
      button.addEventListener("click", () => {
        take(JSON.parse(button.dataset.positions)).forEach(light);
        press(button);
      });
    row.hidden = sentence.hidden = false;
    return () => press(null);
  }

  return { bind, light };
})();
