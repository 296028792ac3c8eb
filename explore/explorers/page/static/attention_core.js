// A copy of attention_core.py, of the functions that explorers call; tests/explore/explorers/test_page_core.py compares
// them. Random numbers are those of explore/explorers/random_numbers.py. Numbers are float64. A vector is an array of
// numbers (or a Float64Array), and a matrix is an array of rows. There are no batch axes. Bad input raises a TypeError
// if its kind is wrong, a RangeError if its size or value is.
"use strict";
book.attention_core = (() => {
  // Softmax and the variance of its input

  /** Positive numbers that sum to one, from scores: exp(x_i) / Σ_j exp(x_j). If all are -Infinity, 0/0 gives NaN. */
  function softmax(x) {
    check_vector("x", x);
    return normalised_exp(x, largest_of(x));
  }

  /** The largest number. Math.max(...x) fails for long arrays. */
  function largest_of(x) {
    let largest = -Infinity;
    for (let i = 0; i < x.length; i++) if (x[i] > largest) largest = x[i];
    return largest;
  }

  /** exp(x - shift), divided by its sum. */
  function normalised_exp(x, shift) {
    const exps = new Float64Array(x.length); // index loops, because an explorer does this a hundred times per picture
    for (let i = 0; i < x.length; i++) exps[i] = Math.exp(x[i] - shift);
    const sum = sum_of(exps);
    for (let i = 0; i < x.length; i++) exps[i] /= sum;
    return exps;
  }

  /** Softmax over the allowed scores; 0 if none is allowed. */
  function masked_softmax(scores, may_attend) {
    if (!may_attend) return softmax(scores);
    if (!may_attend.some(Boolean)) return new Float64Array(scores.length);
    return softmax(Float64Array.from(scores, (score, j) => (may_attend[j] ? score : -Infinity)));
  }

  /** The gradient with respect to the input of a softmax: p ⊙ (g - ⟨g, p⟩). The program bench calls it. */
  function softmax_jacobian_product(p, g) {
    check_vector("p", p);
    check_vector("g", g, p.length, "p");
    const mean = dot(g, p);
    return Float64Array.from(p, (p_i, i) => p_i * (g[i] - mean));
  }

  /** Entropy in nats, -Σ_i p_i ln p_i with 0 ln 0 = 0. A negative entry gives NaN. */
  function entropy(p) {
    check_vector("p", p);
    let sum = 0;
    for (const p_i of p) if (p_i !== 0) sum += p_i * Math.log(p_i);
    return 0 - sum; // for a sum of 0 this gives 0, not -0
  }

  // Why √d_k

  /** [mean, variance] of q·k over d_k coordinates, all 2 d_k of them independent; no distribution is assumed. */
  function dot_product_moments(d_k, { q_mean = 0, q_var = 1, k_mean = 0, k_var = 1 } = {}) {
    check_integer("d_k", d_k, 1);
    for (const [name, x] of Object.entries({ q_mean, k_mean })) check_number(name, x);
    for (const [name, x] of Object.entries({ q_var, k_var })) check_number(name, x, 0);
    const mean = d_k * q_mean * k_mean;
    const variance = d_k * (q_var * k_var + q_mean * q_mean * k_var + k_mean * k_mean * q_var);
    if (!Number.isFinite(mean) || !Number.isFinite(variance))
      throw new RangeError(`mean and variance must be below the largest float, got ${mean} and ${variance}`);
    return [mean, variance];
  }

  // Scaled dot-product attention

  /** softmax(Q Kᵀ · scale + M), L × S, row by row; a row whose keys are all masked is 0.
   *
   * attn_mask has 1 or L rows of 1 or S entries: true = may attend, or a number that is added to the score. is_causal
   * adds causal_mask(L, S). scale defaults to 1/√E.
   */
  function attention_weights(query, key, attn_mask = null, { is_causal = false, scale = null } = {}) {
    const [L, S, E] = check_attention(query, key, attn_mask, is_causal);
    if (scale !== null) check_number("scale", scale);
    const factor = scale ?? 1 / Math.sqrt(E);
    return query.map((q, i) => {
      const scaled = Float64Array.from(q, (x) => x * factor);
      const scores = Float64Array.from(key, (k) => dot(scaled, k));
      return weights_of(scores, attn_mask && row_of(attn_mask, i, S), is_causal ? i + S - L : Infinity);
    });
  }

  /** One row of weights: masked by its row of attn_mask, and without the keys after the last visible one. */
  function weights_of(scores, mask, last) {
    if (!mask && last >= scores.length - 1) return softmax(scores);
    const is_boolean = mask && typeof mask[0] === "boolean";
    const allows = (entry) => (is_boolean ? entry : entry !== -Infinity);
    const may_attend = Array.from(scores, (_, j) => j <= last && (!mask || allows(mask[j])));
    const biased = mask && !is_boolean ? scores.map((score, j) => score + mask[j]) : scores;
    return masked_softmax(biased, may_attend);
  }

  /** The averages of the values under the attention weights, L × Ev. */
  function scaled_dot_product_attention(query, key, value, attn_mask = null, options = {}) {
    check_matrix("value", value);
    const weights = attention_weights(query, key, attn_mask, options);
    if (value.length !== key.length)
      throw new RangeError(`key and value must have the same number of rows, got ${key.length} and ${value.length}`);
    return product(weights, value);
  }

  // Masks

  /** Each query sees its own position and those before it, aligned to the end: j ≤ i + (S - L). L × S. */
  function causal_mask(L, S = L) {
    return grid(L, S, (i, j) => j <= i + (S - L));
  }

  /** No query sees the padding after a sequence: one row, j < length. */
  function padding_mask(length, S) {
    check_integer("S", S, 0);
    check_integer("length", length, 0, S);
    return [Array.from({ length: S }, (_, j) => j < length)];
  }

  /** Each query sees `window` positions on each side, aligned to the end: |i + (S - L) - j| ≤ window. L × S. */
  function sliding_window_mask(L, window, S = L) {
    check_integer("window", window, 1);
    return grid(L, S, (i, j) => Math.abs(i + (S - L) - j) <= window);
  }

  function grid(L, S, may_attend) {
    check_integer("L", L, 0);
    check_integer("S", S, 0);
    return Array.from({ length: L }, (_, i) => Array.from({ length: S }, (_, j) => may_attend(i, j)));
  }

  // Random numbers

  /** Philox4x32-10 (Salmon et al. 2011): writes four integers below 2³² to `words`, starting at index `at`. The
   * counter a, b, c, d and the key k0, k1 determine them. No array is made: a million numbers take 30 ms, not 150.
   */
  function write_philox(words, at, a, b, c, d, k0, k1) {
    for (let round = 0; round < 10; round++) {
      const low_a = Math.imul(0xd2511f53, a);
      const low_c = Math.imul(0xcd9e8d57, c);
      const high_a = upper_half(0xd2511f53, a);
      a = upper_half(0xcd9e8d57, c) ^ b ^ k0;
      c = high_a ^ d ^ k1;
      b = low_c;
      d = low_a;
      k0 = (k0 + 0x9e3779b9) | 0;
      k1 = (k1 + 0xbb67ae85) | 0;
    }
    words[at] = a;
    words[at + 1] = b;
    words[at + 2] = c;
    words[at + 3] = d;
  }

  /** The upper 32 bits of a product of two integers below 2³²; the lower 32 are Math.imul(x, y). */
  function upper_half(x, y) {
    const middle = (Math.imul(x >>> 16, y & 0xffff) >>> 0) + (Math.imul(x & 0xffff, y & 0xffff) >>> 16); // below 2³²
    const other = (Math.imul(x & 0xffff, y >>> 16) >>> 0) + (middle & 0xffff);
    return Math.imul(x >>> 16, y >>> 16) + (middle >>> 16) + (other >>> 16);
  }

  /** n numbers between 0 and 1, ends excluded, as from explore.uniform in Python; each stream is a separate draw. */
  function uniform(n, { seed = 0, stream = 0 } = {}) {
    check_integer("n", n, 0);
    check_integer("seed", seed, 0, 2 ** 32 - 1);
    check_integer("stream", stream, 0, 2 ** 32 - 1);
    const words = new Uint32Array(4 * Math.ceil(n / 4));
    for (let i = 0; i < n; i += 4) write_philox(words, i, i / 4, 0, stream, 0, seed, 0);
    const numbers = new Float64Array(n);
    for (let i = 0; i < n; i++) numbers[i] = (words[i] + 0.5) / 2 ** 32;
    return numbers;
  }

  /** n numbers of mean 0 and variance 1, two from each pair of uniform ones (Box and Muller 1958). */
  function normal(n, { seed = 0, stream = 0 } = {}) {
    check_integer("n", n, 0);
    const numbers = uniform(n + (n % 2), { seed, stream });
    for (let i = 0; i < n; i += 2) {
      const length = Math.sqrt(-2 * Math.log(numbers[i]));
      const angle = 2 * Math.PI * numbers[i + 1];
      numbers[i] = length * Math.cos(angle);
      numbers[i + 1] = length * Math.sin(angle);
    }
    return numbers.subarray(0, n);
  }

  // Sums and checks

  function sum_of(x) {
    let sum = 0;
    for (let i = 0; i < x.length; i++) sum += x[i];
    return sum;
  }

  function dot(a, b) {
    let sum = 0;
    for (let i = 0; i < a.length; i++) sum += a[i] * b[i];
    return sum;
  }

  /** The product of two matrices. */
  function product(a, b) {
    const width = b[0]?.length ?? 0;
    return a.map((row) => {
      const sums = new Float64Array(width);
      row.forEach((x, k) => b[k].forEach((y, j) => (sums[j] += x * y)));
      return sums;
    });
  }

  /** Row i of a mask, always with S entries. The mask has 1 or L rows, each with 1 or S entries. */
  function row_of(mask, i, S) {
    const row = mask[mask.length === 1 ? 0 : i];
    return row.length === S ? row : Array.from({ length: S }, () => row[0]);
  }

  function kind_of(x) {
    if (typeof x === "number" || x === null) return `${x}`;
    return Array.isArray(x) ? "an array" : typeof x;
  }

  function check_integer(name, x, minimum, maximum = Number.MAX_SAFE_INTEGER) {
    if (!Number.isInteger(x)) throw new TypeError(`${name} must be an integer, got ${kind_of(x)}`);
    const bounds = maximum < Number.MAX_SAFE_INTEGER ? `from ${minimum} to ${maximum}` : `at least ${minimum}`;
    if (x < minimum || x > maximum) throw new RangeError(`${name} must be ${bounds}, got ${x}`);
  }

  function check_number(name, x, minimum = -Infinity) {
    if (typeof x !== "number") throw new TypeError(`${name} must be a number, got ${kind_of(x)}`);
    if (!Number.isFinite(x) || x < minimum)
      throw new RangeError(`${name} must be finite${minimum > -Infinity ? ` and at least ${minimum}` : ""}, got ${x}`);
  }

  function check_vector(name, x, length = null, other = "") {
    if (!Array.isArray(x) && !(x instanceof Float64Array))
      throw new TypeError(`${name} must be an array of numbers, got ${kind_of(x)}`);
    if (length !== null && x.length !== length)
      throw new RangeError(`${name} must be as long as ${other}, ${length}, got ${x.length}`);
    if (x instanceof Float64Array) return;
    for (const entry of x)
      if (typeof entry !== "number") throw new TypeError(`${name} must hold numbers, got ${kind_of(entry)}`);
  }

  function check_matrix(name, x) {
    if (!Array.isArray(x)) throw new TypeError(`${name} must be an array of rows, got ${kind_of(x)}`);
    for (const row of x) check_vector(`each row of ${name}`, row, x[0].length, "the first");
  }

  /** The sizes [L, S, E] of the arguments, which must fit together. */
  function check_attention(query, key, attn_mask, is_causal) {
    check_matrix("query", query);
    check_matrix("key", key);
    const [L, S, E] = [query.length, key.length, query[0]?.length ?? key[0]?.length ?? 0];
    if ((S && key[0].length !== E) || ((L || S) && E === 0))
      throw new RangeError(`query and key must have the same width of at least 1, got ${E} and ${key[0]?.length}`);
    if (typeof is_causal !== "boolean")
      throw new TypeError(`is_causal must be true or false, got ${kind_of(is_causal)}`);
    if (attn_mask !== null) check_mask(attn_mask, L, S);
    return [L, S, E];
  }

  function check_mask(mask, L, S) {
    if (!Array.isArray(mask)) throw new TypeError(`attn_mask must be an array of rows, got ${kind_of(mask)}`);
    const fits = (size, wanted) => size === wanted || size === 1;
    if (!fits(mask.length, L) || !mask.every((row) => fits(row.length, S) && row.length === mask[0].length))
      throw new RangeError(
        `attn_mask must have 1 or ${L} rows of 1 or ${S} entries, got ${mask.length} of ${mask[0]?.length}`,
      );
    const kinds = new Set(mask.flatMap((row) => Array.from(row, (entry) => typeof entry)));
    if (kinds.size > 1 || (kinds.size && !kinds.has("boolean") && !kinds.has("number")))
      throw new TypeError(`attn_mask must hold true and false only, or numbers only, got ${[...kinds].join(" and ")}`);
  }

  return {
    attention_weights,
    causal_mask,
    dot_product_moments,
    entropy,
    normal,
    padding_mask,
    scaled_dot_product_attention,
    sliding_window_mask,
    softmax,
    softmax_jacobian_product,
    uniform,
  };
})();
