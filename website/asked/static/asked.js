// Finds questions that people ask. The page has a few hundred, so it is its own index; a search library would bring more
// code than this, and would not know which words are the question, the answer in one line, or the rest.
(() => {
  "use strict";
  const SMALL = new Set(
    "a an and any are as at be been but by can cuda do does for from get gets gpu has have how i if in into is it its kv me my no not of on or return returns so some than that the their then there they this to was what when which why with you your".split(
      " ",
    ),
  );
  // How much a word counts: in the question, in the line in sight, in the rest
  const [IN_QUESTION, IN_LINE, IN_REST] = [4, 2, 1];
  const ENOUGH = 0.5; // of what the words of the best answer count

  const SAME = {
    alike: "same",
    cheating: "future",
    d_k: "dₖ",
    equal: "same",
    flat: "uniform",
    garbage: "rubbish",
    gibberish: "rubbish",
    infinite: "infinity",
    leak: "future",
    missing: "without",
    nonsense: "rubbish",
    oom: "memory",
    sequence: "text",
    sequences: "text",
    sqrt: "root",
    stuck: "still",
    wrong: "mistake",
  };

  const words_in = (text) =>
    (
      text
        .toLowerCase()
        .replaceAll("√", " root ")
        .match(/[\p{L}\p{N}_]+/gu) ?? []
    ).map((word) => SAME[word] ?? word);
  const stem = (word) => (word.length > 5 ? word.replace(/(?:ing|ed|es|s|e)$/, "") : word);

  /** The words to find; each is a list of words that mean the same. */
  function wanted(text) {
    const groups = text
      .split(/\s+/)
      .flatMap((part) => (part.includes("|") ? [words_in(part)] : words_in(part).map((word) => [word])));
    return groups
      .filter((group) => group.length && !group.every((word) => SMALL.has(word)))
      .map((group) => group.map(stem));
  }

  function index(section) {
    const parts = [section.querySelector("h3"), section.querySelector("summary"), section];
    const [question, line, rest] = parts.map((part) => words_in(part.textContent));
    return { section, places: [question, line, rest], home: section.parentElement };
  }

  const has = (words, group) => words.some((word) => group.some((beginning) => word.startsWith(beginning)));

  /** The questions that hold enough of the words, the best first. */
  function ranked(questions, groups) {
    const rarity = groups.map((group) =>
      Math.log((questions.length + 1) / (1 + questions.filter(({ places }) => has(places[2], group)).length)),
    );
    const scored = questions.map((question) => {
      const counts = groups.map((group) =>
        [IN_QUESTION, IN_LINE, IN_REST].find((_, k) => has(question.places[k], group)),
      );
      const sum = (of) => counts.reduce((total, count, k) => total + (count ? rarity[k] * of(count) : 0), 0);
      return { ...question, found: sum(() => 1), score: sum((count) => count) };
    });
    const most = Math.max(...scored.map(({ found }) => found));
    return scored.filter(({ found }) => found > 0 && found >= ENOUGH * most).sort((a, b) => b.score - a.score);
  }

  function find(page, text) {
    const { questions, chapters, place, count } = page;
    for (const { section, home } of questions) home.append(section); // in the page's order
    const groups = wanted(text);
    for (const chapter of chapters) chapter.hidden = groups.length > 0;
    if (!groups.length) return (count.textContent = `${questions.length} questions`);
    const found = ranked(questions, groups);
    place.append(...found.map(({ section }) => section));
    const rest = found.length ? "the best first" : "other words may find one";
    count.textContent = `${found.length} of ${questions.length} questions, ${rest}`;
  }

  const form = document.querySelector(".asked-field");
  const [input, count] = [form.querySelector("input"), form.querySelector("output")];
  const questions = [...document.querySelectorAll("section.asked")].map(index);
  const chapters = [...new Set(questions.map(({ home }) => home))];
  const page = { questions, chapters, place: document.querySelector(".asked-found"), count };
  const show = () => {
    find(page, input.value);
    for (const button of form.querySelectorAll("button"))
      button.setAttribute("aria-pressed", button.value === input.value);
  };
  input.addEventListener("input", show);
  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("click", ({ target }) => {
    if (target.tagName !== "BUTTON") return;
    input.value = input.value === target.value ? "" : target.value;
    show();
  });
  show();
})();
