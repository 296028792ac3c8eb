// The worker of the language model's explorer. Besides the messages of keeper.js, it answers:
//   { run, tokens, options, layer }   { done: run, is_changed, logits, bytes, means, firsts, seen: layer, weights }: whether
//                      the options change the model, logits of the next token, bytes of the cache, and for each layer its
//                      mean map (0 to 255) and its mean weight on the first token; then, if the options change the model,
//                      { compared: run, logits } of the unchanged model
//   { append: token }  one more token, with the cache: { appended: token, logits, bytes }
//   { look: layer }    the heads of another layer of the last run: { seen: layer, weights }
"use strict";
(() => {
  const { HEADS, LAYERS, UNTOUCHED, bytes_of, forward, larger, logits, look, new_cache } = book.language_decoder;
  const MORE = 64; // a full cache gets room for this many more tokens
  let room, cache, options, queries;
  let unchanged = {}; // the last tokens that the unchanged model got, and its logits

  const next_logits = (rows) => Float32Array.from(logits(rows, room));

  function run(asked) {
    const L = asked.tokens.length;
    options = asked.options;
    cache = new_cache(L + MORE);
    queries = [];
    const [means, firsts] = [new Float32Array(LAYERS * L * L), new Float64Array(LAYERS)];
    const visit = (layer, head, i, row) => {
      for (let j = 0, at = (layer * L + i) * L; j < L; j++) means[at + j] += (255 / HEADS) * row[j];
      if (i > 0) firsts[layer] += row[0] / HEADS / (L - 1); // the first token can look only at itself
    };
    const keep = (layer, q) => (queries[layer] = Float32Array.from(q));
    const found = next_logits(forward(asked.tokens, room, cache, options, visit, keep));
    const maps = Uint8Array.from(means, Math.round);
    const is_changed = JSON.stringify(options) !== JSON.stringify(UNTOUCHED);
    const done = {
      done: asked.run,
      is_changed,
      logits: found,
      bytes: bytes_of(cache),
      means: maps,
      firsts,
      ...heads_of(asked.layer),
    };
    postMessage(done, [maps.buffer, done.weights.buffer]);
    if (is_changed) compare(asked);
    else unchanged = { written: `${asked.tokens}`, logits: found };
  }

  /** The unchanged model's logits for the same tokens. */
  function compare({ tokens, run: number }) {
    const written = `${tokens}`;
    if (unchanged.written !== written)
      unchanged = { written, logits: next_logits(forward(tokens, room, new_cache(tokens.length), UNTOUCHED)) };
    postMessage({ compared: number, logits: unchanged.logits });
  }

  function append({ append: token }) {
    if (cache.length === cache.room_for) cache = larger(cache, cache.length + MORE);
    const found = next_logits(forward([token], room, cache, options));
    postMessage({ appended: token, logits: found, bytes: bytes_of(cache) }, [found.buffer]);
  }

  const heads_of = (layer) => ({ seen: layer, weights: look(queries[layer], cache.layers[layer], options) });

  function see({ look: layer }) {
    const seen = heads_of(layer);
    postMessage(seen, [seen.weights.buffer]);
  }

  book.model_keeper((opened) => (room = opened), { run, append, look: see });
})();
