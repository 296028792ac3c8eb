// The worker of chapter 11's explorer: it holds the model, and answers messages in their order:
//   { open: manifest }    whether this browser has kept the model: { opened: true or false }
//   { part, letters }     the next of the manifest's parts: { received }, and after the last one { loaded, kept }
//   { run, chosen, tokens, as_written, others, options }   { done: run, maps, heads, stds, open: the chosen head, as if
//                         looked at }, and later { compared: run, own, before, after }; as_written are the tokens before
//                         any swap, others those of a second text or null, and options those of encode()
//   { look: [layer, head] }               one head of the last run: { seen: [layer, head], weights, scores }
//   { forget }            remove the model that this browser has kept: { forgotten }
// If something fails, the answer is { failed: message, kind, run }.
(() => {
  "use strict";
  const { HEADS, encode, look, vector_of } = globalThis.sentence_encoder;
  const { decoded, size_of_layers, unpacked } = globalThis.sentence_weights;
  const { measure, std_of_layer } = globalThis.sentence_measure;
  let manifest, bytes, model, states;
  let vectors = new Map(); // of texts, with the unchanged model

  async function open({ open }) {
    manifest = open;
    const kept = await store("readonly", (models) => models.get(manifest.made)).catch(() => null);
    if (kept?.byteLength === manifest.bytes) prepare(kept);
    postMessage({ opened: Boolean(model) });
  }

  async function receive({ part, letters }) {
    bytes ??= new Uint8Array(manifest.bytes);
    bytes.set(decoded(letters, manifest.parts[part]), manifest.parts[part].at);
    if (part < manifest.parts.length - 1) return postMessage({ received: part });
    prepare(bytes.buffer);
    // Only one model is kept, and only when it is complete.
    const kept = await store("readwrite", (models) => models.clear() && models.put(bytes.buffer, manifest.made))
      .then(() => true)
      .catch(() => false);
    bytes = null;
    postMessage({ received: part, loaded: true, kept });
  }

  function prepare(buffer) {
    const binary = Uint8Array.from(atob(globalThis.sentence_program), (letter) => letter.charCodeAt(0));
    const products = globalThis.sentence_linear.best(binary, size_of_layers(manifest.tensors));
    model = unpacked(buffer, manifest.tensors, products);
  }

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
    if (untouched && `${tokens}` === `${as_written}`) vectors.set(`${tokens}`, now); // need not be computed again
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

  async function forget() {
    await new Promise((done, failed) => {
      const removing = indexedDB.deleteDatabase("attention-measured");
      removing.onsuccess = done;
      removing.onerror = () => failed(removing.error);
      removing.onblocked = () => failed(new Error("another page of this book is using it"));
    });
    postMessage({ forgotten: true });
  }

  /** The result of a request to this browser's own store. (A page on a disk has no Cache API.) */
  function store(mode, request) {
    return new Promise((done, failed) => {
      const opening = indexedDB.open("attention-measured", 1);
      opening.onupgradeneeded = () => {
        if (mode === "readonly") return opening.transaction.abort(); // no store yet; a read must not create one
        opening.result.createObjectStore("models");
      };
      opening.onerror = () => failed(opening.error);
      opening.onsuccess = () => {
        const transaction = opening.result.transaction("models", mode);
        const asked = request(transaction.objectStore("models"));
        transaction.oncomplete = () => done(asked.result);
        transaction.onerror = transaction.onabort = () => failed(transaction.error);
        transaction.addEventListener("complete", () => opening.result.close());
      };
    });
  }

  const kinds = { open, part: receive, run, look: see, forget };
  let before = Promise.resolve();
  globalThis.onmessage = ({ data }) => {
    const kind = Object.keys(kinds).find((name) => name in data);
    before = before
      .then(() => kinds[kind](data))
      .catch((error) => postMessage({ failed: error.message, kind, run: data.run }));
  };
})();
