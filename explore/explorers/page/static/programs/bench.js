// Dot products of random queries and keys, as scores, weights and numbers next to their predictions.
// Products of vectors are kept, so that means, deviations, ρ, α and the factor can change without computing them again.
explorers.bench = (() => {
  "use strict";
  const { dot_product_moments, entropy, normal, softmax, softmax_jacobian_product, uniform } = attention_core;
  const { chance_to_win, decades, dot_products, histogram, linspace, nice_limit } = scenes;
  const { power_of_ten, sorted, three_digits, tick } = scenes;
  const QUERIES = 64;

  const DISTRIBUTIONS = {
    uniform: (u) => Math.sqrt(12) * (u - 0.5),
    "±1": (u) => Math.sign(u - 0.5),
    "Student t, ν = 4": (u) => t_4(u) / Math.sqrt(2),
    "Student t, ν = 2": (u) => (2 * u - 1) / Math.sqrt(2 * u * (1 - u)),
    "Student t, ν = 1": (u) => Math.tan(Math.PI * (u - 0.5)),
  };
  const NO_VARIANCE = ["Student t, ν = 2", "Student t, ν = 1"];
  const FOURTH_MOMENTS = { normal: 3, uniform: 1.8, "±1": 1 }; // the other distributions have no finite fourth moment
  const WIDE = 32; // from this width on, scores are close enough to normal

  /** The quantile function of Student's t with four degrees of freedom, which has variance 2. */
  function t_4(u) {
    const root = Math.sqrt(4 * u * (1 - u));
    return 2 * Math.sign(u - 0.5) * Math.sqrt(Math.cos(Math.acos(root) / 3) / root - 1);
  }

  function coordinates(distribution, d_k, rows, seed) {
    const draw =
      distribution === "normal" ? normal : (n, options) => uniform(n, options).map(DISTRIBUTIONS[distribution]);
    return Array.from({ length: rows }, (_, stream) => draw(d_k, { seed, stream }));
  }

  function sum_of(x) {
    let sum = 0;
    for (let i = 0; i < x.length; i++) sum += x[i];
    return sum;
  }

  const mean_of = (x) => sum_of(x) / x.length;

  /** Largest number, mean and standard deviation, which is exactly 0 for a constant x. */
  function moments_of(x) {
    let [high, sum, squares] = [-Infinity, 0, 0];
    for (const y of x) {
      high = Math.max(high, y);
      sum += y - x[0];
    }
    const mean = sum / x.length;
    for (const y of x) squares += (y - x[0] - mean) ** 2;
    return { high, mean: x[0] + mean, std: Math.sqrt(squares / x.length) };
  }

  let kept = { key: "" }; // the products of the last draw

  function products_of(distribution, d_k, n, seed) {
    const key = [distribution, d_k, n, seed].join();
    if (kept.key !== key) {
      const rows = coordinates(distribution, d_k, 2 * QUERIES - 1 + n, seed);
      const [a, noise, b] = [rows.slice(0, QUERIES), rows.slice(QUERIES, 2 * QUERIES), rows.slice(2 * QUERIES)];
      const pairs = (x, y) => x.map((row, i) => dot_products([row], [y[i]])[0][0]);
      kept = { key, ab: dot_products(a, b), aa: pairs(a, a), a_noise: pairs(a, noise), a, noise, b };
      kept.sums = [a, noise, b].map((vectors) => vectors.map(sum_of));
      const upstream = normal(n, { seed, stream: 2000 });
      Object.assign(kept, { upstream, others: Array.from(a, () => new Float64Array(n - 1)) });
    }
    return kept;
  }

  function measure({ d_k, n, sigma_q, sigma_k, mu_q, mu_k, rho, distribution, seed }, scale) {
    const { ab, aa, a_noise, a, noise, b, sums, upstream, others } = products_of(distribution, d_k, n, seed);
    const [sum_a, sum_noise, sum_b] = sums;
    const rest = Math.sqrt(1 - rho ** 2);
    const matching = new Float64Array(QUERIES);
    for (let i = 0; i < QUERIES; i++) {
      const of_query = mu_k * sigma_q * sum_a[i] + d_k * mu_q * mu_k;
      const score = (product, sum) => scale * (sigma_q * sigma_k * product + mu_q * sigma_k * sum + of_query);
      matching[i] = score(rho * aa[i] + rest * a_noise[i], rho * sum_a[i] + rest * sum_noise[i]);
      for (let j = 0; j < n - 1; j++) others[i][j] = score(ab[i][j], sum_b[j]);
    }
    const p = softmax([matching[0], ...others[0]]);
    const at_largest = upstream[p.indexOf(p.reduce((x, y) => Math.max(x, y)))];
    const at_scores = softmax_jacobian_product(
      p,
      upstream.map((g) => g - at_largest),
    );
    const at_query = a[0].map((x, i) => at_scores[0] * (rho * x + rest * noise[0][i]));
    b.forEach((key, j) => {
      const g = at_scores[j + 1];
      for (let i = 0; i < d_k; i++) at_query[i] += g * key[i];
    });
    const size = Math.sqrt(at_query.reduce((sum, x) => sum + x * x, 0));
    const rounding = 1e-12 * Math.sqrt(d_k) * at_scores.reduce((sum, g) => sum + Math.abs(g), 0);
    return { matching, others, p, gradient: scale * sigma_k * (size < rounding ? 0 : size) };
  }

  function predict({ d_k, n, sigma_q, sigma_k, mu_q, mu_k, rho, distribution }, scale) {
    const options = { q_mean: mu_q, q_var: sigma_q ** 2, k_mean: mu_k, k_var: sigma_k ** 2 };
    const [mean, variance] = dot_product_moments(d_k, options);
    const square = sigma_q ** 2 + mu_q ** 2;
    const within = scale * sigma_k * Math.sqrt(d_k * square);
    // The match leads by ρ q·a / ‖q‖ standard deviations of a row. This lead is normal to first order.
    const own = sigma_q ** 2 / square;
    const scatter = ((FOURTH_MOMENTS[distribution] ?? 3) - 1) * own * (1 - own / 2) ** 2 + (1 - own) ** 3;
    const chance = chance_to_win(rho * Math.sqrt(d_k * own), Math.sqrt(1 - rho ** 2 + rho ** 2 * scatter), n);
    return { mean: scale * mean, std: scale * Math.sqrt(variance), within, chance };
  }

  /** Pairs of texts, measured and predicted. "–" means that no prediction is made. */
  function read_outs(all, { matching, others, p, gradient }, predicted, { d_k, distribution, rho }) {
    const n = p.length;
    const rows = others.map(moments_of);
    const above = rows.map(({ high, mean, std }) => (std > 0 ? (high - mean) / std : 0));
    const wins = rows.filter(({ high }, i) => matching[i] > high).length / QUERIES;
    const has_variance = !NO_VARIANCE.includes(distribution);
    const expected = (text) => (has_variance ? text : "no variance");
    const mean = distribution === "Student t, ν = 1" ? "no mean" : three_digits(predicted.mean);
    const in_use = n * Math.exp(-(predicted.within ** 2) / 2);
    const is_flat = rho === 0 && predicted.within <= Math.sqrt(2 * Math.log(n)) / 3; // no match, and not too sharp
    const has_light_tails = distribution in FOURTH_MOMENTS;
    const is_near_normal = has_light_tails && d_k >= WIDE;
    return {
      mean: [three_digits(Math.abs(all.mean) > 1e-6 * all.std ? all.mean : 0), mean],
      std: [three_digits(all.std), expected(three_digits(predicted.std))],
      within: [
        three_digits(Math.sqrt(mean_of(rows.map(({ std }) => std ** 2)))),
        expected(three_digits(predicted.within)),
      ],
      largest: [
        three_digits(mean_of(above)),
        has_light_tails ? `≤ ${three_digits(Math.sqrt(2 * Math.log(n - 1)))}` : "–",
      ],
      wins: [`${(100 * wins).toFixed(0)} %`, is_near_normal ? `${(100 * predicted.chance).toFixed(0)} %` : "–"],
      weight: [three_digits(p.reduce((x, y) => Math.max(x, y))), "–"],
      in_use: [three_digits(Math.exp(entropy(p))), is_near_normal && is_flat ? three_digits(in_use) : "–"],
      gradient: [three_digits(gradient), "–"],
    };
  }

  /** The largest weights, enough to show the keys in use; and the matching key, at the right edge if it is not among
   * them. */
  function largest_weights(p) {
    const in_use = Math.exp(entropy(p));
    const shown = Math.min(p.length, Math.max(8, Math.floor(2 * in_use + 0.5)));
    const rank = p.filter((x) => x > p[0]).length;
    const match = { x: [Math.min(rank + 0.5, shown)], y: [p[0]] };
    return { in_use, shown, weights: sorted(p).slice(0, shown), match };
  }

  const NAMES = {
    mean: "mean of the scores",
    std: "standard deviation",
    within: "within a row",
    largest: "largest standardised score of a row",
    wins: "matching key wins",
    weight: "largest weight of the first query",
    in_use: "keys in use for the first query",
    gradient: "gradient with respect to the first query",
  };

  return (values) => {
    const { d_k, n, alpha, factor, distribution } = values;
    const scale = factor * d_k ** -alpha;
    const measured = measure(values, scale);
    const { others, p } = measured;
    const predicted = predict(values, scale);
    const has_variance = !NO_VARIANCE.includes(distribution);
    const flat = new Float64Array(QUERIES * (n - 1));
    others.forEach((row, i) => flat.set(row, i * (n - 1)));
    const all = moments_of(flat);
    const texts = read_outs(all, measured, predicted, values);

    const { mean, std } = predicted;
    const reach = nice_limit(flat.reduce((largest, x) => Math.max(largest, Math.abs(x - mean)), 0) || 1);
    const middle = (reach / 2) * Math.floor((2 * mean) / reach + 0.5);
    const [low, high] = [middle - 1.25 * reach, middle + 1.25 * reach];
    const bars_of = (x) => histogram(x, 100, low, high).map((count) => count / ((x.length * (high - low)) / 100));
    const [bars, outline] = [bars_of(flat), bars_of(others[0])];
    const s = has_variance ? linspace(low, high, 201) : [];
    const density = s.map((x) => Math.exp(-(((x - mean) / std) ** 2) / 2) / (std * Math.sqrt(2 * Math.PI)));
    const top = nice_limit([...bars, ...outline, ...density].reduce((x, y) => Math.max(x, y)));
    const edges = linspace(low, high, 101);

    const { in_use, shown, weights, match } = largest_weights(p);
    const highest = nice_limit(weights[0]);
    const line = has_variance ? [1, 1024].map((width) => std * (width / d_k) ** (0.5 - alpha)) : [];
    const powers = decades([...line, all.std]);
    const between = powers.map((e) => Number(`1e${e}`));
    const slope = has_variance ? `std, slope ${(0.5 - alpha).toFixed(2)}` : "no variance";
    const title = `dₖ = ${d_k}, n = ${n}, ρ = ${three_digits(values.rho)}, scale ${three_digits(scale)}`;
    const of_tick = (x) => [x, tick(x)];
    return {
      artists: {
        bars: { edges, values: bars },
        outline: { edges, values: outline },
        density: { x: s, y: density },
        weights: { edges: linspace(0, shown, shown + 1), values: weights },
        match,
        in_use: { x: [0, in_use, in_use], y: [1 / in_use, 1 / in_use, 0] },
        predicted: { x: has_variance ? [1, 1024] : [], y: line },
        measured: { x: [d_k], y: [all.std] },
        settings: { text: title },
        title_use: { text: `${three_digits(in_use)} of ${n} in use` },
        title_slope: { text: slope },
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
      words: `${title}; ${Object.entries(texts)
        .map(([name, [here, there]]) => `${NAMES[name]} ${here}${there === "–" ? "" : `, predicted ${there}`}`)
        .join("; ")}.`,
    };
  };
})();
