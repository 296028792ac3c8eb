// Which words mean the same here, how well a text holds the words that a reader seeks, and the words in an address: for
// the search of the site and for the field that finds questions. A search library (MiniSearch, say) would bring
// prefixes, spelling and weights in ten times the code; what decides is which words mean the same.
"use strict";
book.words = (() => {
  const SMALL = new Set(
    "a about actually afterwards all also always an and any are arent as at be because been both but by can cant causes come comes could couldnt cuda did didnt do does doesnt doing done dont each either error even ever every everywhere exactly expected for from get gets getting give gives go goes going gone got gpu happen happens has hasnt have havent having help hence here how i if im in instead into is isnt issue issues it its ive just know kv like lot lots make makes many maybe me might model more most much must my need neither no not now of ok okay on or own please practically pretty probably problem produces provided python pytorch question quite rather really return returns runtimeerror say says seem seems shall should shouldnt simply so some someone something still such suddenly tell than that thats the their them then there these they theyre think this those through thus to told too torch up us use using valueerror very want wants was wasnt we went were what whats when whether which while who whom whose why will with wondering wont work works would you your youre".split(
      " ",
    ),
  );
  // What is looked for, and what else people call it
  const SAME = new Map(
    Object.entries({
      0: "zero zeroed zeros zeroes",
      bfloat16: "bf16",
      concatenate: "concat concatenated",
      conversation: "chat chats",
      deterministic: "nondeterministic reproducible",
      differs: "disagree disagrees unequal",
      divided: "divide divides dividing divisible division",
      dₖ: "d_k",
      fast: "faster quicker",
      flash: "fa2 flash_attention_2 flash_attn flashattention",
      flex: "flex_attention flexattention",
      float16: "fp16",
      float32: "fp32",
      future: "cheating leak",
      grouped: "gqa",
      infinity: "inf infinite ∞",
      large: "big bigger huge larger",
      long: "longer",
      loss: "perplexity ppl",
      low: "lower",
      map: "heatmap heatmaps",
      memory: "oom ram vram",
      mistake: "broken bug incorrect incorrectly wrong",
      multiheadattention: "mha",
      multiply: "matmul multiplication multiplied",
      picture: "image images photo pictures",
      repeat: "repetition repetitions repetitive",
      root: "sqrt √",
      rotary: "rope",
      rubbish: "garbage garbled gibberish junk meaningless nonsense trash",
      same: "alike equal equally identical",
      scaled_dot_product_attention: "sdpa",
      slow: "slower",
      small: "smaller",
      speed: "speedup speedups",
      spikes: "diverge divergence diverges explode explodes exploding",
      stands: "plateau plateaus stagnates stuck",
      text: "sequence sequences",
      triangle: "triangular",
      uniform: "evenly flat uniformly",
      validation: "val",
      weights: "probabilities probability",
      window: "banded local",
      without: "forgot forgotten missing remove removed",
      write: "generate generated generates generating generation writes writing written",
    }).flatMap(([name, others]) => others.split(" ").map((other) => [other, name])),
  );
  const [WHOLE, BEGINNING, PART, MIDDLE] = [1, 0.8, 0.5, 0.1]; // a text's word is the sought one, begins with it, has it
  // after a "_", contains it
  const ENOUGH = 0.4; // of what the words of the best text count
  const TOGETHER = 2; // how much more a text counts that has all the words in one phrase
  const MANY = 0.1; // how fast an entry with phrases counts less that has more words in them than others

  const same = (word) => (SAME.get(word) ?? word).replaceAll("z", "s"); // American spelling is the same, too
  const HAN = /^[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}ー]/u;
  const WORD =
    /[√∞]|[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}ー]+|(?![\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}ー])[\p{L}\p{N}_](?:(?:(?![\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}ー])[\p{L}\p{N}_'’])*(?![\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}ー])[\p{L}\p{N}_])?/gu;
  /** The words of a text. Chinese and Japanese have nothing between two words, and no two programs part it alike: each two letters in
      a row count as a word. */
  const spelt = (text) =>
    [...text.matchAll(WORD)].flatMap((found) =>
      HAN.test(found[0]) && found[0].length > 2
        ? Array.from(found[0].slice(1), (_, i) => ({ 0: found[0].slice(i, i + 2), index: found.index + i }))
        : [found],
    );
  /** Longer runs of Chinese: a text that holds all of one counts more than one that holds its pairs. */
  const runs = (text) => text.match(/[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}ー]{3,}/gu) ?? [];
  const plain = (word) => word.toLowerCase().replace(/['’]/g, "");
  /** The words of a text as { word, start, end }; words that mean the same are one. */
  const placed = (text) =>
    spelt(text).map((found) => ({
      word: same(plain(found[0])),
      start: found.index,
      end: found.index + found[0].length,
    }));
  const words_in = (text) => [...placed(text).map(({ word }) => word), ...runs(text)];
  const APART =
    /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}ー](?=[\p{sc=Latin}\p{N}])|[\p{sc=Latin}\p{N}](?=[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}ー])/gu;
  /** The text with what the glossary calls its English terms in the page's language. Chinese is written without a space
      between such a term and its neighbours. */
  const with_terms = (text) => {
    const known = ` ${text
      .toLowerCase()
      .replace(APART, "$& ")
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
  const ENDING = /(?:ing|ed|es|s|e)$/;
  /** A word's beginning, in which its forms agree: padding and padded, position and positional, differs and different */
  const stem = (word) => {
    if (word.length < 6) return word.length < 4 ? word : word.replace(word.length > 4 ? /(?<!s)s$|e$/ : /(?<!s)s$/, "");
    const base = word.replace(/(?<=.{5})ly$/, "").replace(/(?<=.{5})ations?$|(?<=.{6})(?:al|ent|ences?)$/, "");
    const short = base.replace(ENDING, "");
    return short === base ? base : short.replace(/(?<=..)([bdgmnprt])\1$/, "$1");
  };

  /** How near a word is to a sought one, of which the beginning is given: 0 if it does not hold it. */
  function nearness(word, beginning) {
    if (HAN.test(beginning)) return word.includes(beginning) ? WHOLE : 0;
    if (word.startsWith(beginning)) return stem(word) === beginning ? WHOLE : BEGINNING;
    if (word.includes(`_${beginning}`)) return PART;
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
      Each entry has `places`, lists of words; `weights` says how much a word counts in each of them. It may have
      `phrases`, lists of words, too: what somebody may have said in the same words counts more. */
  function ranked(entries, beginnings, weights) {
    const near = entries.map(({ places }) => beginnings.map((one) => places.map((words) => nearest(words, one))));
    const holding = beginnings.map((_, k) => near.filter((of_entry) => Math.max(...of_entry[k]) > MIDDLE).length);
    // The root, because a rare word that stands somewhere by accident must not outweigh the subject
    const rarity = holding.map((count) => Math.sqrt(Math.log((entries.length + 1) / (1 + count))));
    const sum = (of) => beginnings.reduce((total, _, k) => total + rarity[k] * of(k), 0);
    // An entry with many phrases has some of any text's words. Few words are no merit: half the mean is as good as one.
    const sizes = entries.map(({ places, phrases }) => (phrases ? new Set(places[0]).size : 1));
    const mean = sizes.reduce((total, size) => total + size, 0) / sizes.length;
    const breadth = (i) => Math.max(0.5, sizes[i] / mean) ** MANY;
    const together = (phrase) =>
      (sum((k) => nearest(phrase, beginnings[k])) / sum(() => 1)) * Math.min(1, beginnings.length / phrase.length);
    const scored = entries.map((entry, i) => ({
      ...entry,
      found: sum((k) => (Math.max(...near[i][k]) ? 1 : 0)),
      score:
        sum((k) => Math.max(...near[i][k].map((nearness_there, place) => weights[place] * nearness_there))) *
        ((1 + TOGETHER * Math.max(0, ...(entry.phrases ?? []).map(together)) ** 2) / breadth(i)),
    }));
    const most = Math.max(...scored.map(({ found }) => found));
    return scored
      .filter(({ found }) => found > 0 && found >= ENOUGH * most)
      .sort((a, b) => b.found * b.score - a.found * a.score);
  }

  /** Keep the words of a field in the address, to come back to and to send: #q=the+words, which no server sees. `show` is
      called when the words are others; the function that is returned says that a program has changed them. */
  function in_address(field, show) {
    function keep() {
      const address = new URL(location.href);
      address.search = "";
      address.hash = field.value.trim() && new URLSearchParams({ q: field.value.trim() });
      try {
        history.replaceState(history.state, "", address);
      } catch {} // a page from a disk may keep its address
    }
    /** The words of the address; those of a link that an older page made, ?q=…, go behind the "#". */
    function read() {
      const old = new URLSearchParams(location.search).get("q");
      const words = new URLSearchParams(location.hash.slice(1)).get("q") ?? old ?? "";
      field.value = words.slice(0, field.maxLength);
      if (old !== null) keep();
      show();
    }
    const changed = () => {
      show();
      keep();
    };
    let waiting = 0;
    field.addEventListener("input", () => {
      cancelAnimationFrame(waiting);
      waiting = requestAnimationFrame(changed);
    });
    addEventListener("hashchange", read);
    read();
    return changed;
  }

  return { in_address, known, nearness, placed, ranked, sought, stem, same, words_in };
})();
