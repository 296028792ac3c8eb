// The title page: attention weights of six words
explorers.six_words = (() => {
  "use strict";
  const { attention_weights, entropy, normal } = attention_core;
  const WORDS = ["the", "cat", "sat", "on", "the", "mat"];

  return ({ sharpness, causal, seed }) => {
    const rows = Array.from({ length: 12 }, (_, stream) => normal(16, { seed, stream }));
    const options = { is_causal: causal, scale: sharpness / 4 };
    const weights = attention_weights(rows.slice(0, 6), rows.slice(6), null, options);
    const in_use = weights.reduce((sum, row) => sum + Math.exp(entropy(row)), 0) / 6;
    const title = `keys in use per query: ${in_use.toFixed(1)} of 6`;
    const most = (row) => row.indexOf(Math.max(...row));
    const said = weights.map(
      (row, i) => `${WORDS[i]} attends most to ${WORDS[most(row)]}, ${row[most(row)].toFixed(2)}`,
    );
    return {
      artists: { weights: { cells: weights.flatMap((row) => [...row]) }, title: { text: title } },
      axes: {},
      words: `${title}; ${said.join("; ")}.`,
    };
  };
})();
