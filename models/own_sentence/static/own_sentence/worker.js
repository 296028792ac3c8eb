// The worker of the trained encoder. In addition to the messages of keeper.js, it answers:
//   { run, chosen, tokens, as_written, others, options }   { done: run, maps, heads, stds, open: the chosen head as in
//                         `seen` }, and later { compared: run, own, before, after }; as_written are the tokens before
//                         any swap, others are those of a second text or null, and options are those of encode()
//   { look: [layer, head] }               one head of the last run: { seen: [layer, head], weights, scores }
"use strict";
(() => {
  const { HEADS, encode, look, vector_of } = book.sentence_encoder;
  const { measure, std_of_layer } = book.sentence_measure;
  let model, states;
  let vectors = new Map(); // the vectors of texts from the unchanged model

  function run({ run, chosen, tokens, as_written, others, options }) {
    const L = tokens.length;
    const maps = new Uint8Array(6 * HEADS * L * L);
    const heads = Array.from({ length: 6 }, () => []);
    let open;
    const visit = (layer, head, seen) => {
      const at = (layer * HEADS + head) * L * L;
      seen.weights.forEach((row, i) => row.forEach((w, j) => (maps[at + i * L + j] = Math.round(255 * w))));
      heads[layer].push(measure(seen, tokens));
      if (layer === chosen[0] && head === chosen[1])
        open = { seen: chosen, weights: seen.weights, scores: seen.scores };
    };
    const found = encode(tokens, model, { ...options, visit });
    states = found.states;
    const now = vector_of(found.rows, L);
    postMessage({ done: run, maps, heads, stds: heads.map(std_of_layer), open }, [maps.buffer]);
    const untouched = is_untouched(options);
    if (untouched && `${tokens}` === `${as_written}`) vectors.set(`${tokens}`, now); // so that it is not computed again
    const own = cosine(now, vector_as_it_is(as_written));
    if (!others) return postMessage({ compared: run, own });
    const before = cosine(vector_as_it_is(as_written), vector_as_it_is(others));
    const theirs = untouched ? vector_as_it_is(others) : vector_of(encode(others, model, options).rows, others.length);
    postMessage({ compared: run, own, before, after: cosine(now, theirs) });
  }

  const is_untouched = ({ factors, off, hide_separators, is_causal }) =>
    factors.every((factor) => factor === 1) && !off.length && !hide_separators && !is_causal;

  function vector_as_it_is(text) {
    const key = `${text}`;
    if (vectors.size > 20) vectors = new Map();
    if (!vectors.has(key)) vectors.set(key, vector_of(encode(text, model).rows, text.length));
    return vectors.get(key);
  }

  const cosine = (a, b) => a.reduce((sum, x, e) => sum + x * b[e], 0); // both have length 1

  function see({ look: [layer, head] }) {
    const { weights, scores } = look(states[layer], head);
    postMessage({ seen: [layer, head], weights, scores });
  }

  book.model_keeper((room) => (model = room), { run, look: see });
})();
