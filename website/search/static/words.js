// Which words mean the same here, and how well a text holds the words that a reader seeks: for the search of the site
// and for the field that finds questions. A search library (MiniSearch, say) would bring prefixes, spelling and weights in
// ten times the code; what decides is which words mean the same.
"use strict";
book.words = (() => {
  const SMALL = new Set(
    "a all always an and any are as at be been but by can cuda do does dont error even expected for from get gets getting give gives got gpu has have how i if in instead into is it its kv me model must my need no not of on or problem python pytorch return returns runtimeerror should so some still than that the their then there they this to too torch use using valueerror very was what when which why will with wont work works you your".split(
      " ",
    ),
  );
  const SAME = new Map(
    Object.entries({
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
      "√": "root",
    }),
  );
  const [WHOLE, BEGINNING, MIDDLE] = [1, 0.8, 0.1]; // a text's word is the sought one, begins with it, contains it
  const ENOUGH = 0.4; // of what the words of the best text count

  const same = (word) => (SAME.get(word) ?? word).replaceAll("z", "s"); // American spelling is the same, too
  const HAN = /^\p{Script=Han}/u;
  const WORD =
    /√|\p{Script=Han}+|(?!\p{Script=Han})[\p{L}\p{N}_](?:(?:(?!\p{Script=Han})[\p{L}\p{N}_'’])*(?!\p{Script=Han})[\p{L}\p{N}_])?/gu;
  /** The words of a text. Chinese has nothing between two words, and no two programs part it alike: each two letters in
      a row count as a word. */
  const spelt = (text) =>
    [...text.matchAll(WORD)].flatMap((found) =>
      HAN.test(found[0]) && found[0].length > 2
        ? Array.from(found[0].slice(1), (_, i) => ({ 0: found[0].slice(i, i + 2), index: found.index + i }))
        : [found],
    );
  /** Longer runs of Chinese: a text that holds all of one counts more than one that holds its pairs. */
  const runs = (text) => text.match(/\p{Script=Han}{3,}/gu) ?? [];
  const plain = (word) => word.toLowerCase().replace(/['’]/g, "");
  /** The words of a text as { word, start, end }; words that mean the same are one. */
  const placed = (text) =>
    spelt(text).map((found) => ({
      word: same(plain(found[0])),
      start: found.index,
      end: found.index + found[0].length,
    }));
  const words_in = (text) => [...placed(text).map(({ word }) => word), ...runs(text)];
  /** The text with what the glossary calls its English terms in the page's language. */
  const with_terms = (text) => {
    const known = ` ${text
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu)
      ?.join(" ")} `;
    return [
      text,
      ...Object.keys(book.terms)
        .filter((term) => known.includes(` ${term} `))
        .map((term) => book.terms[term]),
    ];
  };
  /** What a reader seeks: each word once, as it was typed, without those that say nothing. */
  const sought = (text) => {
    const said = with_terms(text).join(" ");
    const all = [...spelt(said).map(({ 0: word }) => plain(word)), ...runs(said)];
    return [...new Set(all)].filter((word) => !SMALL.has(word));
  };
  const stem = (word) =>
    word.length > 5 ? word.replace(/(?:ing|ed|es|s|e)$/, "") : word.length > 3 ? word.replace(/(?<!s)s$/, "") : word;

  /** How near a word is to a sought one, of which the beginning is given: 0 if it does not hold it. */
  function nearness(word, beginning) {
    if (HAN.test(beginning)) return word.includes(beginning) ? WHOLE : 0;
    if (word.startsWith(beginning)) return stem(word) === beginning ? WHOLE : BEGINNING;
    return beginning.length > 3 && word.includes(beginning) ? MIDDLE : 0;
  }
  const nearest = (all, beginning) => all.reduce((best, word) => Math.max(best, nearness(word, beginning)), 0);

  /** Whether two words differ by one letter: changed, missing, added, or exchanged with its neighbour */
  function nearly(a, b) {
    if (a.length > b.length) return nearly(b, a);
    let k = 0;
    while (k < a.length && a[k] === b[k]) k++;
    if (a.length < b.length) return a.slice(k) === b.slice(k + 1);
    const exchanged = a[k + 1] + a[k] + a.slice(k + 2);
    return a.slice(k + 1) === b.slice(k + 1) || exchanged === b.slice(k);
  }

  /** A sought word as texts have it: its beginning, or that of another that is nearly the same, or none. */
  function known(said, vocabulary) {
    const beginning = stem(same(said));
    if (nearest(vocabulary, beginning)) return beginning;
    return said.length > 5 && !HAN.test(said) ? vocabulary.find((other) => nearly(same(said), other)) : undefined;
  }

  /** The entries that hold enough of the beginnings of words, the best first: those with many of them in good places.
      Each entry has `places`, lists of words; `weights` says how much a word counts in each of them. */
  function ranked(entries, beginnings, weights) {
    const near = entries.map(({ places }) => beginnings.map((one) => places.map((words) => nearest(words, one))));
    const holding = beginnings.map((_, k) => near.filter((of_entry) => Math.max(...of_entry[k]) > MIDDLE).length);
    // The root, because a rare word that stands somewhere by accident must not outweigh the subject
    const rarity = holding.map((count) => Math.sqrt(Math.log((entries.length + 1) / (1 + count))));
    const sum = (of) => beginnings.reduce((total, _, k) => total + rarity[k] * of(k), 0);
    const scored = entries.map((entry, i) => ({
      ...entry,
      found: sum((k) => (Math.max(...near[i][k]) ? 1 : 0)),
      score: sum((k) => Math.max(...near[i][k].map((nearness_there, place) => weights[place] * nearness_there))),
    }));
    const most = Math.max(...scored.map(({ found }) => found));
    return scored
      .filter(({ found }) => found > 0 && found >= ENOUGH * most)
      .sort((a, b) => b.found * b.score - a.found * a.score);
  }

  return { known, nearness, placed, ranked, sought, stem, same, words_in };
})();
