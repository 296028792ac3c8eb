// Flip-books: show the frame that belongs to the controls. One pass over the explorers of the page, no library.
for (const explorer of document.querySelectorAll("figure.explorer:not([data-live])")) {
  const picture = explorer.querySelector(".explorer-frame");
  const description = explorer.querySelector(".explorer-text");
  const fieldset = explorer.querySelector("fieldset");
  const status = explorer.querySelector("[role=status]");
  const inline = explorer.querySelector(":scope > script"); // the frames, if they are not in a file of their own
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
    const text = inline?.textContent ?? globalThis.explorerFrames?.[explorer.id];
    explorer.ariaBusy = String(!data && !text);
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
    announcement = setTimeout(() => (status.textContent = data.texts[frame] || data.alts[frame]), 700);
  };

  fieldset.disabled = false;
  fieldset.addEventListener("input", update);
  const catchUp = () => inputs.every(untouched) || update();
  catchUp();
  if (!inline) {
    const script = Object.assign(document.createElement("script"), { src: explorer.dataset.frames });
    script.onload = () => {
      explorer.ariaBusy = "false"; // also where the controls have come back to where they stood
      catchUp();
    };
    script.onerror = () => {
      fieldset.disabled = true;
      status.textContent = "The other pictures could not be loaded. Load the page again.";
      status.classList.add("explorer-alert");
    };
    document.head.append(script);
  }
}

// A long page is there at once since it puts off all sections but the first (book.css). Here they follow one by one,
// whenever there is nothing else to do. What then turns out to scroll sideways can be scrolled by keys too.
const idle = globalThis.requestIdleCallback ?? ((task) => setTimeout(task, 50));
const wide = "pre, .pst-scrollable-table-container, .cell_output > .output, .explorer-frame, mjx-container[display]";
const boxes = `:scope > :not(section) :is(${wide}), :scope > :is(${wide})`;
let sections = [];
let width = 0; // of the window that they are measured for
const settle = () => {
  const start = performance.now();
  do {
    const section = sections.shift();
    for (const box of section?.querySelectorAll(boxes) ?? []) {
      if (box.scrollWidth > box.clientWidth + 1) box.tabIndex = 0;
      else box.removeAttribute("tabindex");
    }
    section?.style.setProperty("content-visibility", "visible");
  } while (sections.length && performance.now() - start < 4); // of many small ones several
  if (sections.length) idle(settle);
  else loadThemeScripts().then(() => (document.documentElement.dataset.settled = width));
};
// The theme's scripts measure all code and tables of the page as they begin: little work when all of it is laid out.
let themeScripts = null;
const loadThemeScripts = () =>
  (themeScripts ??= Promise.all(
    [...(document.getElementById("theme-scripts")?.content.querySelectorAll("script") ?? [])].map(
      (script) =>
        new Promise((done) => {
          const src = script.getAttribute("src");
          const late = Object.assign(document.createElement("script"), { src, async: false, onload: done, onerror: done });
          document.body.append(late);
        }),
    ),
  ).then(() => restore && (document.documentElement.dataset.theme = "light"))); // they set the theme, also during a print
for (const event of ["pointerdown", "keydown"]) addEventListener(event, loadThemeScripts, { once: true });
const settleAll = () => {
  const running = sections.length > 0;
  sections = [...document.querySelectorAll(".bd-article section")];
  width = innerWidth;
  if (!running) idle(settle);
};
// Who comes to a place in the middle gets the page whole, or the place would move.
if (location.hash) document.querySelectorAll(".bd-article section").forEach((s) => (s.style.contentVisibility = "visible"));
addEventListener("load", settleAll);
let resizing = 0;
addEventListener("resize", () => {
  clearTimeout(resizing);
  resizing = setTimeout(settleAll, 200);
});

// Paper is white, and nothing on it can be unfolded.
let restore = null; // set while a print is under way
addEventListener("beforeprint", () => {
  if (restore) return;
  const theme = document.documentElement.dataset.theme;
  const folded = document.querySelectorAll(".bd-article details:not([open])");
  document.documentElement.dataset.theme = "light";
  folded.forEach((details) => (details.open = true));
  restore = () => {
    document.documentElement.dataset.theme = theme;
    folded.forEach((details) => (details.open = false));
    restore = null;
  };
});
addEventListener("afterprint", () => restore?.());
