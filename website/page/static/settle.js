// A long page appears at once, because page.css postpones the layout of all sections but the first. This script lays
// them out one by one, whenever the browser is idle.
const idle = (task) => globalThis.requestIdleCallback?.(task, { timeout: 500 }) ?? setTimeout(task, 50);
const sections = [...document.querySelectorAll(".bd-article section")];
const lay_out = (section) => {
  section.style.contentVisibility = "visible";
  section.getBoundingClientRect(); // now, so that the time below includes it
};
const settle = () => {
  const start = performance.now();
  while (sections.length && performance.now() - start < 4) lay_out(sections.shift()); // several, if they are small
  if (sections.length) idle(settle);
  else document.documentElement.dataset.settled = true;
};
// If the address names a place on the page, all sections are laid out at once; otherwise the place would move.
if (location.hash) sections.splice(0).forEach(lay_out);
addEventListener("load", () => idle(settle));

// Boxes that scroll sideways can also be scrolled with keys. What waits or is folded is measured when it appears.
const wide = "pre, .pst-scrollable-table-container, .cell_output > .output, .explorer-frame, mjx-container[display]";
const measured = new ResizeObserver((entries) => {
  const scrolls = entries.map(({ target }) => target.scrollWidth > target.clientWidth + 1);
  entries.forEach(({ target }, i) => (scrolls[i] ? (target.tabIndex = 0) : target.removeAttribute("tabindex")));
});
document.querySelectorAll(wide).forEach((box) => measured.observe(box));
