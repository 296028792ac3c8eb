// A copy of a chapter's function, angle_and_length; tests/explore/explorers/test_programs.py compares them.
// A query and three keys as arrows, their weights, and the output among three values
"use strict";
book.explorers.angle_and_length = (() => {
  const { scaled_dot_product_attention, attention_weights } = book.attention_core;
  const VALUES = [
    [-1, -0.7],
    [1, -0.7],
    [0, 1],
  ];

  return ({ query, ...keys }) => {
    const tips = { ...keys, query };
    const rows = [keys.key_1, keys.key_2, keys.key_3];
    const scores = rows.map(([x, y]) => x * query[0] + y * query[1]);
    const [weights] = attention_weights([query], rows, null, { scale: 1 });
    const [output] = scaled_dot_product_attention([query], rows, VALUES, null, { scale: 1 });
    const listed = (numbers) => Array.from(numbers, (x) => x.toFixed(2)).join(", ");
    const found = { scores: listed(scores), weights: listed(weights), output: listed(output) };
    return {
      artists: {
        ...Object.fromEntries(
          Object.entries(tips).flatMap(([name, [x, y]]) => [
            [`${name}_line`, { x: [0, x], y: [0, y] }],
            [name, { x: [x], y: [y] }],
            [`${name}_letter`, { x: [x], y: [y] }],
          ]),
        ),
        weights: { edges: [0, 1, 2, 3], values: weights },
        output: { x: [output[0]], y: [output[1]] },
        scores: { text: `scores ${found.scores}` },
        shares: { text: `weights ${found.weights}` },
      },
      axes: {},
      words: book.say("scores of keys 1 to 3: {scores}; weights: {weights}; output at {output}.", found),
    };
  };
})();
