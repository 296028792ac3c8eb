// The page of results: finds places of the book that hold the words in its address, #q=the+words, the best first.
"use strict";
(() => {
  const { make } = book;
  const { in_address, known, nearness, placed, ranked, sought, words_in } = book.words;
  const WEIGHTS = [4, 0.9, 1]; // of words in a place's title, in what a question is found by and does not show, in its text
  const MOST = 20; // places that are shown at a time
  const ROOM = 240; // letters of an excerpt
  const WORD = 40; // letters without a space that are one word at most
  const LONGEST = 200; // letters that a reader can look for

  const form = document.querySelector(".search-page form");
  const [field, said, list, more] = ["input", "[role=status]", "ol", ".search-more"].map((selector) =>
    form.parentElement.querySelector(selector),
  );

  /** Of places that fit equally well, those of chapters come first, and functions last. */
  const rank = ([page]) => (page.startsWith("chapters/") ? 0 : page.endsWith("/api") ? 2 : 1);
  function read() {
    const pages = Object.entries(book.search_pages).sort((a, b) => rank(a) - rank(b));
    const entries = pages.flatMap(([page, { title: home, places }]) =>
      places.map(([ident, title, text, found_by]) => {
        const own = title === home ? "" : title;
        return { page, ident, home, own, text, places: [title, found_by, text].map(words_in) };
      }),
    );
    const vocabulary = [...new Set(entries.flatMap(({ places }) => places.flat()))].sort();
    return { entries, vocabulary };
  }

  /** The last space up to this place; where there is none for long, as in Chinese, the place itself. */
  function cut(text, at) {
    const space = text.lastIndexOf(" ", at);
    return space > at - WORD ? space : at;
  }

  /** The part of the text that holds most of the words, with these marked. */
  function excerpt(text, beginnings) {
    const near = (word) => beginnings.map((one) => nearness(word, one));
    const marks = placed(text).filter(({ word }) => Math.max(...near(word)));
    const worth = (first) => {
      const inside = marks.filter(({ start, end }) => start >= first && end <= first + ROOM * 0.75);
      return beginnings.reduce((sum, one) => sum + Math.max(0, ...inside.map(({ word }) => nearness(word, one))), 0);
    };
    const best = marks.reduce(
      (found, { start }) => {
        const value = worth(start);
        return value > found.value ? { start, value } : found;
      },
      { start: 0, value: 0 },
    ).start;
    const before = best > ROOM / 4 ? cut(text, best - ROOM / 4) + 1 : 0;
    const after = text.length > before + ROOM ? cut(text, before + ROOM) : text.length;
    const parts = [before ? "… " : ""];
    let at = before;
    for (const { start, end } of marks.filter((mark) => mark.start >= before && mark.end <= after)) {
      if (end <= at) continue; // pairs of Chinese letters overlap
      parts.push(text.slice(at, start), make("mark", {}, text.slice(Math.max(at, start), end)));
      at = end;
    }
    return make("p", {}, ...parts, text.slice(at, after), after < text.length ? " …" : "");
  }

  function result({ page, ident, home, own, text }, beginnings) {
    const found = new URLSearchParams({ find: beginnings.join(" ") });
    const link = make("a", { href: `${page}.html#${ident}&${found}` }, own || home);
    return make("li", {}, link, own ? make("span", {}, home) : "", excerpt(text, beginnings));
  }

  let index = null; // read when the first words are sought
  let found = [];
  let beginnings = [];
  function show_more() {
    const next = found.slice(list.children.length, list.children.length + MOST);
    list.append(...next.map((entry) => result(entry, beginnings)));
    more.hidden = list.children.length >= found.length;
  }
  function find(text) {
    const words = sought(text);
    list.replaceChildren();
    found = [];
    if (words.length) {
      index ??= read();
      beginnings = [...new Set(words.map((word) => known(word, index.vocabulary)).filter(Boolean))];
      found = beginnings.length ? ranked(index.entries, beginnings, WEIGHTS) : [];
    }
    const nothing = text.trim() ? book.say("Nothing found; other words may find it.") : "";
    const count = book.say_number("{n} place, the best first.", "{n} places, the best first.", found.length);
    said.textContent = found.length ? count : nothing;
    show_more();
  }
  more.addEventListener("click", show_more);
  field.maxLength = LONGEST;
  in_address(field, () => find(field.value));
  field.focus();
  field.select();
})();
