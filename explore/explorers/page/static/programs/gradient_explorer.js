// The size of the gradient with respect to the scores, which go through a softmax and one of three losses
explorers.gradient_explorer = (() => {
  "use strict";
  const { normal, softmax, softmax_jacobian_product, uniform } = attention_core;
  const { histogram, linspace, sorted, three_digits } = scenes;
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
    const weights = scores.map((x) => softmax(x.map((z) => sigma * z)));
    const sizes_for = (loss) => weights.map((p, i) => size_of_gradient(p, loss, upstream[i], targets[i]));
    const counts = (sizes) => histogram(sizes.filter((size) => size >= 1e-15).map(Math.log10), 16, -15, 1);
    const sizes = sizes_for(loss);
    const zero = sizes.filter((size) => size < 1e-15).length;
    const settings = `${loss}, σ = ${three_digits(sigma)}, n = ${n}`;
    const title = `median ${three_digits(sorted(sizes)[ROWS / 2])}; below 1e-15: ${zero} of ${ROWS}`;
    const edges = linspace(-15, 1, 17);
    return {
      artists: {
        draws: { edges, values: counts(sizes) },
        control: { edges, values: counts(sizes_for("cross-entropy")) },
        title: { text: title },
        settings: { text: settings },
      },
      axes: {},
      words: `${settings}: ${title}.`,
    };
  };
})();
