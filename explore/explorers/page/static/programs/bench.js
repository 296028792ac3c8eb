// A copy of a chapter's function, bench; tests/explore/explorers/test_programs.py compares them.
// Dot products of random queries and keys, as scores, weights and numbers next to their predictions.
// Products of vectors are kept, so that means, deviations, α and the factor can change without computing them again.
"use strict";
book.explorers.bench = (() => {
  const { dot_product_moments, normal, softmax, softmax_jacobian_product } = book.attention_core;
  const { decades, dot_products, histogram, linspace, moments_of, nice_limit } = book.scenes;
  const { power_of_ten, three_digits, tick, weights_in_use } = book.scenes;
  const QUERIES = 64;

  const WIDE = 32; // from this width on, scores are close enough to normal

  const sum_of = (x) => x.reduce((sum, y) => sum + y, 0);

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
  function read_outs(all, { scores, gradient }, { largest, in_use }, { mean, std, within }, { d_k, n }) {
    const squares = scores.map((row) => moments_of(row).std ** 2);
    const is_flat = within <= Math.sqrt(2 * Math.log(n)) / 3; // not too sharp
    const predicted = n * Math.exp(-(within ** 2) / 2);
    return {
      mean: [three_digits(Math.abs(all.mean) > 1e-6 * all.std ? all.mean : 0), three_digits(mean)],
      std: [three_digits(all.std), three_digits(std)],
      within: [three_digits(Math.sqrt(sum_of(squares) / QUERIES)), three_digits(within)],
      weight: [three_digits(largest), "–"],
      in_use: [three_digits(in_use), d_k >= WIDE && is_flat ? three_digits(predicted) : "–"],
      gradient: [three_digits(gradient), "–"],
    };
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
    const { scores } = measured;
    const weights = weights_in_use(measured.p);
    const predicted = predict(values, scale);
    const flat = new Float64Array(QUERIES * n);
    scores.forEach((row, i) => flat.set(row, i * n));
    const all = moments_of(flat);
    const texts = read_outs(all, measured, weights, predicted, values);

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
        ...weights.artists,
        predicted: { x: [1, 1024], y: line },
        measured: { x: [d_k], y: [all.std] },
        settings: { text: title },
        title_use: { text: `${three_digits(weights.in_use)} of ${n} in use` },
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
        weights: weights.axes,
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
