// Covers what follows a prediction, up to the next heading or prediction, until the reader has answered or asks to see
// it. Visible code directly after the box stays in sight, because it may be what the question is about, unless it
// asserts the answer. Nothing is covered without a script, in print, for a second reading, and where a link leads.
"use strict";
if (typeof document !== "undefined") {
  const PREDICTION = "blockquote.question.callout-predict";
  const covers = new Map(); // for each box, its note and the elements that are covered
  const is_output = (element) => element.matches(".cell_output");
  const is_code_to_read = (element) =>
    element.matches(".cell:not(.folded-code, .only-code)") &&
    !/\bassert\b/.test(element.querySelector(".cell_input")?.textContent);

  function answers_after(box) {
    const covered = [];
    for (let next = box.nextElementSibling; next; next = next.nextElementSibling) {
      if (next.matches(`section, ${PREDICTION}`)) break;
      if (next.matches(".note")) continue; // closed already (website/notes)
      if (covered.every(is_output) && is_code_to_read(next))
        covered.push(...next.querySelectorAll(":scope > .cell_output"));
      else covered.push(next);
    }
    return covered;
  }

  function cover(box) {
    const elements = answers_after(box);
    if (!elements.length) return;
    const button = book.make("button", { type: "button" }, book.say("show it anyway"));
    button.addEventListener("click", () => {
      lift(box);
      elements[0].tabIndex = -1; // the button, which had the focus, is gone
      elements[0].focus();
    });
    const words = book.say("What follows gives the answer away. Answer first, or {button}");
    const note = book.make("p", { class: "covered-note" }, ...book.with_elements(words, { button }));
    elements[0].before(note);
    // The browser's search looks into what is hidden "until-found", and sends "beforematch".
    for (const element of elements) element.setAttribute("hidden", "until-found");
    covers.set(box, { note, elements });
  }

  function lift(box) {
    const { note, elements } = covers.get(box) ?? { elements: [] };
    note?.remove();
    for (const element of elements) element.hidden = false;
    covers.delete(box);
  }

  const given = book.answers.load().questions;
  for (const box of document.querySelectorAll(PREDICTION))
    if (!Object.hasOwn(given, box.id.replace("question-", ""))) cover(box);
  document.addEventListener("answered", ({ target }) => lift(target.closest(PREDICTION)));
  document.addEventListener("second-reading", () => [...covers.keys()].forEach(lift));
  document.addEventListener("beforematch", ({ target }) => {
    for (const [box, { elements }] of covers) if (elements.some((element) => element.contains(target))) lift(box);
  });
}
