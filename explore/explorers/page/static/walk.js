// Walks: buttons that move the step slider of a flip-book or of a program, and a play button that any touch stops.
"use strict";
for (const steps of document.querySelectorAll(".explorer-steps")) {
  steps.classList.add("explorer-walks"); // its buttons work, and are shown
  const PAUSE = 2500; // ms per sentence
  const slider = steps.querySelector("input");
  const play = steps.querySelector(".explorer-play");
  const explorer = steps.closest("figure");
  const last = Number(slider.max);
  let timer = 0;

  const go = (step) => {
    slider.value = step;
    slider.dispatchEvent(new Event("input", { bubbles: true }));
  };

  const stop = () => {
    clearInterval(timer);
    timer = 0;
    play.textContent = book.say("play");
  };

  const start = () => {
    if (Number(slider.value) === last) go(0);
    play.textContent = book.say("stop");
    timer = setInterval(() => {
      go(Number(slider.value) + 1);
      if (Number(slider.value) === last) stop();
    }, PAUSE);
  };

  play.hidden = matchMedia("(prefers-reduced-motion: reduce)").matches;
  play.addEventListener("click", () => (timer ? stop() : start()));
  for (const kind of ["pointerdown", "keydown"])
    explorer.addEventListener(kind, ({ target }) => timer && target !== play && stop());
  for (const button of steps.querySelectorAll("[data-by]"))
    button.addEventListener("click", () => go(Number(slider.value) + Number(button.dataset.by)));

  // Print the last step, and then show again the step that the screen showed before.
  let before = slider.value;
  addEventListener("beforeprint", () => {
    before = slider.value;
    go(last);
  });
  addEventListener("afterprint", () => go(before));
}
