// Controls of an explorer (see live.js) that hold several values: a table of numbers, and a table of switches.
"use strict";
book.explorer_tables = (() => {
  /** Each number of a table has its own field. */
  function bind_table({ values }, control, cells) {
    const { check } = book.fields;
    const entry = { ...control, columns: 0, expected: control.entry_expected };
    cells.forEach((cell, k) =>
      cell.addEventListener("change", () => {
        const refused = cells.filter((other) => other !== cell && other.hasAttribute("aria-invalid"));
        const written = refused.map((other) => other.value);
        control.attempt(() => values[control.name].map((x, i) => (i === k ? check(entry, cell.value) : x)), cell);
        // If the text in another field has been refused, that text stays, and so does the message about it.
        refused.forEach((other, i) => {
          other.value = written[i];
          control.attempt(() => check(entry, written[i]), other);
        });
      }),
    );
  }

  /** The cells of the picture as buttons; the rest of the picture stays one image, which its words describe. */
  function cells_as_buttons(picture, { shown_as, names }) {
    const group = picture.querySelector(`[data-artist="${shown_as}"]`);
    const cells = book.explorer_picture.cells_of(group);
    picture.setAttribute("role", "group");
    picture.classList.add("explorer-switchable");
    for (const svg of picture.querySelectorAll("svg")) svg.setAttribute("aria-hidden", !svg.contains(group));
    for (let part = group; part.tagName !== "svg"; part = part.parentElement)
      for (const other of part.parentElement.children) if (other !== part) other.setAttribute("aria-hidden", "true");
    cells.forEach((cell, k) => {
      cell.classList.add("explorer-switch");
      cell.setAttribute("role", "button");
      cell.setAttribute("aria-label", names[k]);
      cell.addEventListener("keydown", (event) => {
        if (event.key !== " " && event.key !== "Enter") return;
        event.preventDefault();
        cell.dispatchEvent(new MouseEvent("click"));
      });
    });
    return cells;
  }

  /** A click flips a switch, in its table or in the picture that shows it. */
  function bind_switches({ picture, values }, control, in_table) {
    const cells = control.shown_as ? cells_as_buttons(picture, control) : in_table;
    const turn = (k) => control.take(values[control.name].map((x, i) => (i === k ? 1 - x : x)));
    const tab_stop = (k) => cells.forEach((cell, i) => cell.setAttribute("tabindex", i === k ? 0 : -1));
    tab_stop(0); // the Tab key stops at one switch; arrow keys go from there to the next
    cells.forEach((cell, k) => {
      cell.addEventListener("click", () => turn(k));
      cell.addEventListener("keydown", (event) => {
        const step = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -control.columns, ArrowDown: control.columns }[event.key];
        const next = cells[k + step];
        if (!next) return;
        event.preventDefault();
        tab_stop(k + step);
        next.focus();
      });
    });
    const is_on = (k) =>
      control.shown_as ? getComputedStyle(cells[k]).fillOpacity > 0.01 : Boolean(values[control.name][k]);
    control.follow = () => cells.forEach((cell, k) => cell.setAttribute("aria-pressed", is_on(k)));
    control.follow();
  }

  return { bind_switches, bind_table };
})();
