// A copy of four_words/opening/looks.py; tests/four_words/test_opening.py compares them: the weights that a word of the title
// page's picture gives, and a sentence about them.
"use strict";
book.opening_looks = (() => {
  const NEARLY = 0.01; // weights that differ by less look equal

  /** The weights that word `asks` gives to all words; a sharpness of 1 is the usual scale, 1/√d_k. */
  function weights_of({ query, key }, asks, sharpness) {
    const scale = sharpness / Math.sqrt(key[0].length);
    return [...book.attention_core.attention_weights([query[asks]], key, null, { scale })[0]];
  }

  /** What the picture shows, in words. */
  function sentence({ words, query }, asks, weights) {
    const word = `“${words[asks]}”`;
    const best = Math.max(...weights);
    if (best - Math.min(...weights) < NEARLY) {
      const asks_something = query[asks].some(Boolean);
      const why = asks_something ? "Its output is their plain average." : "Its query is 0: it asks for nothing.";
      return `${word} looks at all four words alike. ${why}`;
    }
    const at = words.filter((_, j) => best - weights[j] < 1e-9);
    const found = at[0];
    const seen = at.length > 1 ? `both “${found}”, ${best.toFixed(2)} each` : `“${found}”, ${best.toFixed(2)}`;
    const share = best * at.length;
    if (share <= 0.5) return `${word} looks most at ${seen}. Its output is a mixture of all.`;
    if (share <= 0.95) return `${word} looks mostly at ${seen}. Its output is a mixture, mostly of “${found}”.`;
    if (at.length > 1) return `${word} looks only at ${seen}. They are the same word: no sharpness can choose.`;
    return `${word} looks only at ${seen}. Attention has become a look-up.`;
  }

  return { sentence, weights_of };
})();
