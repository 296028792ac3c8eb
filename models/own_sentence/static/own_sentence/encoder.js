// A copy of a chapter's class, Encoder; tests/models/test_own_sentence.py compares it with torch's own functions. Its
// attention is that of attention_core.js, with the changes that a reader can make. Rows follow each other in a
// Float64Array; weights are float32.
"use strict";
book.sentence_encoder = (() => {
  const { attention_weights } = book.attention_core;
  const [LAYERS, HEADS] = [6, 12];

  /** x Wᵀ + b for L rows x, with the matrix and the bias that `room` (linear.js) has under this name. */
  function linear(x, L, name, room) {
    const y = Float64Array.from(room.multiply(x, L, `${name}.weight`));
    const bias = room.floats(`${name}.bias`);
    for (let i = 0; i < y.length; i++) y[i] += bias[i % bias.length];
    return y;
  }

  /** Each row minus its mean, divided by its standard deviation, times weight plus bias. */
  function layer_norm(x, name, room) {
    const [weight, bias] = [room.floats(`${name}.weight`), room.floats(`${name}.bias`)];
    const width = bias.length;
    for (let at = 0; at < x.length; at += width) {
      let [sum, squares] = [0, 0];
      for (let e = 0; e < width; e++) sum += x[at + e];
      const mean = sum / width;
      for (let e = 0; e < width; e++) squares += (x[at + e] - mean) ** 2;
      const scale = 1 / Math.sqrt(squares / width + 1e-12);
      for (let e = 0; e < width; e++) x[at + e] = (x[at + e] - mean) * scale * weight[e] + bias[e];
    }
    return x;
  }

  /** The error function, to 1.5e-7 (Abramowitz and Stegun 1964, 7.1.26), which is enough for float32. */
  function erf(x) {
    const t = 1 / (1 + 0.3275911 * Math.abs(x));
    const sum = t * (0.254829592 + t * (-0.284496736 + t * (1.421413741 + t * (-1.453152027 + t * 1.061405429))));
    return Math.sign(x) * (1 - sum * Math.exp(-x * x));
  }

  /** GELU, x times the share of a standard normal distribution below x. */
  function gelu(x) {
    for (let i = 0; i < x.length; i++) x[i] *= 0.5 * (1 + erf(x[i] * Math.SQRT1_2));
    return x;
  }

  function add(x, y) {
    for (let i = 0; i < x.length; i++) x[i] += y[i];
    return x;
  }

  /** One head's part of each of L rows, in which all heads are side by side. */
  function rows_of_head(x, head, L) {
    const width = x.length / L;
    const d_k = width / HEADS;
    const begin = (i) => i * width + head * d_k;
    return Array.from({ length: L }, (_, i) => x.subarray(begin(i), begin(i) + d_k));
  }

  /** q_i·k_j · scale, L × L. */
  function products(query, key, scale) {
    return query.map((q) => {
      const row = new Float64Array(key.length);
      for (let j = 0; j < key.length; j++) {
        const k = key[j];
        let sum = 0;
        for (let e = 0; e < k.length; e++) sum += q[e] * k[e];
        row[j] = scale * sum;
      }
      return row;
    });
  }

  /** One head's weights, its scaled scores before any mask (both L × L), and its values (L × d_k). */
  function look({ q, k, v, L, scale, mask, is_causal }, head) {
    const [query, key, value] = [q, k, v].map((part) => rows_of_head(part, head, L));
    const weights = attention_weights(query, key, mask, { is_causal, scale });
    return { weights, scores: products(query, key, scale), value };
  }

  /** The weighted values of all heads side by side, L × D; 0 for a head that is off. `visit` gets what look() returns. */
  function attend(state, off, visit) {
    const mixed = new Float64Array(state.v.length);
    const width = mixed.length / state.L;
    for (let head = 0; head < HEADS; head++) {
      const seen = look(state, head);
      visit(head, seen);
      if (off.includes(head)) continue;
      const d_k = width / HEADS;
      for (let i = 0; i < state.L; i++) {
        const [row, at] = [seen.weights[i], i * width + head * d_k];
        for (let j = 0; j < state.L; j++) {
          const [weight, numbers] = [row[j], seen.value[j]];
          for (let e = 0; e < d_k; e++) mixed[at + e] += weight * numbers[e];
        }
      }
    }
    return mixed;
  }

  /** The rows that enter the first layer: word, position and segment, normalised. */
  function embed(tokens, room) {
    const segment = room.floats("segment");
    const width = segment.length;
    const x = new Float64Array(tokens.length * width);
    tokens.forEach((token, i) => {
      const [word, position] = [room.rows("words", token), room.rows("positions", i)];
      for (let e = 0; e < width; e++) x[i * width + e] = word[e] + position[e] + segment[e];
    });
    return layer_norm(x, "norm", room);
  }

  /** The rows of the last layer, L × D, and for each layer the projections that `look` takes.
   *
   * `room` (linear.js) has the model, under the names of model_files.py.
   * `factors` multiply the scale 1/√d_k, one per layer; `off` holds pairs [layer, head] of heads that add nothing;
   * `hide_separators` hides the first and the last token from all queries; `is_causal` hides the keys after each query.
   * `visit(layer, head, seen)` gets what `look` returns.
   */
  function encode(tokens, room, options = {}) {
    const { factors = [], off = [], hide_separators = false, is_causal = false, visit = () => {} } = options;
    const L = tokens.length;
    const mask = hide_separators ? [tokens.map((_, j) => j > 0 && j < L - 1)] : null;
    let x = embed(tokens, room);
    const states = Array.from({ length: LAYERS }, (_, i) => {
      const apply = (rows, part) => linear(rows, L, `layers.${i}.${part}`, room);
      const scale = (factors[i] ?? 1) / Math.sqrt(x.length / L / HEADS);
      const [q, k, v] = ["query", "key", "value"].map((part) => apply(x, part));
      const state = { q, k, v, L, scale, mask, is_causal };
      const heads_off = off.filter(([where]) => where === i).map(([, head]) => head);
      const mixed = attend(state, heads_off, (head, seen) => visit(i, head, seen));
      x = layer_norm(add(apply(mixed, "out"), x), `layers.${i}.norms.0`, room);
      x = layer_norm(add(apply(gelu(apply(x, "widen")), "narrow"), x), `layers.${i}.norms.1`, room);
      return state;
    });
    return { rows: x, states };
  }

  /** The vector of a sentence: the mean of its rows, scaled to length 1. */
  function vector_of(rows, L) {
    const width = rows.length / L;
    const mean = new Float64Array(width);
    for (let i = 0; i < rows.length; i++) mean[i % width] += rows[i] / L;
    const length = Math.hypot(...mean);
    return mean.map((x) => x / length);
  }

  return { HEADS, encode, look, vector_of };
})();
