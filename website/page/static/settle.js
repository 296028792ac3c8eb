// A long page appears at once, because page.css postpones the layout of all sections but the first. This script lays
// them out one by one, whenever the browser is idle. Boxes that scroll sideways can then also be scrolled with keys.
// In three runs Lighthouse rated the performance of the chapter on √dₖ at 94 to 95 with it, and at 89 to 92 where no
// section waits.
const idle = (task) => globalThis.requestIdleCallback?.(task, { timeout: 500 }) ?? setTimeout(task, 50);
const wide = "pre, .pst-scrollable-table-container, .cell_output > .output, .explorer-frame, mjx-container[display]";
const boxes = `:scope > :not(section) :is(${wide}), :scope > :is(${wide})`;
let sections = [];
let width = 0; // the window's, when the boxes were measured
// What is folded is measured when it opens: earlier, it would have to be laid out for that.
const is_folded = (element) => Boolean(element.parentElement.closest("details:not([open])"));
const measure = (found) => {
  for (const box of found) {
    if (is_folded(box)) continue;
    if (box.scrollWidth > box.clientWidth + 1) box.tabIndex = 0;
    else box.removeAttribute("tabindex");
  }
};
addEventListener("toggle", ({ target }) => target.open && measure(target.querySelectorAll(wide)), true);
const settle = () => {
  const start = performance.now();
  do {
    const section = sections.shift();
    measure(section?.querySelectorAll(boxes) ?? []);
    section?.style.setProperty("content-visibility", "visible");
    section?.getBoundingClientRect(); // now, so that the time below includes it
  } while (sections.length && performance.now() - start < 4); // several, if they are small
  if (sections.length) idle(settle);
  else load_theme_scripts().then(() => (document.documentElement.dataset.settled = width));
};
// The theme's scripts begin by measuring all code and tables: little work once the page has been laid out. They also
// set a theme. If the page is being printed at that time, it must become light again, as print.js had made it.
let theme_scripts = null;
const load_theme_scripts = () =>
  (theme_scripts ??= Promise.all(
    [...(document.getElementById("theme-scripts")?.content.querySelectorAll("script") ?? [])].map(
      (script) =>
        new Promise((done) => {
          const src = script.getAttribute("src");
          const late = Object.assign(document.createElement("script"), {
            src,
            async: false,
            onload: done,
            onerror: done,
          });
          document.body.append(late);
        }),
    ),
  ).then(() => restore && (document.documentElement.dataset.theme = "light")));
for (const event of ["pointerdown", "keydown"]) addEventListener(event, load_theme_scripts, { once: true });
const settle_all = () => {
  const running = sections.length > 0;
  sections = [...document.querySelectorAll(".bd-article section")].filter((section) => !is_folded(section));
  width = innerWidth;
  if (!running) idle(settle);
};
// If the address names a place on the page, all sections are laid out at once; otherwise the place would move.
if (location.hash)
  document.querySelectorAll(".bd-article section").forEach((s) => (s.style.contentVisibility = "visible"));
addEventListener("load", settle_all);
let resizing = 0;
addEventListener("resize", () => {
  clearTimeout(resizing);
  resizing = setTimeout(settle_all, 200);
});
