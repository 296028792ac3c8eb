// The states of an explorer, as buttons: a click sets all controls, lights those that it changed, and shows the state's
// sentence. The button of the state that the controls are in is pressed, whoever has moved them.
"use strict";
book.explorer_states = (() => {
  /** Open all folds around an element. */
  function unfold(element) {
    for (let fold = element; (fold = fold.parentElement.closest("details"));) fold.open = true;
  }

  /** Show for a second that a control has changed, even one that is folded away. */
  function light(control) {
    unfold(control);
    control.classList.add("explorer-lit");
    setTimeout(() => control.classList.remove("explorer-lit"), 1200);
  }

  /** `take(positions)` sets all controls and returns the elements of those that have changed; `now()` returns their
   * positions. Returns the function to call when a control has moved.
   */
  function bind(figure, take, now) {
    const row = figure.querySelector(".explorer-states");
    if (!row) return () => {};
    const sentence = figure.querySelector(".explorer-notice");
    const states = [...row.querySelectorAll("button")].map((button) => {
      const positions = JSON.parse(button.dataset.positions);
      button.addEventListener("click", () => take(positions).forEach(light));
      return { button, positions };
    });
    row.hidden = false;
    return () => {
      const here = now();
      const state = states.find(({ positions }) => positions.every((position, i) => position === here[i]));
      for (const { button } of states) button.setAttribute("aria-pressed", button === state?.button);
      sentence.textContent = state?.button.dataset.sentence ?? "";
    };
  }

  return { bind, light, unfold };
})();
