// A copy of a chapter's function, in_range; tests/explore/explorers/test_programs.py compares them.
// Scores, weights and relative gradients of a head whose queries and keys grow, with a cap and a sink
"use strict";
book.explorers.in_range = (() => {
  const { entropy, normal, softmax } = book.attention_core;
  const { dot_products, histogram, histogram_axes, largest_size, linspace } = book.scenes;
  const { moments_of, nice_limit, sorted, three_digits } = book.scenes;
  const [N, D] = [64, 32];
  let kept = { seed: -1 };

  function drawn(seed) {
    const rows = (first) => Array.from({ length: N }, (_, i) => normal(D, { seed, stream: first + i }));
    if (kept.seed !== seed) {
      const [q, k, v, upstream] = [0, 1000, 2000, 3000].map(rows);
      kept = { seed, q, k, at_weights: dot_products(upstream, v) };
    }
    return kept;
  }

  const norm = (x) => Math.sqrt(x.reduce((sum, y) => sum + y * y, 0));
  const root_mean_square = (x) => Math.sqrt(x.reduce((sum, y) => sum + y * y, 0) / x.length + 1e-6);

  function normed(row) {
    const size = root_mean_square(row);
    return row.map((x) => x / size);
  }

  /** A query's scores and weights (the sink's weight comes last), and the gradient with respect to the query. */
  function row_of(keys, products, at_weights, { cap, sink, divisor }) {
    const scores = products.map((x) => x / divisor);
    const capped = scores.map((s) => cap * Math.tanh(s / cap));
    const weights = softmax([...capped, sink]);
    const upstream = [...at_weights, 0]; // the sink's value is 0
    let largest = 0;
    weights.forEach((w, j) => (largest = w > weights[largest] ? j : largest));
    const g = upstream.map((x) => x - upstream[largest]);
    const mean = weights.reduce((sum, w, j) => sum + w * g[j], 0);
    const gradient = new Float64Array(D);
    for (let j = 0; j < N; j++) {
      const slope = 1 / Math.cosh(scores[j] / cap) ** 2;
      const at_score = (weights[j] * (g[j] - mean) * slope) / divisor;
      for (let e = 0; e < D; e++) gradient[e] += at_score * keys[j][e];
    }
    return { capped, weights, gradient };
  }

  return ({ growth, remedy, cap, sink, seed }) => {
    const { q, k, at_weights } = drawn(seed);
    const grown = (rows) => rows.map((row) => row.map((x) => growth * x));
    const queries = grown(q);
    const has_norm = remedy === "norm_of_q_and_k";
    const [used, keys] = has_norm ? [queries.map(normed), grown(k).map(normed)] : [queries, grown(k)];
    const divisor = remedy === "1/d" ? D : Math.sqrt(D);
    const products = dot_products(used, keys);
    const rows = queries.map((_, i) => row_of(keys, products[i], at_weights[i], { cap, sink, divisor }));
    const sizes = rows.map(({ gradient }, i) => {
      if (!has_norm) return norm(gradient) * norm(queries[i]);
      const along = gradient.reduce((sum, x, e) => sum + x * used[i][e], 0) / D;
      return (norm(gradient.map((x, e) => x - along * used[i][e])) / root_mean_square(queries[i])) * norm(queries[i]);
    });

    const scores = Float64Array.from(rows.flatMap(({ capped }) => [...capped]));
    const largest = largest_size(scores);
    const limit = nice_limit(largest);
    const counts = histogram(scores, 50, -limit, limit);
    const top = nice_limit(largest_size(counts));
    const weights = sorted(rows[0].weights.subarray(0, N)).subarray(0, 16);
    const highest = nice_limit(Math.max(weights[0], 0.01));
    // The sink is not counted.
    const in_use = rows.reduce((sum, row) => sum + Math.exp(entropy(softmax(row.capped))), 0) / N;
    const by_size = sorted(sizes);
    const titles = {
      scores: `std ${three_digits(moments_of(scores).std)}, largest ${three_digits(largest)}`,
      weights: `${in_use.toFixed(1)} keys in use, sink's weight ${rows[0].weights[N].toFixed(2)}`,
      gradient: `relative gradient: median ${three_digits(by_size[N / 2])}, largest ${three_digits(by_size[0])}`,
    };
    return {
      artists: {
        scores: { edges: linspace(-limit, limit, 51), values: counts },
        weights: { edges: linspace(1, 17, 17), values: weights },
        ...Object.fromEntries(Object.entries(titles).map(([name, text]) => [`title_${name}`, { text }])),
      },
      axes: {
        scores: histogram_axes(limit, top),
        weights: {
          xlim: [1, 17],
          ylim: [0, highest],
          xticks: [1, 5, 10, 15].map((rank) => [rank + 0.5, `${rank}`]),
          yticks: [0, highest].map((y) => [y, `${y}`]),
        },
      },
      words: book.say("{titles}; largest weight of the first query {weight}.", {
        titles: Object.values(titles).map(book.of_picture).join("; "),
        weight: three_digits(weights[0]),
      }),
    };
  };
})();
