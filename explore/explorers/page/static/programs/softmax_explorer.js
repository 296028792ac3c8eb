// A copy of a chapter's function, softmax_explorer; tests/explore/explorers/test_programs.py compares them.
// Scores, their softmax and the size of its Jacobian
"use strict";
book.explorers.softmax_explorer = (() => {
  const { entropy, normal, softmax } = book.attention_core;
  const { histogram, histogram_axes, largest_size, linspace, log_range, nice_limit, sorted, three_digits, tick } =
    book.scenes;
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
    const mean = scores.reduce((sum, x) => sum + x, 0) / n;
    const std = Math.sqrt(scores.reduce((sum, x) => sum + (x - mean) ** 2, 0) / n);
    const norm = size_of_jacobian(p);
    const in_use = Math.exp(entropy(p));
    if (curve.n !== n) curve = curve_of(n);

    const limit = nice_limit(largest_size(scores));
    const counts = histogram(scores, 50, -limit, limit);
    const top = nice_limit(largest_size(counts));
    const shown = Math.min(n, Math.max(8, Math.floor(2 * in_use + 0.5))); // enough to show the entries in use
    const weights = sorted(p).slice(0, shown);
    const highest = nice_limit(weights[0]);
    const titles = {
      std: `std of scores ${three_digits(std)}`,
      in_use: `weights: ${in_use.toFixed(1)} of ${n} in use`,
      norm: `‖J‖ = ${norm.toFixed(3)}`,
    };
    const settings = `σ = ${three_digits(sigma)}, n = ${n}, T = ${three_digits(temperature)}`;
    return {
      artists: {
        scores: { edges: linspace(-limit, limit, 51), values: counts },
        weights: { edges: linspace(0, shown, shown + 1), values: weights },
        in_use: { x: [0, in_use, in_use], y: [1 / in_use, 1 / in_use, 0] },
        curve: { x: RATIOS, y: curve.y },
        here: { x: [sigma / temperature], y: [norm] },
        settings: { text: settings },
        ...Object.fromEntries(Object.entries(titles).map(([name, text]) => [`title_${name}`, { text }])),
      },
      axes: {
        scores: histogram_axes(limit, top),
        weights: {
          xlim: [0, shown],
          ylim: [0, highest],
          xticks: [0, shown].map((count) => [count, `${count}`]),
          yticks: [0, highest].map((y) => [y, tick(y)]),
        },
      },
      words: book.say("{settings}: {titles}; largest weight {weight}.", {
        settings: book.of_picture(settings),
        titles: Object.values(titles).map(book.of_picture).join("; "),
        weight: three_digits(weights[0]),
      }),
    };
  };
})();
