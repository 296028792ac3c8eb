// A model's tensors in one block of memory, and products of rows with its matrices. Matrices keep their 4 or 8 bits per
// number. linear.wat rounds rows to 16 bits and multiplies four numbers or more at a time. We saw this rounding alone
// change weights by 0.002, so the remainders are multiplied, too. A browser without SIMD instructions uses JavaScript.
"use strict";
book.model_linear = (() => {
  const LONGEST = 512; // rows at a time
  const WIDEST = 1536;
  const BLOCK = 32; // numbers that share a step
  const BITS = { Q8_0: 8, Q4_1: 4 };
  const SIZE = { Q8_0: 34, Q4_1: 20 }; // bytes of a block

  /** A float16 number. */
  function half(h) {
    const [exponent, fraction] = [(h >> 10) & 31, h & 1023];
    const size = exponent ? 2 ** (exponent - 25) * (1024 + fraction) : 2 ** -24 * fraction;
    return h >> 15 ? -size : size;
  }

  const from_half = Float32Array.from({ length: 2 ** 16 }, (_, h) => half(h));

  /** Rows of a matrix from `first` up to, but not including, `last` as float32. */
  function rows(bytes, { kind, shape: [, width], at }, first, last = first + 1) {
    const [size, blocks] = [SIZE[kind], width / BLOCK];
    const found = new Float32Array((last - first) * width);
    const read = new DataView(
      bytes.buffer,
      bytes.byteOffset + at + first * blocks * size,
      (last - first) * blocks * size,
    );
    for (let b = 0; b < (last - first) * blocks; b++) {
      const d = from_half[read.getUint16(b * size, true)];
      if (kind === "Q8_0") {
        for (let e = 0; e < BLOCK; e++) found[b * BLOCK + e] = d * read.getInt8(b * size + 2 + e);
        continue;
      }
      const m = from_half[read.getUint16(b * size + 2, true)];
      for (let e = 0; e < 16; e++) {
        const two = read.getUint8(b * size + 4 + e);
        found[b * BLOCK + e] = d * (two & 15) + m;
        found[b * BLOCK + 16 + e] = d * (two >> 4) + m;
      }
    }
    return found;
  }

  /** x Wᵀ for L rows x, L × out, in JavaScript. */
  function multiply_plainly(bytes, x, L, entry) {
    const [out, width] = entry.shape;
    const y = new Float32Array(L * out);
    for (let j = 0; j < out; j++) {
      const row = rows(bytes, entry, j);
      for (let i = 0; i < L; i++) {
        let sum = 0;
        for (let e = 0; e < width; e++) sum += x[i * width + e] * row[e];
        y[i * out + j] = sum;
      }
    }
    return y;
  }

  /** Where each of these parts begins, always at a multiple of 16 bytes, and where the last one ends. */
  function places(start, sizes) {
    const at = {};
    for (const [name, size] of Object.entries(sizes)) [at[name], start] = [start, Math.ceil((start + size) / 16) * 16];
    return { ...at, end: start };
  }

  /** Memory for `size` bytes of tensors, and products by the program `binary`. */
  function simd(binary, size) {
    const { memory, multiply, round } = new WebAssembly.Instance(new WebAssembly.Module(binary)).exports;
    const most = 2 * LONGEST * WIDEST; // each row, and its remainder after rounding
    const at = places(0, {
      tensors: size,
      x: 4 * most,
      q: 2 * most,
      s: (4 * most) / BLOCK,
      sums: (4 * most) / BLOCK,
      row: (72 * WIDEST) / BLOCK,
      y: 4 * most,
    });
    memory.grow(Math.ceil(at.end / 2 ** 16));
    const floats = new Float32Array(memory.buffer);
    const bytes = new Uint8Array(memory.buffer, 0, size);
    /** x Wᵀ, in memory that the next product overwrites. What rounding takes away from each row is one more row, and
     * its product is added. */
    function product(x, L, { kind, shape: [out, width], at: w }) {
      const blocks = width / BLOCK;
      const filled = 4 * Math.ceil((2 * L) / 4); // the program writes rows in groups of four
      if (L > LONGEST || width > WIDEST || filled * out > most)
        throw new RangeError(`there is no room for ${L} rows of ${width} numbers and ${out} products each`);
      floats.set(x, at.x / 4);
      round(at.x, at.q, at.s, at.sums, L, blocks);
      const whole = new Int16Array(memory.buffer, at.q, L * width);
      const steps = new Float32Array(memory.buffer, at.s, 4 * Math.ceil(L / 4) * blocks);
      const rest = floats.subarray(at.x / 4 + L * width, at.x / 4 + 2 * L * width);
      for (let i = 0, k = 0; i < L; i++)
        for (let b = 0; b < blocks; b++) {
          const step = steps[((i >> 2) * blocks + b) * 4 + (i & 3)]; // as linear.wat places them
          for (const end = k + BLOCK; k < end; k++) rest[k] = x[k] - step * whole[k];
        }
      round(at.x, at.q, at.s, at.sums, 2 * L, blocks);
      multiply(BITS[kind], at.q, at.s, at.sums, w, at.y, at.row, 2 * L, blocks, out);
      const y = floats.subarray(at.y / 4, at.y / 4 + 2 * L * out);
      for (let k = 0; k < L * out; k++) y[k] += y[L * out + k];
      return y.subarray(0, L * out);
    }
    return { bytes, multiply: product, is_fast: true };
  }

  function plain(size) {
    const bytes = new Uint8Array(size);
    return { bytes, multiply: (x, L, entry) => multiply_plainly(bytes, x, L, entry), is_fast: false };
  }

  /** `bytes` for the tensors of a manifest, and functions that read them and multiply by them. */
  function room(binary, { bytes: size, tensors }) {
    let made;
    try {
      made = simd(binary, size);
    } catch (error) {
      if (error instanceof RangeError) throw error; // not enough memory
      made = plain(size);
    }
    const { bytes, multiply, is_fast } = made;
    return {
      bytes,
      is_fast,
      floats: (name) => new Float32Array(bytes.buffer, bytes.byteOffset + tensors[name].at, tensors[name].shape[0]),
      rows: (name, first, last) => rows(bytes, tensors[name], first, last),
      multiply: (x, L, name) => multiply(x, L, tensors[name]),
    };
  }

  return { room };
})();
