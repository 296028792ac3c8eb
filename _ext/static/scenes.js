// What the programs of explorers share. A program has no page: it takes values and returns a scene (live.js).
globalThis.explorers = {};
globalThis.scenes = (() => {
  "use strict";

  /** The smallest of 1, 2 and 5 times a power of ten that is not below x > 0: a limit that seldom moves. */
  function nice_limit(x) {
    if (!(x > 0 && x < Infinity)) throw new RangeError(`x must be above 0 and finite, got ${x}`);
    const power = Math.floor(Math.log10(x));
    const limits = [power - 1, power, power + 1].flatMap((e) => [1, 2, 5].map((step) => Number(`${step}e${e}`)));
    return limits.find((limit) => limit >= x);
  }

  /** How many of x fall into each of the bins between low and high, both ends included. */
  function histogram(x, bins, low, high) {
    const counts = new Float64Array(bins);
    for (const value of x)
      if (value >= low && value <= high) counts[Math.min(Math.floor(((value - low) / (high - low)) * bins), bins - 1)] += 1;
    return counts;
  }

  /** 0.0000123, 0.123, 1.23, 12.3, 123, 1234. */
  const three_digits = (x) => (Math.abs(x) >= 99.95 ? x.toFixed(0) : x.toPrecision(3));

  const linspace = (low, high, count) => Float64Array.from({ length: count }, (_, i) => low + ((high - low) * i) / (count - 1));
  const log_range = (low, high, count) => linspace(Math.log(low), Math.log(high), count).map(Math.exp);
  const sorted = (x) => Float64Array.from(x).sort().reverse();
  const largest_size = (x) => x.reduce((largest, value) => Math.max(largest, Math.abs(value)), 0);

  return { histogram, largest_size, linspace, log_range, nice_limit, sorted, three_digits };
})();
