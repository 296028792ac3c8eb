// A copy of a chapter's function, next_probabilities; tests/models/test_language_model_page.py compares it with
// `transformers`: from logits to the next token by temperature, then top-k, then top-p.
"use strict";
book.language_sampling = (() => {
  /** softmax(logits / temperature); at temperature 0, the first of the largest logits gets probability 1. */
  function softened(logits, temperature) {
    const p = new Float64Array(logits.length);
    const largest = logits.reduce((a, b) => Math.max(a, b), -Infinity);
    if (temperature === 0) {
      p[logits.indexOf(largest)] = 1;
      return p;
    }
    let total = 0;
    for (let k = 0; k < p.length; k++) total += p[k] = Math.exp((logits[k] - largest) / temperature);
    for (let k = 0; k < p.length; k++) p[k] /= total;
    return p;
  }

  /** 0 for all below the smallest that is kept; the others again sum to 1. */
  function kept(p, smallest) {
    let total = 0;
    for (let k = 0; k < p.length; k++) total += p[k] = p[k] < smallest ? 0 : p[k];
    for (let k = 0; k < p.length; k++) p[k] /= total;
    return p;
  }

  /** The probabilities of the next token. `top_k` 0 and `top_p` 1 keep all tokens. */
  function probabilities(logits, { temperature, top_k, top_p }) {
    let p = softened(logits, temperature);
    if (top_k > 0 && top_k < p.length) p = kept(p, p.toSorted().at(-top_k));
    if (top_p < 1) {
      const sorted = p.toSorted();
      let [k, sum] = [sorted.length - 1, sorted.at(-1)];
      while (sum < top_p && k > 0) sum += sorted[--k];
      p = kept(p, sorted[k]);
    }
    return p;
  }

  /** The token for a number u from 0 to 1: the first at which the sum of the probabilities exceeds u. */
  function pick(p, u) {
    let [sum, last] = [0, 0];
    for (let k = 0; k < p.length; k++) {
      if (!p[k]) continue;
      sum += p[k];
      last = k;
      if (sum > u) return k;
    }
    return last; // rounding
  }

  /** The most probable tokens, at most `count`, in order. */
  function most_probable(p, count) {
    const smallest = p.toSorted().at(-count);
    const found = [];
    for (let k = 0; k < p.length; k++) if (p[k] > 0 && p[k] >= smallest) found.push(k);
    return found.sort((a, b) => p[b] - p[a]).slice(0, count);
  }

  return { most_probable, pick, probabilities };
})();
