// A copy of a chapter's function, softmax_explorer; tests/explore/explorers/test_programs.py compares them.
// Scores, their softmax and the size of its Jacobian
"use strict";
book.explorers.softmax_explorer = (() => {
  const { normal, softmax } = book.attention_core;
  const { histogram, histogram_axes, largest_size, linspace, log_range, moments_of, nice_limit } = book.scenes;
  const { three_digits, weights_in_use } = book.scenes;
  const RATIOS = log_range(1e-3, 1e3, 61);
  let curve = { n: 0 }; // for the last n

  /** Frobenius norm of diag(p) - p pᵀ, without the matrix. */
  function size_of_jacobian(p) {
    const squares = p.reduce((sum, x) => sum + x * x, 0);
    return Math.sqrt(p.reduce((sum, x) => sum + x * x * ((1 - x) ** 2 + Math.max(squares - x * x, 0)), 0));
  }

  function curve_of(n) {
    const four = [1, 2, 3, 4].map((stream) => normal(n, { seed: 1, stream }));
    const mean = (ratio) => four.reduce((sum, z) => sum + size_of_jacobian(softmax(z.map((x) => ratio * x))), 0) / 4;
    return { n, y: RATIOS.map(mean) };
  }

  return ({ sigma, n, temperature, seed }) => {
    const scores = normal(n, { seed }).map((z) => sigma * z);
    const p = softmax(scores.map((x) => x / temperature));
    const norm = size_of_jacobian(p);
    const { in_use, largest, artists, axes } = weights_in_use(p);
    if (curve.n !== n) curve = curve_of(n);

    const limit = nice_limit(largest_size(scores));
    const counts = histogram(scores, 50, -limit, limit);
    const top = nice_limit(largest_size(counts));
    const titles = {
      std: `std of scores ${three_digits(moments_of(scores).std)}`,
      in_use: `weights: ${in_use.toFixed(1)} of ${n} in use`,
      norm: `‖J‖ = ${norm.toFixed(3)}`,
    };
    const settings = `σ = ${three_digits(sigma)}, n = ${n}, T = ${three_digits(temperature)}`;
    return {
      artists: {
        scores: { edges: linspace(-limit, limit, 51), values: counts },
        ...artists,
        curve: { x: RATIOS, y: curve.y },
        here: { x: [sigma / temperature], y: [norm] },
        settings: { text: settings },
        ...Object.fromEntries(Object.entries(titles).map(([name, text]) => [`title_${name}`, { text }])),
      },
      axes: { scores: histogram_axes(limit, top), weights: axes },
      words: book.say("{settings}: {titles}; largest weight {weight}.", {
        settings: book.of_picture(settings),
        titles: Object.values(titles).map(book.of_picture).join("; "),
        weight: three_digits(largest),
      }),
    };
  };
})();
