// A copy of four_words/opening/looks.py; tests/four_words/test_opening.py compares them: the weights that a word of the title
// page's picture gives, and the id of a sentence about them.
"use strict";
book.opening_looks = (() => {
  const NEARLY = 0.01; // weights that differ by less look equal

  /** The weights that word `asks` gives to all words; a sharpness of 1 is the usual scale, 1/√d_k. */
  function weights_of({ query, key }, asks, sharpness) {
    const scale = sharpness / Math.sqrt(key[0].length);
    return [...book.attention_core.attention_weights([query[asks]], key, null, { scale })[0]];
  }

  /** What the picture shows: the id of a sentence, and its values. */
  function look_of({ words, query }, asks, weights) {
    const word = words[asks];
    const best = Math.max(...weights);
    if (best - Math.min(...weights) < NEARLY) return [query[asks].some(Boolean) ? "average" : "no_query", { word }];
    const at = words.filter((_, j) => best - weights[j] < 1e-9);
    const share = best * at.length;
    const degree = share <= 0.5 ? "most" : share <= 0.95 ? "mostly" : "only";
    return [at.length > 1 ? `${degree}_both` : degree, { word, found: at[0], weight: best.toFixed(2) }];
  }

  return { look_of, weights_of };
})();
