// Explorers that compute. Each has a program, book.explorers.NAME(values), which returns a scene in the data's coordinates:
//   artists: { name: { x, y } or { edges, values } or { cells } or { text } }, every artist that moves
//   axes:    { name: { xlim, ylim, xticks: [[x, "label"], ...], yticks } }, all axes whose limits move
//   words:   a description for readers who cannot see the picture
// Matplotlib drew the first picture and gave its artists these names; a scene moves the artists that it names. A program
// can also be an object: its wake(tools) returns { draw() }, which shows the values in its own way and at its own pace.
"use strict";
(() => {
  // The scripts before this one define these; if one could not be loaded, its name is undefined.
  const NEEDED = [
    "attention_core",
    "fields",
    "explorer_picture",
    "explorer_tables",
    "explorer_handles",
    "explorer_controls",
    "explorer_links",
    "explorer_states",
  ];

  /** Words under the picture: its description, for readers who cannot see it; or a note or an alert for everyone. */
  function speaker(figure) {
    const status = figure.querySelector("[role=status]");
    let announcement = 0;
    const announce = (text, for_all = "") => {
      clearTimeout(announcement); // of an earlier picture
      status.textContent = text;
      status.classList.toggle("explorer-note", for_all === "note");
      status.classList.toggle("explorer-alert", for_all === "alert");
    };
    const announce_later = (text) => {
      announcement = setTimeout(() => announce(text), 700);
    };
    return { announce, announce_later };
  }

  function wake(figure, { announce, announce_later }) {
    const data = JSON.parse(figure.dataset.live);
    const { name, caption, controls } = data;
    const program = book.explorers[name];
    if (!program || NEEDED.some((part) => !book[part])) throw new ReferenceError("a script is missing");
    const picture = figure.querySelector(".explorer-frame");
    const values = Object.fromEntries(controls.map((control) => [control.name, control.start]));
    const explorer = { ...data, figure, picture, values, handles: [], announce, draw_soon };
    const show = book.explorer_picture.mover(explorer);
    const in_words = (control) => book.fields.in_words(control, values[control.name]);
    const in_short = () => controls.map((control) => `${control.label} = ${in_words(control)}`).join(", ");
    let waiting = false;

    /** Draw at most once per frame: values that a slider has already moved past are not drawn. */
    function draw_soon() {
      if (waiting) return;
      waiting = true;
      requestAnimationFrame(draw);
    }

    function draw() {
      waiting = false;
      try {
        if (view) view.draw();
        else {
          const scene = program(values);
          show(scene);
          picture.setAttribute("aria-label", book.say("{caption} ({values})", { caption, values: in_short() }));
          tell(scene.words);
        }
      } catch (error) {
        const why = { values: in_short(), problem: error.message };
        announce(book.say("No picture for {values}: {problem}. The picture has not changed.", why), "alert");
      }
    }

    /** Describe the picture that has been drawn. */
    function tell(words) {
      for (const control of controls) control.follow?.();
      figure.querySelector(".explorer-values").textContent = in_short(); // for paper, which has no controls
      figure.querySelector(".explorer-text").textContent = words;
      announce("");
      // A screen reader announces the description once the control has come to rest; it announces the value at once.
      announce_later(words);
    }

    for (const control of controls) book.explorer_controls.bind(explorer, control);
    const now = () => controls.map((control) => book.fields.written(control, values[control.name]));
    const go_to = (positions) => {
      const before = now();
      controls.forEach((control, i) => control.read(positions[i]));
      const after = now();
      return controls.filter((_, i) => after[i] !== before[i]).map(({ element }) => element);
    };
    explorer.press_state = book.explorer_states.bind(figure, go_to, now);
    const restore = book.explorer_links.bind_links(explorer);
    const take = (name, value) => controls.find((control) => control.name === name).take(value);
    const view = program.wake?.({ figure, values, take, tell });
    addEventListener("hashchange", restore);
    for (const fieldset of figure.querySelectorAll("fieldset")) fieldset.disabled = false;
    restore();
  }

  /** Wake an explorer; whatever goes wrong becomes words. */
  function try_to_wake(figure) {
    const { announce, announce_later } = speaker(figure);
    const lost = figure.querySelector(".script-lost");
    try {
      wake(figure, { announce, announce_later });
    } catch (error) {
      announce(lost.dataset.lost, "alert");
      console.warn(error);
    }
    lost.remove(); // from here on this script has said what is wrong
  }

  // Each explorer wakes in its own task, so that the page can be used in between.
  for (const figure of document.querySelectorAll("figure.explorer[data-live]")) setTimeout(try_to_wake, 0, figure);
})();
