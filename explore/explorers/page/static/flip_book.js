// Flip-books: show the frame that belongs to the controls. One pass over the explorers of the page, without a library.
"use strict";
(() => {
  function wake_flip_book(explorer) {
    const picture = explorer.querySelector(".explorer-frame");
    const description = explorer.querySelector(".explorer-text");
    const fieldsets = [...explorer.querySelectorAll("fieldset")];
    const status = explorer.querySelector("[role=status]");
    const inline = explorer.querySelector(":scope > script"); // the frames, if they are not in a separate file
    const inputs = fieldsets.flatMap((fieldset) => [...fieldset.querySelectorAll("input, select")]);
    const labels = new Map(inputs.filter((i) => i.type === "range").map((i) => [i, JSON.parse(i.dataset.labels)]));
    let data = null; // parsed when it is first needed
    let shown = null;
    let announcement = 0;

    const position = (input) => {
      if (input.type === "checkbox") return Number(input.checked ? input.dataset.checked : input.dataset.unchecked);
      return input.tagName === "SELECT" ? input.selectedIndex : Number(input.value);
    };

    const untouched = (input) => {
      if (input.type === "checkbox") return input.checked === input.defaultChecked;
      return input.tagName === "SELECT" ? input.selectedOptions[0].defaultSelected : input.value === input.defaultValue;
    };

    const update = () => {
      for (const [input, texts] of labels) {
        const label = texts[position(input)];
        input.setAttribute("aria-valuetext", label);
        input.nextElementSibling.textContent = label;
      }
      press_state();
      const text = inline?.textContent ?? book.explorer_frames[explorer.id];
      explorer.ariaBusy = String(!data && !text);
      if (!data && !text) return; // the frames are on their way; their arrival calls update() again
      data ??= JSON.parse(text);
      let frame = 0; // the last control changes fastest
      inputs.forEach((input, axis) => (frame = frame * data.shape[axis] + position(input)));
      if (frame === shown) return;
      shown = frame;
      picture.innerHTML = data.frames[frame].map((line) => data.lines[line]).join("\n");
      picture.setAttribute("aria-label", data.alts[frame]);
      description.textContent = data.texts[frame];
      // A screen reader announces the description once the control has come to rest; it announces the value at once.
      clearTimeout(announcement);
      announcement = setTimeout(() => (status.textContent = data.texts[frame] || data.alts[frame]), 700);
    };

    const go_to = (input, place) => {
      if (input.type === "checkbox") input.checked = place === Number(input.dataset.checked);
      else if (input.tagName === "SELECT") input.selectedIndex = place;
      else input.value = place;
    };

    const take = (positions) => {
      const moved = inputs.filter((input, axis) => position(input) !== positions[axis]);
      inputs.forEach((input, axis) => go_to(input, positions[axis]));
      update();
      return moved.map((input) => input.closest("[data-control]"));
    };
    const press_state = book.explorer_states.bind(explorer, take, () => inputs.map(position));

    const set_disabled = (is_disabled) => fieldsets.forEach((fieldset) => (fieldset.disabled = is_disabled));
    set_disabled(false);
    for (const fieldset of fieldsets) fieldset.addEventListener("input", update);
    if (!inline) {
      const script = Object.assign(document.createElement("script"), { src: explorer.dataset.frames });
      script.onload = () => {
        explorer.ariaBusy = "false";
        if (!inputs.every(untouched)) update(); // a reader was faster than the frames
      };
      script.onerror = () => {
        set_disabled(true);
        say_alert(explorer, book.say("The other pictures could not be loaded. Load the page again."));
      };
      document.head.append(script);
    }
  }

  /** Words below the picture, for everyone. */
  function say_alert(explorer, words) {
    const status = explorer.querySelector("[role=status]");
    status.textContent = words;
    status.classList.add("explorer-alert");
  }

  for (const explorer of document.querySelectorAll("figure.explorer:not([data-live])")) {
    const lost = explorer.querySelector(".script-lost");
    try {
      wake_flip_book(explorer);
    } catch (error) {
      say_alert(explorer, lost.dataset.lost);
      console.warn(error);
    }
    lost.remove(); // from here on this script says what is wrong
  }
})();
