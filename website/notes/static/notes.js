// A mark opens its note below the paragraph in which the mark stands, and closes it again. Without this script, and in
// print, the notes of a section stand at its end, and the mark is a link.
"use strict";
if (typeof document !== "undefined") {
  const notes = [...document.querySelectorAll("a.note-mark")].map((mark) => {
    const note = document.getElementById(mark.hash.slice(1));
    const end = document.createComment("the note's place"); // at the end of its section
    note.before(end);
    const table = mark.closest(".pst-scrollable-table-container") ?? mark.closest("table");
    return { mark, note, end, paragraph: table ?? mark.closest("p, li, dd, figcaption") };
  });
  const is_open = (note) => !note.hasAttribute("hidden");

  /** Put a note below its paragraph once, and not when it opens: the marks of a search would be lost with each move. */
  function place({ note, paragraph }) {
    note.remove();
    let before = paragraph; // and other notes of this paragraph
    while (before.nextElementSibling?.matches(".note")) before = before.nextElementSibling;
    if (paragraph.matches("li, dd")) paragraph.append(note);
    else before.after(note);
  }
  function show({ mark, note }) {
    note.hidden = false;
    mark.ariaExpanded = "true";
  }
  function hide({ mark, note }) {
    note.setAttribute("hidden", "until-found"); // the browser's search looks into it, and sends "beforematch"
    mark.ariaExpanded = "false";
  }

  for (const one of notes) {
    const { mark, note } = one;
    mark.role = "button";
    mark.setAttribute("aria-controls", note.id);
    place(one);
    hide(one);
    mark.addEventListener("click", (event) => {
      event.preventDefault();
      if (is_open(note)) hide(one);
      else show(one);
    });
    mark.addEventListener("keydown", (event) => {
      if (event.key !== " ") return; // a link has Enter already
      event.preventDefault();
      mark.click();
    });
    note.querySelector(".note-number").addEventListener("click", () => hide(one)); // and the link leads back
    note.addEventListener("keydown", ({ key }) => {
      if (key !== "Escape") return;
      hide(one);
      mark.focus();
    });
    note.addEventListener("beforematch", () => show(one));
  }
  // On paper all notes stand at the end of their sections (print.css shows closed ones, too).
  addEventListener("beforeprint", () => notes.forEach(({ note, end }) => end.before(note)));
  addEventListener("afterprint", () => notes.forEach(place));
}
