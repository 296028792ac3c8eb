// A result of the search leads to a place and names its words: #place&find=rotary. Here the matches in that place are
// marked, the first comes into sight with the folds around it open, and a note leads to the next.
"use strict";
(() => {
  const [hash, ...rest] = location.hash.slice(1).split("&");
  const beginnings = (new URLSearchParams(rest.join("&")).get("find") ?? "").split(" ").filter(Boolean);
  const place = beginnings.length ? document.getElementById(hash) : null;
  if (!place) return;
  try {
    history.replaceState(history.state, "", `#${hash}`); // a link to this place need not name the words
  } catch {} // a page from a disk may keep its address

  const { nearness, placed } = book.words;
  const NOT_SHOWN = "svg, button, select, script, style, template, .visually-hidden, .headerlink, .asked-words, .reply";
  const is_name = place.localName === "dt"; // its definition follows
  const parts = is_name ? [place, place.nextElementSibling] : [place];
  const is_own = (element) => !element.closest(NOT_SHOWN) && (is_name || element.closest("section") === place);
  const near = (text) =>
    placed(text)
      .map((found) => ({ ...found, value: Math.max(...beginnings.map((one) => nearness(found.word, one))) }))
      .filter(({ value }) => value);

  function range_of(node, start, end) {
    const range = document.createRange();
    if (node.nodeType === Node.TEXT_NODE) {
      range.setStart(node, start);
      range.setEnd(node, end);
    } else range.selectNode(node);
    return range;
  }
  function matches_in(part) {
    const found = [];
    const nodes = document.createTreeWalker(part, NodeFilter.SHOW_TEXT);
    while (nodes.nextNode()) {
      const { currentNode: node } = nodes;
      const { parentElement: element } = node;
      if (element.closest("mjx-container") || !is_own(element)) continue;
      for (const { start, end, value } of near(node.data))
        found.push({ element, value, range: range_of(node, start, end) });
    }
    for (const formula of part.querySelectorAll("mjx-container")) {
      const value = Math.max(0, ...near(formula.textContent).map((one) => one.value));
      if (value && is_own(formula)) found.push({ element: formula, value, range: range_of(formula) });
    }
    return found;
  }

  function open_folds(element) {
    const line = element.closest("summary");
    let fold = line ? line.parentElement.parentElement.closest("details") : element.closest("details");
    for (; fold; fold = fold.parentElement.closest("details")) fold.open = true;
  }
  /** What follows a prediction is uncovered (website/boxes), as by the browser's own search. */
  const uncover = (element) =>
    element.closest("[hidden=until-found]")?.dispatchEvent(new Event("beforematch", { bubbles: true }));
  /** Bring a match into sight; false if it has no place on the page, as an answer that is still hidden. */
  function show({ element, range }) {
    open_folds(element);
    uncover(element);
    const box = range.getBoundingClientRect();
    if (!box.width || !element.checkVisibility({ visibilityProperty: true })) return false;
    scrollBy({ top: box.top - innerHeight / 3, behavior: "instant" });
    const scroller = element.closest("pre, .pst-scrollable-table-container");
    const { left = 0, right = Infinity } = scroller?.getBoundingClientRect() ?? {};
    if (box.right > right) scroller.scrollLeft += box.left - left - 40;
    return true;
  }

  open_folds(place);
  for (const fold of place.querySelectorAll(":scope > details")) fold.open = true;
  const all = parts.filter(Boolean).flatMap(matches_in);
  let shown = all.toSorted((a, b) => b.value - a.value).find(show); // the nearest, and of these the first
  if (!shown) place.scrollIntoView({ behavior: "instant" });
  const again = () => (shown ? show(shown) : place.scrollIntoView({ behavior: "instant" }));
  CSS.highlights?.set("found", new Highlight(...all.map(({ range }) => range)));

  // Explorers and questions wake while the page is laid out, and move what follows, until the reader moves.
  const moved = new AbortController();
  for (const event of ["wheel", "touchstart", "keydown", "pointerdown"])
    addEventListener(event, () => moved.abort(), { once: true, signal: moved.signal, passive: true });
  const settled = new MutationObserver(() => {
    if (!moved.signal.aborted) again();
    settled.disconnect();
  });
  settled.observe(document.documentElement, { attributeFilter: ["data-settled"] });
  addEventListener("load", again, { once: true, signal: moved.signal });

  const count = book.say_number("{n} match here", "{n} matches here", all.length);
  const { make } = book;
  const next = make("button", { type: "button", class: "toggle", hidden: all.length < 2 }, book.say("Next"));
  const hide = make("button", { type: "button", class: "toggle" }, book.say("Hide matches"));
  const about = { class: "found-note", role: "region", "aria-label": book.say("Search matches") };
  const note = make("div", about, make("span", {}, count), next, hide);
  next.addEventListener("click", () => {
    const at = all.indexOf(shown);
    const following = [...all.slice(at + 1), ...all.slice(0, at + 1)];
    shown = following.find(show) ?? shown;
  });
  const end = () => {
    CSS.highlights?.delete("found");
    note.remove();
  };
  hide.addEventListener("click", end);
  addEventListener("keydown", ({ key }) => key === "Escape" && end());
  document.querySelector("main").append(note);
})();
