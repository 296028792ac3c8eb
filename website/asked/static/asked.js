// Finds questions that people ask. This page has a line for each of them, so it is its own index.
"use strict";
(() => {
  const { in_address, known, nearness, ranked, same, sought, stem, words_in } = book.words;
  const WEIGHTS = [4, 2, 1]; // of words in the question or what it is found by, in its line, in the rest of the answer
  const MOST = 12; // questions that are shown for words
  const NAMED = 3; // words that are named as not found
  const LONGEST = 30; // letters of such a word that are shown

  function index(link) {
    const { words, rest } = link.dataset;
    const line = link.closest("li");
    const parts = [`${link.textContent} ${words}`, line.querySelector(".asked-line").textContent];
    const places = [...parts, `${parts.join(" ")} ${rest}`].map(words_in);
    const home = document.createComment("a question that has been found stands above");
    const found_by = words.split(";").map((one) => one.trim());
    const phrases = [link.textContent, ...found_by].map((one) => words_in(sought(one).join(" ")));
    return { line, home, places, phrases, symptoms: found_by };
  }

  const cut = (word) => (word.length > LONGEST ? `${word.slice(0, LONGEST)}…` : word);
  /** In words, what was not found, and what was looked for in its place. Chinese is looked for in parts, which are no
      words that a reader has typed. */
  function told_of(words) {
    const unknown = words.filter(({ said, here }) => !here && !/\p{Script=Han}/u.test(said));
    const rest = unknown.length - NAMED;
    const others = words.filter(({ said, here }) => here && !nearness(here, stem(same(said))));
    return [
      ...unknown.slice(0, NAMED).map(({ said }) => book.say("nothing here on {word}", { word: cut(said) })),
      ...(rest > 0 ? [book.say_number("and {n} more word", "and {n} more words", rest)] : []),
      ...others
        .slice(0, NAMED)
        .map(({ said, here }) => book.say("looked for {here} instead of {word}", { here, word: cut(said) })),
    ];
  }

  /** What to show for a text that is no symptom, and in words how it was found */
  function answer({ questions, vocabulary }, text) {
    const words = sought(text).map((said) => ({ said, here: known(said, vocabulary) }));
    const list = ranked(questions, [...new Set(words.map(({ here }) => here).filter(Boolean))], WEIGHTS);
    const found = list.slice(0, MOST);
    const counts = { shown: found.length, fit: list.length, all: questions.length };
    let told = book.say("{shown} of {all} questions, the best first", counts);
    if (!found.length)
      told = book.say(
        "{shown} of {all} questions; try other words, choose what you see, or look at all of them below",
        counts,
      );
    if (list.length > MOST) told = book.say("{shown} of {fit} that fit, the best first", counts);
    return [found, [told, ...told_of(words)].join(book.say("; "))];
  }

  /** The questions that name the symptom; those that name it before all else come first */
  function with_symptom({ questions }, name) {
    const rank = ({ symptoms }) => Number(symptoms[0] !== name);
    const found = questions.filter(({ symptoms }) => symptoms.includes(name)).sort((a, b) => rank(a) - rank(b));
    const counts = { shown: found.length, all: questions.length };
    return [found, book.say("{shown} of {all} questions, our first guess on top", counts)];
  }

  /** Show these questions above all lists, in this order, and all others at home; move only what changes. */
  function place_above(place, found) {
    const lines = found.map(({ line }) => line);
    for (const { line, home } of page.questions)
      if (line.parentElement === place && !lines.includes(line)) home.replaceWith(line);
    for (const [k, { line, home }] of found.entries()) {
      if (place.children[k] === line) continue;
      if (line.parentElement !== place) line.before(home);
      place.insertBefore(line, place.children[k] ?? null);
    }
  }

  /** Show what is found for the text, all lists if that is nothing, and return in words what is shown */
  function find(text) {
    const { place, lists } = page;
    const asks = sought(text).length > 0;
    const [found, told] = !asks ? [[], all_questions()] : (names.includes(text) ? with_symptom : answer)(page, text);
    place_above(place, found);
    for (const list of lists) list.hidden = found.length > 0;
    return told;
  }
  const all_questions = () => book.say_number("{n} question", "{n} questions", links.length);

  const form = document.querySelector(".asked-field");
  const [input, count] = [form.querySelector("input"), form.querySelector("output")];
  const buttons = [...form.querySelectorAll("button")];
  const elsewhere = form.querySelector(".asked-elsewhere");
  const names = buttons.map((button) => button.textContent);
  const links = [...document.querySelectorAll(".asked")];
  const read = () => {
    const questions = links.map(index);
    const vocabulary = [...new Set(questions.flatMap(({ places }) => places[2]))].sort();
    const place = document.querySelector(".asked-found");
    return { questions, vocabulary, place, lists: place.parentElement.querySelectorAll(":scope > section") };
  };
  let page = null; // read when the first word is typed
  const show = () => {
    if (input.value) page ??= read();
    count.textContent = page ? find(input.value) : all_questions();
    for (const button of buttons) button.setAttribute("aria-pressed", button.textContent === input.value);
    const { value: words } = input;
    count.dataset.words = words && book.say("Only what was found for “{words}”:", { words }); // for paper without a field
    const found = page?.place.children.length;
    form.classList.toggle("by-words", Boolean(found) && !names.includes(input.value));
    elsewhere.hidden = found || !sought(input.value).length;
    elsewhere.href = `../search.html#${new URLSearchParams({ q: input.value })}`;
  };
  const changed = in_address(input, show);
  /** The place that the address names, now that the lists are at home again */
  const show_place = () => document.querySelector(":target")?.scrollIntoView();
  show_place();
  addEventListener("hashchange", show_place);
  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("click", ({ target }) => {
    if (!buttons.includes(target)) return;
    input.value = input.value === target.textContent ? "" : target.textContent;
    changed();
  });
})();
