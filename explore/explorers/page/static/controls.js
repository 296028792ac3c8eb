// The controls of an explorer (see live.js): each gets show(), take(value) and read(text), and reacts to the reader.
"use strict";
book.explorer_controls = (() => {
  /** The elements of a control. An element that this kind of control lacks is null; without cells, `cells` is empty. */
  function parts_of(figure, { name, kind }) {
    const part = (selector) => figure.querySelector(`[data-control="${name}"] :is(${selector})`);
    const in_table = ["table", "switches"].includes(kind);
    return {
      range: part("input[type=range]"),
      output: part("output"),
      cells: in_table ? [...figure.querySelectorAll(`[data-control="${name}"] td > *`)] : [],
      field: in_table ? null : part("input[type=text]"),
      menu: part("select"),
      box: part("input[type=checkbox]"),
      button: part("button"),
      problem: part(".explorer-problem"),
      label: part("label, .explorer-name"),
    };
  }

  /** Set all elements of a control to its value; `places` are the values at the positions of a slider. */
  function show(control, value, { range, output, cells, field, menu, box, problem }, places) {
    const { in_words, nearest } = book.fields;
    const words = in_words(control, value);
    if (menu) menu.selectedIndex = control.options.indexOf(value);
    if (box) box.checked = value;
    if (control.kind === "table")
      cells.forEach((cell, i) => {
        cell.value = value[i];
        cell.removeAttribute("aria-invalid");
      });
    if (range) range.value = nearest(places, value);
    const said = control.kind === "steps" ? JSON.parse(range.dataset.labels)[control.options.indexOf(value)] : words;
    if (output) output.textContent = said;
    if (field) field.value = words;
    range?.setAttribute("aria-valuetext", said);
    field?.removeAttribute("aria-invalid");
    if (problem) problem.textContent = "";
  }

  function bind_slider(control, range, places) {
    range.max = places.length - 1;
    range.value = book.fields.nearest(places, control.start);
    range.addEventListener("input", () => control.take(places[Number(range.value)]));
    range.addEventListener("keydown", (event) => {
      const steps = { PageUp: 10, PageDown: -10 }[event.key]; // ten steps in every browser
      if (!steps) return;
      event.preventDefault();
      range.value = Number(range.value) + steps;
      control.take(places[Number(range.value)]);
    });
  }

  function bind(explorer, control) {
    const { check, slider_values } = book.fields;
    const { figure, values, draw_soon } = explorer;
    const parts = parts_of(figure, control);
    control.element = figure.querySelector(`[data-control="${control.name}"]`);
    const { range, cells, field, menu, box, button, problem, label } = parts;
    const places = range && (control.options ?? slider_values(control));
    control.show = () => show(control, values[control.name], parts, places);
    control.take = (value) => {
      values[control.name] = value;
      control.show();
      explorer.press_state();
      draw_soon();
    };
    /** Take the value that read() returns from a field. If it fails, the words are next to the field. */
    control.attempt = (read, place) => {
      try {
        control.take(read());
      } catch (error) {
        place.setAttribute("aria-invalid", "true");
        problem.textContent = error.message;
      }
    };
    /** Take the value in a text from elsewhere; returns what is wrong with it, if anything. */
    control.read = (written) => {
      try {
        control.take(check(control, written));
      } catch (error) {
        return error.message;
      }
      return "";
    };
    if (range) bind_slider(control, range, places);
    field?.addEventListener("change", () => control.attempt(() => check(control, field.value), field));
    if (control.kind === "table") book.explorer_tables.bind_table(explorer, control, cells);
    if (control.kind === "switches") book.explorer_tables.bind_switches(explorer, control, cells);
    if (control.kind === "point") book.explorer_handles.bind_point(explorer, control, button);
    menu?.addEventListener("input", () => control.take(control.options[menu.selectedIndex]));
    box?.addEventListener("input", () => control.take(box.checked));
    if (!control.kind) button?.addEventListener("click", () => control.take((values[control.name] + 1) % 2 ** 32));
    label?.addEventListener("dblclick", () => control.take(control.start));
  }

  return { bind };
})();
