// The weights of chapter 11's model, which models/own_sentence/model_files.py has packed: from letters to numbers.
globalThis.sentence_weights = (() => {
  "use strict";
  const TABLE = Uint32Array.from({ length: 256 }, (_, n) => {
    for (let k = 0; k < 8; k++) n = n & 1 ? 0xedb88320 ^ (n >>> 1) : n >>> 1;
    return n;
  });

  /** CRC-32 (as in zlib), to notice a part that is incomplete or changed. (Without https there is no crypto.subtle.) */
  function crc32(bytes) {
    let crc = -1;
    for (let i = 0; i < bytes.length; i++) crc = TABLE[(crc ^ bytes[i]) & 255] ^ (crc >>> 8);
    return (crc ^ -1) >>> 0;
  }

  /** The bytes of a part in base64; an error if they do not agree with the manifest. */
  function decoded(letters, { file, bytes, crc }) {
    let found;
    try {
      const text = atob(letters);
      found = new Uint8Array(text.length);
      for (let i = 0; i < text.length; i++) found[i] = text.charCodeAt(i);
    } catch {
      throw new RangeError(`${file} is damaged`);
    }
    if (found.length !== bytes) throw new RangeError(`${file} arrived with ${found.length} of ${bytes} bytes`);
    if (crc32(found) !== crc) throw new RangeError(`${file} is damaged: its checksum is wrong`);
    return found;
  }

  /** The model that encoder.js runs, from all bytes. `products` holds its matrices. Rows of words become float32 later. */
  function unpacked(buffer, tensors, products) {
    const floats = ({ floats, shape }, count = shape[0]) => new Float32Array(buffer, floats, count);
    const whole = ({ numbers, shape: [rows, width] }) => new Int8Array(buffer, numbers, rows * width);
    /** The rows from `first` to before `last` as float32. */
    const rows_of = (about) => {
      const [numbers, steps, width] = [whole(about), floats(about), about.shape[1]];
      return (first, last = first + 1) => {
        const found = new Float32Array((last - first) * width);
        for (let i = 0; i < found.length; i++)
          found[i] = numbers[first * width + i] * steps[first + Math.floor(i / width)];
        return found;
      };
    };
    const matrix = (about) => products.matrix(rows_of(about)(0, about.shape[0]), about.shape[0]);
    const norm = (name) => ({ weight: floats(tensors[`${name}.weight`]), bias: floats(tensors[`${name}.bias`]) });
    const module = (name) => ({ matrix: matrix(tensors[`${name}.weight`]), bias: floats(tensors[`${name}.bias`]) });
    const layer = (i) => {
      const parts = ["query", "key", "value", "out", "widen", "narrow"];
      const modules = Object.fromEntries(parts.map((part) => [part, module(`layers.${i}.${part}`)]));
      return { ...modules, norms: [0, 1].map((k) => norm(`layers.${i}.norms.${k}`)) };
    };
    return {
      products,
      words: { row: rows_of(tensors.words) },
      positions: { row: rows_of(tensors.positions) },
      segment: floats(tensors.segment),
      norm: norm("norm"),
      layers: [0, 1, 2, 3, 4, 5].map(layer),
    };
  }

  /** How many numbers the matrices of the layers have. */
  const size_of_layers = (tensors) =>
    Object.entries(tensors)
      .filter(([name, { shape }]) => name.startsWith("layers.") && shape.length === 2)
      .reduce(
        (
          sum,
          [
            ,
            {
              shape: [rows, width],
            },
          ],
        ) => sum + rows * width,
        0,
      );

  return { decoded, size_of_layers, unpacked };
})();
