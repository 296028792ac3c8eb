// A copy of a chapter's function, bench; tests/explore/explorers/test_programs.py compares them.
// Dot products of random queries and keys, as scores, weights and numbers next to their predictions.
// Products of vectors are kept, so that means, deviations, α and the factor can change without computing them again.
"use strict";
book.explorers.bench = (() => {
  const { dot_product_moments, entropy, normal, softmax, softmax_jacobian_product } = book.attention_core;
  const { decades, dot_products, histogram, linspace, nice_limit } = book.scenes;
  const { power_of_ten, sorted, three_digits, tick } = book.scenes;
  const QUERIES = 64;

  const WIDE = 32; // from this width on, scores are close enough to normal

  function sum_of(x) {
    let sum = 0;
    for (let i = 0; i < x.length; i++) sum += x[i];
    return sum;
  }

  /** Mean and standard deviation, which is exactly 0 for a constant x. */
  function moments_of(x) {
    let [sum, squares] = [0, 0];
    for (const y of x) sum += y - x[0];
    const mean = sum / x.length;
    for (const y of x) squares += (y - x[0] - mean) ** 2;
    return { mean: x[0] + mean, std: Math.sqrt(squares / x.length) };
  }

  let kept = { key: "" }; // the products of the last draw

  function products_of(d_k, n, seed) {
    const key = [d_k, n, seed].join();
    if (kept.key !== key) {
      const rows = Array.from({ length: QUERIES + n }, (_, stream) => normal(d_k, { seed, stream }));
      const [a, b] = [rows.slice(0, QUERIES), rows.slice(QUERIES)];
      const upstream = normal(n, { seed, stream: 2000 });
      kept = { key, products: dot_products(a, b), sum_a: a.map(sum_of), sum_b: b.map(sum_of), b, upstream };
      kept.scores = Array.from(a, () => new Float64Array(n));
    }
    return kept;
  }

  function measure({ d_k, n, sigma_q, sigma_k, mu_q, mu_k, seed }, scale) {
    const { products, sum_a, sum_b, b, upstream, scores } = products_of(d_k, n, seed);
    scores.forEach((row, i) => {
      const of_query = mu_k * sigma_q * sum_a[i] + d_k * mu_q * mu_k;
      for (let j = 0; j < n; j++)
        row[j] = scale * (sigma_q * sigma_k * products[i][j] + mu_q * sigma_k * sum_b[j] + of_query);
    });
    const p = softmax([...scores[0]]);
    const at_largest = upstream[p.indexOf(p.reduce((x, y) => Math.max(x, y)))];
    const at_scores = softmax_jacobian_product(
      p,
      upstream.map((g) => g - at_largest),
    );
    const at_query = new Float64Array(d_k);
    b.forEach((key, j) => {
      for (let i = 0; i < d_k; i++) at_query[i] += at_scores[j] * key[i];
    });
    const size = Math.sqrt(at_query.reduce((sum, x) => sum + x * x, 0));
    const rounding = 1e-12 * Math.sqrt(d_k) * at_scores.reduce((sum, g) => sum + Math.abs(g), 0);
    return { scores, p, gradient: scale * sigma_k * (size < rounding ? 0 : size) };
  }

  function predict({ d_k, sigma_q, sigma_k, mu_q, mu_k }, scale) {
    const options = { q_mean: mu_q, q_var: sigma_q ** 2, k_mean: mu_k, k_var: sigma_k ** 2 };
    const [mean, variance] = dot_product_moments(d_k, options);
    const within = scale * sigma_k * Math.sqrt(d_k * (sigma_q ** 2 + mu_q ** 2));
    return { mean: scale * mean, std: scale * Math.sqrt(variance), within };
  }

  /** Pairs of texts, measured and predicted. "–" means that no prediction is made. */
  function read_outs(all, { scores, p, gradient }, { mean, std, within }, d_k) {
    const squares = scores.map((row) => moments_of(row).std ** 2);
    const is_flat = within <= Math.sqrt(2 * Math.log(p.length)) / 3; // not too sharp
    const in_use = p.length * Math.exp(-(within ** 2) / 2);
    return {
      mean: [three_digits(Math.abs(all.mean) > 1e-6 * all.std ? all.mean : 0), three_digits(mean)],
      std: [three_digits(all.std), three_digits(std)],
      within: [three_digits(Math.sqrt(sum_of(squares) / QUERIES)), three_digits(within)],
      weight: [three_digits(p.reduce((x, y) => Math.max(x, y))), "–"],
      in_use: [three_digits(Math.exp(entropy(p))), d_k >= WIDE && is_flat ? three_digits(in_use) : "–"],
      gradient: [three_digits(gradient), "–"],
    };
  }

  /** The largest weights, enough to show the keys in use. */
  function largest_weights(p) {
    const in_use = Math.exp(entropy(p));
    const shown = Math.min(p.length, Math.max(8, Math.floor(2 * in_use + 0.5)));
    return { in_use, shown, weights: sorted(p).slice(0, shown) };
  }

  const NAMES = {
    mean: book.mark("mean of the scores"),
    std: book.mark("standard deviation"),
    within: book.mark("within a row"),
    weight: book.mark("largest weight of the first query"),
    in_use: book.mark("keys in use for the first query"),
    gradient: book.mark("gradient with respect to the first query"),
  };

  /** A number, and its prediction if there is one. */
  function told([name, [measured, predicted]]) {
    const found = { name: book.say(NAMES[name]), measured, predicted };
    if (predicted === "–") return book.say("{name} {measured}", found);
    return book.say("{name} {measured}, predicted {predicted}", found);
  }

  return (values) => {
    const { d_k, n, alpha, factor } = values;
    const scale = factor * d_k ** -alpha;
    const measured = measure(values, scale);
    const { scores, p } = measured;
    const predicted = predict(values, scale);
    const flat = new Float64Array(QUERIES * n);
    scores.forEach((row, i) => flat.set(row, i * n));
    const all = moments_of(flat);
    const texts = read_outs(all, measured, predicted, d_k);

    const { mean, std } = predicted;
    const reach = nice_limit(flat.reduce((largest, x) => Math.max(largest, Math.abs(x - mean)), 0) || 1);
    const middle = (reach / 2) * Math.floor((2 * mean) / reach + 0.5);
    const [low, high] = [middle - 1.25 * reach, middle + 1.25 * reach];
    const bars_of = (x) => histogram(x, 100, low, high).map((count) => count / ((x.length * (high - low)) / 100));
    const [bars, outline] = [bars_of(flat), bars_of(scores[0])];
    const s = linspace(low, high, 201);
    const density = s.map((x) => Math.exp(-(((x - mean) / std) ** 2) / 2) / (std * Math.sqrt(2 * Math.PI)));
    const top = nice_limit([...bars, ...outline, ...density].reduce((x, y) => Math.max(x, y)));
    const edges = linspace(low, high, 101);

    const { in_use, shown, weights } = largest_weights(p);
    const highest = nice_limit(weights[0]);
    const line = [1, 1024].map((width) => std * (width / d_k) ** (0.5 - alpha));
    const powers = decades([...line, all.std]);
    const between = powers.map((e) => Number(`1e${e}`));
    const title = `dₖ = ${d_k}, n = ${n}, scale ${three_digits(scale)}`;
    const of_tick = (x) => [x, tick(x)];
    return {
      artists: {
        bars: { edges, values: bars },
        outline: { edges, values: outline },
        density: { x: s, y: density },
        weights: { edges: linspace(0, shown, shown + 1), values: weights },
        in_use: { x: [0, in_use, in_use], y: [1 / in_use, 1 / in_use, 0] },
        predicted: { x: [1, 1024], y: line },
        measured: { x: [d_k], y: [all.std] },
        settings: { text: title },
        title_use: { text: `${three_digits(in_use)} of ${n} in use` },
        title_slope: { text: `std, slope ${(0.5 - alpha).toFixed(2)}` },
        ...Object.fromEntries(
          Object.entries(texts).flatMap(([name, pair]) =>
            ["measured", "predicted"].map((kind, i) => [`${name}_${kind}`, { text: pair[i] }]),
          ),
        ),
      },
      axes: {
        scores: {
          xlim: [low, high],
          ylim: [0, top],
          xticks: [middle - reach, middle, middle + reach].map(of_tick),
          yticks: [
            [0, "0"],
            [top, top < 1e-3 ? three_digits(top) : tick(top)],
          ],
        },
        weights: {
          xlim: [0, shown],
          ylim: [0, highest],
          xticks: [0, shown].map((count) => [count, `${count}`]),
          yticks: [0, highest].map(of_tick),
        },
        widths: {
          xlim: [0.8, 1500],
          ylim: between,
          xticks: [1, 32, 1024].map(of_tick),
          yticks: powers.map((e, i) => [between[i], power_of_ten(e)]),
        },
      },
      words: book.say("{title}; {numbers}.", {
        title: book.of_picture(title),
        numbers: Object.entries(texts).map(told).join("; "),
      }),
    };
  };
})();
