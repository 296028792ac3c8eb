// Controls of an explorer (see live.js) that hold several values: a table of numbers, and a table of switches.
globalThis.explorer_tables = (() => {
  "use strict";

  /** Each number of a table has its own field. */
  function bind_table({ values }, control, cells) {
    const { check } = globalThis.fields;
    const entry = { ...control, columns: 0 };
    cells.forEach((cell, k) =>
      cell.addEventListener("change", () => {
        const refused = cells.filter((other) => other !== cell && other.hasAttribute("aria-invalid"));
        const written = refused.map((other) => other.value);
        control.attempt(() => values[control.name].map((x, i) => (i === k ? check(entry, cell.value) : x)), cell);
        // If another field was refused before, its text stays, and so does the message about it.
        refused.forEach((other, i) => {
          other.value = written[i];
          control.attempt(() => check(entry, written[i]), other);
        });
      }),
    );
  }

  /** A click turns a switch over, in the table or in the cell of the picture that shows it. */
  function bind_switches({ picture, values }, control, cells) {
    const { cells_of } = globalThis.explorer_picture;
    const turn = (k) => control.take(values[control.name].map((x, i) => (i === k ? 1 - x : x)));
    const shown = control.shown_as ? cells_of(picture.querySelector(`[data-artist="${control.shown_as}"]`)) : [];
    shown.forEach((cell, k) => cell.addEventListener("click", () => turn(k)));
    shown.forEach((cell) => cell.classList.add("explorer-switch"));
    cells.forEach((cell, k) => {
      cell.addEventListener("click", () => turn(k));
      // One stop for the Tab key; arrow keys go from one switch to the next.
      cell.tabIndex = k ? -1 : 0;
      cell.addEventListener("keydown", (event) => {
        const step = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -control.columns, ArrowDown: control.columns }[event.key];
        const next = cells[k + step];
        if (!next) return;
        event.preventDefault();
        [cell.tabIndex, next.tabIndex] = [-1, 0];
        next.focus();
      });
    });
    const is_on = (k) => (shown[k] ? getComputedStyle(shown[k]).fillOpacity > 0.01 : Boolean(values[control.name][k]));
    control.follow = () => cells.forEach((cell, k) => cell.setAttribute("aria-pressed", is_on(k)));
    control.follow();
  }

  return { bind_switches, bind_table };
})();
