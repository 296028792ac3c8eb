// A copy of a chapter's measurements of a head on one text; tests/models/test_own_sentence.py compares it with torch.
"use strict";
book.sentence_measure = (() => {
  const { entropy } = book.attention_core;
  /** For each kind of key: whether key j is of that kind for query i. Separators count only for words. */
  function kinds_of(tokens) {
    const last = tokens.length - 1;
    const is_word = (i) => i > 0 && i < last;
    return {
      previous: (i, j) => i - 1 === j,
      next: (i, j) => i + 1 === j,
      separators: (i, j) => is_word(i) && !is_word(j),
      itself: (i, j) => i === j,
      same: (i, j) => i !== j && tokens[i] === tokens[j],
    };
  }

  /** Sum and sum of squares of the differences from the first number, so that no digits are lost. */
  function moments_of(x) {
    let [sum, squares] = [0, 0];
    for (let i = 0; i < x.length; i++) {
      sum += x[i] - x[0];
      squares += (x[i] - x[0]) ** 2;
    }
    return { count: x.length, first: x[0] ?? NaN, sum, squares };
  }

  const variance = ({ count, sum, squares }) => Math.max(squares - (sum * sum) / count, 0) / count;
  const mean_of = (x) => x.reduce((sum, y) => sum + y, 0) / x.length;

  /** Mean weight on the keys of a kind, over the queries that have such keys; NaN if none has. */
  function share(weights, counts) {
    const L = weights.length;
    let [sum, queries] = [0, 0];
    for (let i = 0; i < L; i++) {
      let any = 0;
      for (let j = 0; j < L; j++)
        if (counts(i, j)) {
          any = 1;
          sum += weights[i][j];
        }
      queries += any;
    }
    return sum / queries;
  }

  /** One head's share of each kind, its keys in use, the standard deviation of its scaled scores (over all rows, and
   * within a row), and the length of its values at [CLS], at [SEP] and, on average, at words.
   */
  function measure({ weights, scores, value }, tokens) {
    const kinds = kinds_of(tokens);
    const lengths = value.map((row) => Math.sqrt(row.reduce((sum, x) => sum + x * x, 0)));
    const flat = new Float64Array(weights.length ** 2);
    scores.forEach((row, i) => flat.set(row, i * weights.length));
    const moments = moments_of(flat);
    return {
      shares: Object.fromEntries(Object.entries(kinds).map(([kind, counts]) => [kind, share(weights, counts)])),
      in_use: mean_of(weights.map((row) => Math.exp(entropy(row)))),
      mean: moments.first + moments.sum / moments.count,
      std: Math.sqrt(variance(moments)),
      within: Math.sqrt(mean_of(scores.map((row) => variance(moments_of(row))))),
      at_cls: lengths[0],
      at_sep: lengths.at(-1),
      at_words: mean_of(lengths.slice(1, -1)),
    };
  }

  /** The standard deviation of all scaled scores of a layer, from the measurements of its heads. */
  function std_of_layer(heads) {
    const middle = mean_of(heads.map(({ mean }) => mean));
    return Math.sqrt(mean_of(heads.map(({ mean, std }) => std ** 2 + (mean - middle) ** 2)));
  }

  return { measure, std_of_layer };
})();
