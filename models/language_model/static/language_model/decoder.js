// A copy of models/language_model/decoder.py and changes.py; tests/models/test_language_model_page.py compares it with
// torch, in float64. Rows follow each other in a Float64Array; the cache is in float32, as in the notebook.
"use strict";
book.language_decoder = (() => {
  const LAYERS = 30;
  const [HEADS, SHARED, WIDTH] = [9, 3, 64]; // heads, their key-value heads, and the width of each
  const GROUP = HEADS / SHARED; // heads that share keys and values
  const D = HEADS * WIDTH;
  const STORED = SHARED * WIDTH;
  const WIDENED = 1536; // numbers of a row between the two layers of its network
  const [BASE, EPS] = [100_000, 1e-5];
  const SPEEDS = Float64Array.from({ length: WIDTH / 2 }, (_, e) => BASE ** ((-2 * e) / WIDTH));
  const UNTOUCHED = {
    factor: 1,
    off: [],
    hide_first: false,
    window: 0,
    keep_first: false,
    positions: true,
    causal: true,
  };

  /** Each row of x divided by its root mean square, times `weight`, written to y. */
  function rms_norm(x, weight, y) {
    const width = weight.length;
    for (let at = 0; at < x.length; at += width) {
      let squares = 0;
      for (let e = 0; e < width; e++) squares += x[at + e] ** 2;
      const scale = 1 / Math.sqrt(squares / width + EPS);
      for (let e = 0; e < width; e++) y[at + e] = x[at + e] * scale * weight[e];
    }
    return y;
  }

  /** Rotate the pairs of all heads in rows of `width` numbers; row i has position start + i. */
  function rotate(x, width, start) {
    for (let at = 0, position = start; at < x.length; at += width, position++)
      for (let e = 0; e < WIDTH / 2; e++) {
        const angle = position * SPEEDS[e];
        const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
        for (let k = at + 2 * e; k < at + width; k += WIDTH) {
          const [first, second] = [x[k], x[k + 1]];
          x[k] = first * cos - second * sin;
          x[k + 1] = first * sin + second * cos;
        }
      }
  }

  /** An empty cache: keys (already rotated) and values of all tokens so far, for each layer. */
  function new_cache(room_for) {
    const layer = () => ({ key: new Float32Array(room_for * STORED), value: new Float32Array(room_for * STORED) });
    return { length: 0, room_for, layers: Array.from({ length: LAYERS }, layer) };
  }

  const bytes_of = (cache) => LAYERS * 2 * cache.length * STORED * 4;

  /** A cache with the same contents and room for `room_for` tokens. */
  function larger(cache, room_for) {
    const made = new_cache(room_for);
    cache.layers.forEach(({ key, value }, i) => {
      made.layers[i].key.set(key);
      made.layers[i].value.set(value);
    });
    made.length = cache.length;
    return made;
  }

  /** Whether the query at position i may see the key at position j. */
  function sees(i, j, { causal, window, keep_first, hide_first }) {
    if (causal && j > i) return false;
    if (hide_first && j === 0 && i > 0) return false;
    return !window || Math.abs(i - j) < window || (keep_first && j === 0);
  }

  /** One head's weights of one query, S numbers. A key that is not seen gets 0. */
  function weights_of(q, at, key, head, i, S, options) {
    const row = new Float64Array(S);
    const scale = options.factor / Math.sqrt(WIDTH);
    const first = Math.floor(head / GROUP) * WIDTH;
    let largest = -Infinity;
    for (let j = 0; j < S; j++) {
      if (!sees(i, j, options)) {
        row[j] = -Infinity;
        continue;
      }
      let sum = 0;
      for (let e = 0, k = j * STORED + first; e < WIDTH; e++) sum += q[at + e] * key[k + e];
      row[j] = sum * scale;
      if (row[j] > largest) largest = row[j];
    }
    let total = 0;
    for (let j = 0; j < S; j++) total += row[j] = Math.exp(row[j] - largest);
    for (let j = 0; j < S; j++) row[j] /= total;
    return row;
  }

  /** The mixed values of all heads, L × D. `look(head, i, row)` gets each query's weights. */
  function attend(mixed, q, L, start, { key, value }, off, options, look) {
    mixed.fill(0);
    const S = start + L;
    for (let head = 0; head < HEADS; head++) {
      const first = Math.floor(head / GROUP) * WIDTH;
      const is_off = off.includes(head);
      for (let i = 0; i < L; i++) {
        const at = i * D + head * WIDTH;
        const row = weights_of(q, at, key, head, start + i, S, options);
        look(head, start + i, row);
        if (is_off) continue;
        for (let j = 0; j < S; j++) {
          const weight = row[j];
          if (weight) for (let e = 0, k = j * STORED + first; e < WIDTH; e++) mixed[at + e] += weight * value[k + e];
        }
      }
    }
    return mixed;
  }

  function add(x, y) {
    for (let i = 0; i < x.length; i++) x[i] += y[i];
  }

  /** SiLU of the gate times the widened row, x σ(x) · y, in place of the gate. */
  function gate_by(gate, up) {
    for (let i = 0; i < gate.length; i++) gate[i] = (gate[i] / (1 + Math.exp(-gate[i]))) * up[i];
    return gate;
  }

  /** Runs all layers on the tokens after those in the cache, and returns their rows; caches their keys and values.
   *
   * `options` are those of UNTOUCHED: a factor on the scale, heads [layer, head] that add nothing, the first token hidden
   * from all others, a window with or without the first token, rotated pairs or none, causal or not.
   * `visit(layer, head, i, row)` gets each query's weights, and `keep(layer, q)` gets the layer's queries, in
   * an array that the next layer overwrites.
   */
  function forward(tokens, room, cache, options, visit = () => {}, keep = () => {}) {
    const [L, start] = [tokens.length, cache.length];
    const x = new Float64Array(L * D);
    // One set of arrays serves all layers: new ones for each layer made 130 MB of garbage with 64 tokens.
    const [normed, mixed] = [new Float64Array(L * D), new Float64Array(L * D)];
    const [q, gate] = [new Float32Array(L * D), new Float32Array(L * WIDENED)];
    tokens.forEach((token, i) => x.set(room.rows("token_embd.weight", token), i * D));
    for (let layer = 0; layer < LAYERS; layer++) {
      const apply = (rows, name) => room.multiply(rows, L, `blk.${layer}.${name}.weight`);
      const norm = (name) => rms_norm(x, room.floats(`blk.${layer}.${name}.weight`), normed);
      const { key, value } = cache.layers[layer];
      norm("attn_norm");
      q.set(apply(normed, "attn_q"));
      const k = apply(normed, "attn_k");
      if (options.positions) {
        rotate(q, D, start);
        rotate(k, STORED, start);
      }
      keep(layer, q);
      key.set(k, start * STORED);
      value.set(apply(normed, "attn_v"), start * STORED);
      const off = options.off.filter(([where]) => where === layer).map(([, head]) => head);
      const look = (head, i, row) => visit(layer, head, i, row);
      attend(mixed, q, L, start, cache.layers[layer], off, options, look);
      add(x, apply(mixed, "attn_output"));
      norm("ffn_norm");
      gate.set(apply(normed, "ffn_gate"));
      add(x, apply(gate_by(gate, apply(normed, "ffn_up")), "ffn_down"));
    }
    cache.length += L;
    return x;
  }

  /** The weights of a layer's heads, HEADS × L × L, from its queries and the cache. */
  function look(q, { key }, options) {
    const L = q.length / D;
    const weights = new Float32Array(HEADS * L * L);
    for (let head = 0; head < HEADS; head++)
      for (let i = 0; i < L; i++)
        weights.set(weights_of(q, i * D + head * WIDTH, key, head, i, L, options), (head * L + i) * L);
    return weights;
  }

  /** The logits of the token after the last row. */
  function logits(x, room) {
    const last = rms_norm(x.subarray(x.length - D), room.floats("output_norm.weight"), new Float64Array(D));
    return room.multiply(last, 1, "token_embd.weight");
  }

  return { HEADS, LAYERS, UNTOUCHED, bytes_of, forward, larger, logits, look, new_cache };
})();
