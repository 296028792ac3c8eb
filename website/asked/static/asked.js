// Finds questions that people ask. The page has a few hundred, so it is its own index. A search library (MiniSearch, say)
// would bring prefixes, spelling and weights in ten times the code; what decides is which words mean the same here.
(() => {
  "use strict";
  const SMALL = new Set(
    "a all always an and any are as at be been but by can cuda do does dont error even expected for from get gets getting give gives got gpu has have how i if in instead into is it its kv me model must my need no not of on or problem python pytorch return returns runtimeerror should so some still than that the their then there they this to too torch use using valueerror very was what when which why will with wont work works you your".split(
      " ",
    ),
  );
  // How much a word counts: in the question or what it is found by, in the line in sight, in the rest
  const [IN_QUESTION, IN_LINE, IN_REST] = [4, 2, 1];
  const ENOUGH = 0.4; // of what the words of the best answer count
  const MOST = 12; // questions that are shown for words

  const SAME = {
    alike: "same",
    cheating: "future",
    d_k: "dₖ",
    equal: "same",
    flat: "uniform",
    garbage: "rubbish",
    gibberish: "rubbish",
    gqa: "grouped",
    infinite: "infinity",
    leak: "future",
    missing: "without",
    nonsense: "rubbish",
    oom: "memory",
    ram: "memory",
    rope: "rotary",
    sdpa: "scaled_dot_product_attention",
    sequence: "text",
    sequences: "text",
    sqrt: "root",
    stuck: "stands",
    vram: "memory",
    wrong: "mistake",
  };

  const spelt = (text) =>
    text
      .toLowerCase()
      .replaceAll("√", " root ")
      .replace(/['’]/g, "")
      .match(/[\p{L}\p{N}_]+/gu) ?? [];
  const same = (word) => (SAME[word] ?? word).replaceAll("z", "s"); // American spelling is the same, too
  const words_in = (text) => spelt(text).map(same);
  const stem = (word) => (word.length > 5 ? word.replace(/(?:ing|ed|es|s|e)$/, "") : word);
  const sought = (text) => spelt(text).filter((word) => !SMALL.has(word));

  /** Whether two words differ by one letter: changed, missing, added, or exchanged with its neighbour */
  function nearly(a, b) {
    if (a.length > b.length) return nearly(b, a);
    let k = 0;
    while (k < a.length && a[k] === b[k]) k++;
    if (a.length < b.length) return a.slice(k) === b.slice(k + 1);
    const exchanged = a[k + 1] + a[k] + a.slice(k + 2);
    return a.slice(k + 1) === b.slice(k + 1) || exchanged === b.slice(k);
  }

  function index(section) {
    const found_by = section.querySelector(".asked-words")?.textContent ?? "";
    const parts = [
      `${section.querySelector("h3").textContent} ${found_by}`,
      section.querySelector("summary").textContent,
    ];
    const places = [...parts, section.textContent].map(words_in);
    return { section, places, symptoms: found_by.split(";").map((one) => one.trim()), home: section.parentElement };
  }

  const has = (words, beginning) => words.some((word) => word.startsWith(beginning));

  /** The word as it stands on the page: itself, or another that is nearly the same, or none */
  function known(word, vocabulary) {
    const beginning = stem(word);
    if (has(vocabulary, beginning)) return beginning;
    return word.length > 5 ? vocabulary.find((other) => nearly(word, other)) : undefined;
  }

  /** The questions that hold enough of the words, the best first */
  function ranked(questions, words) {
    const rarity = words.map((word) =>
      Math.log((questions.length + 1) / (1 + questions.filter(({ places }) => has(places[2], word)).length)),
    );
    const scored = questions.map((question) => {
      const counts = words.map((word) => [IN_QUESTION, IN_LINE, IN_REST].find((_, k) => has(question.places[k], word)));
      const sum = (of) => counts.reduce((total, count, k) => total + (count ? rarity[k] * of(count) : 0), 0);
      return { ...question, found: sum(() => 1), score: sum((count) => count) };
    });
    const most = Math.max(...scored.map(({ found }) => found));
    return scored.filter(({ found }) => found > 0 && found >= ENOUGH * most).sort((a, b) => b.score - a.score);
  }

  /** What to show for a text that is no symptom, and in words how it was found */
  function answer({ questions, vocabulary }, text) {
    const words = sought(text).map((said) => ({ said, here: known(same(said), vocabulary) }));
    const told = words.flatMap(({ said, here }) => {
      if (!here) return [`nothing here on ${said}`];
      return here.startsWith(stem(same(said))) ? [] : [`looked for ${here} instead of ${said}`];
    });
    const list = ranked(questions, [...new Set(words.map(({ here }) => here).filter(Boolean))]);
    const found = list.slice(0, MOST);
    const of = list.length > MOST ? `${list.length} that fit` : `${questions.length} questions`;
    return [found, [`${of}, ${found.length ? "the best first" : "other words may find one"}`, ...told].join("; ")];
  }

  /** The questions that name the symptom; those that name it before all else come first */
  function with_symptom({ questions }, name) {
    const rank = ({ symptoms }) => Number(symptoms[0] !== name);
    const found = questions.filter(({ symptoms }) => symptoms.includes(name)).sort((a, b) => rank(a) - rank(b));
    return [found, `${questions.length} questions, our first guess on top`];
  }

  /** Show what is found for the text, and return in words what is shown */
  function find(page, text) {
    const { questions, chapters, names, place } = page;
    for (const { section, home } of questions) home.append(section); // in the page's order
    const asks = sought(text).length > 0;
    for (const chapter of chapters) chapter.hidden = asks;
    if (!asks) return `${questions.length} questions`;
    const [found, told] = (names.includes(text) ? with_symptom : answer)(page, text);
    place.append(...found.map(({ section }) => section));
    return `${found.length} of ${told}`;
  }

  const form = document.querySelector(".asked-field");
  const [input, count] = [form.querySelector("input"), form.querySelector("output")];
  const buttons = [...form.querySelectorAll("button")];
  const names = buttons.map((button) => button.textContent);
  const sections = [...document.querySelectorAll("section.asked")];
  const read = () => {
    const questions = sections.map(index);
    const chapters = [...new Set(questions.map(({ home }) => home))];
    const vocabulary = [...new Set(questions.flatMap(({ places }) => places[2]))].sort();
    return { questions, chapters, vocabulary, names, place: document.querySelector(".asked-found") };
  };
  let page = null; // read when the first word is typed
  const show = () => {
    if (input.value) page ??= read();
    count.textContent = page ? find(page, input.value) : `${sections.length} questions`;
    for (const button of buttons) button.setAttribute("aria-pressed", button.textContent === input.value);
    form.classList.toggle("by-words", Boolean(input.value) && !names.includes(input.value));
  };
  /** Keep the words in the address, to come back to and to send: ?q=the+words */
  const keep = () => {
    const address = new URL(location.href);
    address.hash = "";
    if (input.value) address.searchParams.set("q", input.value);
    else address.searchParams.delete("q");
    try {
      history.replaceState(history.state, "", address);
    } catch {} // a page from a disk keeps its address
  };
  /** What the address asks for: the place that it names, or else its words */
  const read_address = () => {
    input.value = location.hash ? "" : (new URLSearchParams(location.search).get("q") ?? "");
    show();
    document.querySelector(":target")?.scrollIntoView();
  };
  input.addEventListener("input", () => {
    show();
    keep();
  });
  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("click", ({ target }) => {
    if (!buttons.includes(target)) return;
    input.value = input.value === target.textContent ? "" : target.textContent;
    show();
    keep();
  });
  for (const { firstElementChild: title } of sections) {
    title.addEventListener("click", ({ target }) => {
      if (target.tagName !== "A") title.nextElementSibling.open = !title.nextElementSibling.open;
    });
  }
  addEventListener("hashchange", read_address);
  read_address();
})();
