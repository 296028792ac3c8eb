// Matrices of a model, and products of rows with them. linear.wat takes four numbers at a time and needs a sixth of the
// time of JavaScript; a browser without such instructions uses JavaScript.
globalThis.sentence_linear = (() => {
  "use strict";
  const LONGEST = 512; // rows at once
  const WIDEST = 1536;

  /** `matrix(weight, out)` takes a matrix of `out` rows; `multiply(x, L, matrix)` gives x Wᵀ, L × out. */
  function plain() {
    const matrix = (weight, out) => ({ weight, out, width: weight.length / out });
    function multiply(x, L, { weight, out, width }) {
      const y = new Float64Array(L * out);
      for (let i = 0; i < L; i++)
        for (let j = 0; j < out; j++) {
          let sum = 0;
          for (let e = 0; e < width; e++) sum += x[i * width + e] * weight[j * width + e];
          y[i * out + j] = sum;
        }
      return y;
    }
    return { matrix, multiply };
  }

  /** The same with the WebAssembly program `binary`, whose memory has room for `count` numbers of matrices. */
  function simd(binary, count) {
    const { memory, multiply } = new WebAssembly.Instance(new WebAssembly.Module(binary)).exports;
    const scratch = LONGEST * WIDEST;
    memory.grow(Math.ceil((4 * (count + 2 * scratch)) / 2 ** 16));
    const numbers = new Float32Array(memory.buffer);
    const [x_at, y_at] = [count, count + scratch];
    let free = 0;
    function matrix(weight, out) {
      if (free + weight.length > count) throw new RangeError(`there is room for ${count} numbers of matrices`);
      numbers.set(weight, free);
      free += weight.length;
      return { at: free - weight.length, out, width: weight.length / out };
    }
    function product(x, L, { at, out, width }) {
      if (L > LONGEST) throw new RangeError(`there is room for ${LONGEST} rows, got ${L}`);
      numbers.set(x, x_at);
      multiply(4 * x_at, 4 * at, 4 * y_at, 4 * Math.ceil(L / 4), width, out); // up to three rows too many
      return Float64Array.from(numbers.subarray(y_at, y_at + L * out));
    }
    return { matrix, multiply: product };
  }

  /** The faster way, if the browser has it. */
  function best(binary, count) {
    try {
      return simd(binary, count);
    } catch (error) {
      if (error instanceof RangeError) throw error; // no memory
      return plain();
    }
  }

  return { best, plain, simd };
})();
