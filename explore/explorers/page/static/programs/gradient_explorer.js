// Chapter 1: the size of the gradient with respect to the scores, which go through a softmax and one of three losses
explorers.gradient_explorer = (() => {
  "use strict";
  const { normal, softmax, softmax_jacobian_product, uniform } = attention_core;
  const { histogram, linspace, nice_limit, sorted, three_digits } = scenes;
  const ROWS = 300;
  let kept = { key: "" };

  function drawn(n, seed) {
    const key = `${n},${seed}`;
    const rows = (draw, seed, first) => Array.from({ length: ROWS }, (_, i) => draw(n, { seed, stream: first + i }));
    if (kept.n !== n) kept = { n, upstream: rows(normal, 0, 1000), targets: rows(uniform, 0, 2000) };
    if (kept.key !== key) Object.assign(kept, { key, scores: rows(normal, seed, 0) });
    return kept;
  }

  const norm = (x) => Math.sqrt(x.reduce((sum, y) => sum + y * y, 0));

  function size_of_gradient(p, loss, upstream, targets) {
    if (loss === "cross-entropy") {
      const others = p.subarray(1);
      return Math.hypot(
        norm(others),
        others.reduce((sum, x) => sum + x, 0),
      );
    }
    const g = loss === "random upstream" ? upstream : p.map((x, i) => Math.sign(x - targets[i]));
    let largest = 0;
    for (let i = 1; i < p.length; i++) if (p[i] > p[largest]) largest = i;
    return norm(
      softmax_jacobian_product(
        p,
        g.map((x) => x - g[largest]),
      ),
    );
  }

  return ({ sigma, n, loss, seed }) => {
    const { scores, upstream, targets } = drawn(n, seed);
    const sizes = scores.map((x, i) =>
      size_of_gradient(softmax(x.map((z) => sigma * z)), loss, upstream[i], targets[i]),
    );
    const zero = sizes.filter((size) => size < 1e-15).length;
    const counts = histogram(sizes.filter((size) => size >= 1e-15).map(Math.log10), 64, -15, 1);
    const top = nice_limit(counts.reduce((x, y) => Math.max(x, y), 1));
    const title = `median ${three_digits(sorted(sizes)[ROWS / 2])}; below 1e-15: ${zero} of ${ROWS}`;
    return {
      artists: { draws: { edges: linspace(-15, 1, 65), values: counts }, title: { text: title } },
      axes: {
        draws: {
          xlim: [-15, 1],
          ylim: [0, top],
          xticks: [-15, -10, -5, 0].map((x) => [x, `${x}`.replace("-", "−")]),
          yticks: [0, top].map((y) => [y, `${y}`]),
        },
      },
      words: `${title}.`,
    };
  };
})();
