// A copy of explore/figures/numbers.py; tests/explore/explorers/test_programs.py compares them. Programs share these
// functions. A program needs no page: it takes values and returns a scene (live.js).
"use strict";
book.explorers = {};
book.scenes = (() => {
  /** The smallest number not below x > 0 that is 1, 2 or 5 times a power of ten: a limit that seldom moves. */
  function nice_limit(x) {
    if (!(x > 0 && x < Infinity)) throw new RangeError(`x must be above 0 and finite, got ${x}`);
    const power = Math.floor(Math.log10(x));
    const limits = [power - 1, power, power + 1].flatMap((e) => [1, 2, 5].map((step) => Number(`${step}e${e}`)));
    return limits.find((limit) => limit >= x);
  }

  /** The products of each vector in a with each vector in b. Taking four of a at once halves the time. */
  function dot_products(a, b) {
    const rows = a.map(() => new Float64Array(b.length));
    for (let r = 0; r < a.length; r += 4) {
      const [x0, x1, x2, x3] = [r, r + 1, r + 2, r + 3].map((i) => a[Math.min(i, a.length - 1)]);
      b.forEach((y, j) => {
        let [sum_0, sum_1, sum_2, sum_3] = [0, 0, 0, 0];
        for (let i = 0; i < y.length; i++) {
          sum_0 += x0[i] * y[i];
          sum_1 += x1[i] * y[i];
          sum_2 += x2[i] * y[i];
          sum_3 += x3[i] * y[i];
        }
        [sum_0, sum_1, sum_2, sum_3].slice(0, a.length - r).forEach((sum, k) => (rows[r + k][j] = sum));
      });
    }
    return rows;
  }

  /** How many numbers of x are in each of the bins between low and high, both ends included. */
  function histogram(x, bins, low, high) {
    const counts = new Float64Array(bins);
    for (const value of x)
      if (value >= low && value <= high)
        counts[Math.min(Math.floor(((value - low) / (high - low)) * bins), bins - 1)] += 1;
    return counts;
  }

  /** 1.23e-5, 0.123, 1.23, 12.3, 123, 1234, 1.23e+6; and 0.00 for a size of at most 1e-99. Norms below 1e-162 are 0
   * here, because squares are added. In torch they are not 0 if the vector has one number. With this limit, both programs
   * show 0.00.
   */
  function three_digits(x) {
    const size = Math.abs(x);
    if (size <= 1e-99) return "0.00";
    if (size >= 1e-3 && size < 99.95) return x.toPrecision(3);
    return size >= 99.95 && size < 1e5 ? x.toFixed(0) : x.toExponential(2);
  }

  /** A number for an axis: all its digits, up to twelve after the point, with a true minus. */
  const tick = (x) =>
    x
      .toFixed(12)
      .replace(/\.?0+$/, "")
      .replace("-", "−");

  /** Exponents of two powers of ten, one below and one above all numbers x > 0, by a factor of two or more. */
  function decades(x) {
    let [low, high] = [300, -300];
    while (Number(`1e${low}`) > Math.min(...x) / 2) low -= 1;
    while (Number(`1e${high}`) < 2 * Math.max(...x)) high += 1;
    return [low, high];
  }

  /** 10⁻³, as plain text. */
  const power_of_ten = (exponent) =>
    `10${`${exponent}`.replace(/[-\d]/g, (sign) => "⁻⁰¹²³⁴⁵⁶⁷⁸⁹"["-0123456789".indexOf(sign)])}`;

  /** Mean and standard deviation, which is exactly 0 for a constant x. */
  function moments_of(x) {
    let [sum, squares] = [0, 0];
    for (const y of x) sum += y - x[0];
    const mean = sum / x.length;
    for (const y of x) squares += (y - x[0] - mean) ** 2;
    return { mean: x[0] + mean, std: Math.sqrt(squares / x.length) };
  }

  /** The largest weights, enough to show the keys in use: their number, the largest, the artists and the axes. */
  function weights_in_use(p) {
    const in_use = Math.exp(book.attention_core.entropy(p));
    const shown = Math.min(p.length, Math.max(8, Math.floor(2 * in_use + 0.5)));
    const weights = sorted(p).slice(0, shown);
    const highest = nice_limit(weights[0]);
    return {
      in_use,
      largest: weights[0],
      artists: {
        weights: { edges: linspace(0, shown, shown + 1), values: weights },
        in_use: { x: [0, in_use, in_use], y: [1 / in_use, 1 / in_use, 0] },
      },
      axes: {
        xlim: [0, shown],
        ylim: [0, highest],
        xticks: [0, shown].map((count) => [count, `${count}`]),
        yticks: [0, highest].map((y) => [y, tick(y)]),
      },
    };
  }

  /** Axes of a histogram from -limit to limit, up to top, with labels at the ends and in the middle. */
  const histogram_axes = (limit, top) => ({
    xlim: [-limit, limit],
    ylim: [0, top],
    xticks: [-limit, 0, limit].map((x) => [x, `${x}`.replace("-", "−")]),
    yticks: [0, top].map((y) => [y, `${y}`]),
  });

  const linspace = (low, high, count) =>
    Float64Array.from({ length: count }, (_, i) => low + ((high - low) * i) / (count - 1));
  const log_range = (low, high, count) => linspace(Math.log(low), Math.log(high), count).map(Math.exp);
  const sorted = (x) => Float64Array.from(x).sort().reverse();
  const largest_size = (x) => x.reduce((largest, value) => Math.max(largest, Math.abs(value)), 0);

  return {
    decades,
    dot_products,
    histogram,
    histogram_axes,
    largest_size,
    linspace,
    log_range,
    moments_of,
    nice_limit,
    power_of_ten,
    sorted,
    three_digits,
    tick,
    weights_in_use,
  };
})();
