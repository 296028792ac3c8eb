// Flip-books: show the frame that belongs to the controls. One pass over the explorers of the page, no library.
for (const explorer of document.querySelectorAll("figure.explorer")) {
  const picture = explorer.querySelector(".explorer-frame");
  const description = explorer.querySelector(".explorer-text");
  const fieldset = explorer.querySelector("fieldset");
  const status = explorer.querySelector("[role=status]");
  const script = explorer.querySelector(":scope > script");
  const inputs = [...fieldset.querySelectorAll("input, select")];
  const labels = new Map(inputs.filter((i) => i.type === "range").map((i) => [i, JSON.parse(i.dataset.labels)]));
  let data = null; // parsed when it is first needed
  let shown = null;
  let announcement = 0;

  const position = (input) => {
    if (input.type === "checkbox") return Number(input.checked ? input.dataset.checked : input.dataset.unchecked);
    return input.tagName === "SELECT" ? input.selectedIndex : Number(input.value);
  };

  // A browser may have kept the positions of an earlier visit.
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
    const text = script.type === "application/json" ? script.textContent : globalThis.explorerFrames?.[explorer.id];
    if (!data && !text) return; // the frames are on their way; their arrival calls again
    data ??= JSON.parse(text);
    let frame = 0; // the last control runs fastest
    inputs.forEach((input, axis) => (frame = frame * data.shape[axis] + position(input)));
    if (frame === shown) return;
    shown = frame;
    picture.innerHTML = data.frames[frame].map((line) => data.lines[line]).join("\n");
    picture.setAttribute("aria-label", data.alts[frame]);
    description.textContent = data.texts[frame];
    // Told to a screen reader once the control has come to rest; the control itself tells its value at once.
    clearTimeout(announcement);
    announcement = setTimeout(() => (status.textContent = data.texts[frame]), 700);
  };

  fieldset.disabled = false;
  fieldset.addEventListener("input", update);
  const catchUp = () => inputs.every(untouched) || update();
  script.addEventListener("load", catchUp);
  script.addEventListener("error", () => {
    fieldset.disabled = true;
    status.textContent = "The other pictures could not be loaded. Load the page again.";
    status.classList.add("explorer-alert");
  });
  catchUp();
}

// What scrolls sideways can be scrolled by keys too: a formula or a picture wider than the screen. (The theme sees to
// code and tables.) Section by section, each when there is nothing else to do: asking for widths lays a section out.
const idle = globalThis.requestIdleCallback ?? ((task) => setTimeout(task, 50));
const boxes = ":scope > :not(section) :is(.explorer-frame, mjx-container[display])";
let sections = [];
const reach = () => {
  for (const box of sections.shift()?.querySelectorAll(boxes) ?? []) {
    if (box.scrollWidth > box.clientWidth + 1) box.tabIndex = 0;
    else box.removeAttribute("tabindex");
  }
  if (sections.length) idle(reach);
  else document.documentElement.dataset.scrollers = innerWidth; // all is looked at, for a window of this width
};
const reachAll = () => {
  const running = sections.length > 0;
  sections = [...document.querySelectorAll(".bd-article section")];
  if (!running) idle(reach);
};
addEventListener("load", () => setTimeout(reachAll, 2000));
let resizing = 0;
addEventListener("resize", () => {
  clearTimeout(resizing);
  resizing = setTimeout(reachAll, 200);
});

// On paper nothing can be unfolded.
addEventListener("beforeprint", () => {
  for (const folded of document.querySelectorAll(".bd-article details:not([open])")) {
    folded.open = true;
    addEventListener("afterprint", () => (folded.open = false), { once: true });
  }
});
