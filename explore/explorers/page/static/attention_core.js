// A copy of attention_core.py, of the functions that explorers call; tests/explore/explorers/test_page_core.py compares
// them. Random numbers are those of explore/explorers/random_numbers.py. Numbers are float64. A vector is an array of
// numbers (or a Float64Array), and a matrix is an array of rows. There are no batch axes. Arguments are not checked: they
// come from controls, which check what a reader types.
"use strict";
book.attention_core = (() => {
  // Softmax and the variance of its input

  /** Positive numbers that sum to one, from scores: exp(x_i) / Σ_j exp(x_j). If all are -Infinity, 0/0 gives NaN. */
  function softmax(x) {
    let largest = -Infinity; // Math.max(...x) fails for long arrays
    for (let i = 0; i < x.length; i++) if (x[i] > largest) largest = x[i];
    const exps = new Float64Array(x.length); // index loops, because an explorer does this a hundred times per picture
    for (let i = 0; i < x.length; i++) exps[i] = Math.exp(x[i] - largest);
    const sum = exps.reduce((all, y) => all + y, 0);
    for (let i = 0; i < x.length; i++) exps[i] /= sum;
    return exps;
  }

  /** The gradient with respect to the input of a softmax: p ⊙ (g - ⟨g, p⟩). The program bench calls it. */
  function softmax_jacobian_product(p, g) {
    const mean = dot(g, p);
    return Float64Array.from(p, (p_i, i) => p_i * (g[i] - mean));
  }

  /** Entropy in nats, -Σ_i p_i ln p_i with 0 ln 0 = 0. A negative entry gives NaN. */
  function entropy(p) {
    let sum = 0;
    for (const p_i of p) if (p_i !== 0) sum += p_i * Math.log(p_i);
    return 0 - sum; // for a sum of 0 this gives 0, not -0
  }

  // Why √d_k

  /** [mean, variance] of q·k over d_k coordinates, all 2 d_k of them independent; no distribution is assumed. */
  function dot_product_moments(d_k, { q_mean = 0, q_var = 1, k_mean = 0, k_var = 1 } = {}) {
    const mean = d_k * q_mean * k_mean;
    return [mean, d_k * (q_var * k_var + q_mean * q_mean * k_var + k_mean * k_mean * q_var)];
  }

  // Scaled dot-product attention

  /** softmax(Q Kᵀ · scale + M), L × S, row by row; a row whose keys are all masked is 0.
   *
   * attn_mask has 1 or L rows of S entries, true = may attend. is_causal adds causal_mask(L, S). scale defaults to 1/√E.
   */
  function attention_weights(query, key, attn_mask = null, { is_causal = false, scale = null } = {}) {
    const [L, S] = [query.length, key.length];
    const factor = scale ?? 1 / Math.sqrt(key[0]?.length);
    return query.map((q, i) => {
      const scaled = Float64Array.from(q, (x) => x * factor);
      const scores = Float64Array.from(key, (k) => dot(scaled, k));
      const mask = attn_mask && attn_mask[attn_mask.length === 1 ? 0 : i];
      return weights_of(scores, mask, is_causal ? i + S - L : Infinity);
    });
  }

  /** One row of weights: masked by its row of attn_mask, and without the keys after the last visible one. */
  function weights_of(scores, mask, last) {
    if (!mask && last >= scores.length - 1) return softmax(scores);
    const may_attend = Array.from(scores, (_, j) => j <= last && (!mask || mask[j]));
    if (!may_attend.some(Boolean)) return new Float64Array(scores.length);
    return softmax(scores.map((score, j) => (may_attend[j] ? score : -Infinity)));
  }

  /** The averages of the values under the attention weights, L × Ev. */
  function scaled_dot_product_attention(query, key, value, attn_mask = null, options = {}) {
    return product(attention_weights(query, key, attn_mask, options), value);
  }

  // Masks

  /** Each query sees its own position and those before it, aligned to the end: j ≤ i + (S - L). L × S. */
  function causal_mask(L, S = L) {
    return grid(L, S, (i, j) => j <= i + (S - L));
  }

  /** No query sees the padding after a sequence: one row, j < length. */
  function padding_mask(length, S) {
    return [Array.from({ length: S }, (_, j) => j < length)];
  }

  /** Each query sees `window` positions on each side, aligned to the end: |i + (S - L) - j| ≤ window. L × S. */
  function sliding_window_mask(L, window, S = L) {
    return grid(L, S, (i, j) => Math.abs(i + (S - L) - j) <= window);
  }

  function grid(L, S, may_attend) {
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
    const words = new Uint32Array(4 * Math.ceil(n / 4));
    for (let i = 0; i < n; i += 4) write_philox(words, i, i / 4, 0, stream, 0, seed, 0);
    const numbers = new Float64Array(n);
    for (let i = 0; i < n; i++) numbers[i] = (words[i] + 0.5) / 2 ** 32;
    return numbers;
  }

  /** n numbers of mean 0 and variance 1, two from each pair of uniform ones (Box and Muller 1958). */
  function normal(n, { seed = 0, stream = 0 } = {}) {
    const numbers = uniform(n + (n % 2), { seed, stream });
    for (let i = 0; i < n; i += 2) {
      const length = Math.sqrt(-2 * Math.log(numbers[i]));
      const angle = 2 * Math.PI * numbers[i + 1];
      numbers[i] = length * Math.cos(angle);
      numbers[i + 1] = length * Math.sin(angle);
    }
    return numbers.subarray(0, n);
  }

  // Sums

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
