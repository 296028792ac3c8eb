// Six steps from Q, K and V to the output
explorers.steps = (() => {
  "use strict";
  const { causal_mask, softmax } = attention_core;
  const { dot_products } = scenes;
  const WORDS = ["the", "cat", "sat"];
  const rows_of = (flat) => WORDS.map((_, i) => flat.slice(2 * i, 2 * i + 2));

  return ({ query, key, value, scale, causal }) => {
    const values = rows_of(value);
    const scores = dot_products(rows_of(query), rows_of(key));
    const scaled = scores.map((row) => row.map((x) => x * scale));
    const allowed = causal_mask(3);
    const masked = scaled.map((row, i) => row.map((x, j) => (causal && !allowed[i][j] ? -Infinity : x)));
    const powers = masked.map((row) => row.map((x) => Math.exp(x - Math.max(...row))));
    const weights = masked.map(softmax);
    const columns = [0, 1].map((c) => values.map((row) => row[c]));
    const output = dot_products(weights, columns);

    const artists = {};
    const panel = (name, matrix, reach) => {
      const finite = matrix.flatMap((row) => Array.from(row, (x) => (Number.isFinite(x) ? x : 0)));
      artists[`${name}_cells`] = { cells: finite.map((x) => 0.5 * Math.min(Math.max(x / reach, -1), 1)) };
      matrix.forEach((row, i) =>
        row.forEach(
          (x, j) =>
            (artists[`${name}_${i}${j}`] = {
              text: Number.isFinite(x) ? x.toFixed(Math.abs(x) < 99.995 ? 2 : 1).replace("-", "−") : "−∞",
            }),
        ),
      );
    };
    Object.entries({ scores, scaled, masked }).forEach(([name, matrix]) => panel(name, matrix, 10));
    Object.entries({ powers, weights }).forEach(([name, matrix]) => panel(name, matrix, 1));
    panel("output", output, 10);
    const said = (matrix) =>
      WORDS.map((word, i) => `${word} ${Array.from(matrix[i], (x) => x.toFixed(2)).join(" ")}`).join("; ");
    return { artists, axes: {}, words: `weights: ${said(weights)}. Output: ${said(output)}.` };
  };
})();
