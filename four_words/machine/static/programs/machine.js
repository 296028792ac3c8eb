// A copy of four_words/machine/numbers.py and goals.py; tests/four_words/test_machine.py compares them. The machine: every
// matrix from four words to attention's output, and for each number the sum that made it. machine_view.js shows them.
"use strict";
book.explorers.machine = (() => {
  const { causal_mask, softmax } = book.attention_core;
  const HIDDEN = -Infinity;
  const NOWHERE = "This state has no such row, column or head.";

  const rows_of = (flat, columns) =>
    Array.from({ length: flat.length / columns }, (_, i) => flat.slice(i * columns, (i + 1) * columns));
  const transposed = (a) => a[0].map((_, j) => a.map((row) => row[j]));
  const product = (a, b) => {
    const columns = transposed(b);
    return a.map((row) => columns.map((column) => row.reduce((sum, x, k) => sum + x * column[k], 0)));
  };

  /** All matrices by name, in the order of the computation: { title, stage, role, numbers, rows, columns }. */
  function matrices({ words: text, w_q, w_k, w_v, scaled, causal, two_heads }) {
    const words = text.split(/\s+/).filter(Boolean);
    const vocabulary = [...new Set(words)];
    const x = words.map((word) => vocabulary.map((other) => Number(word === other)));
    const made = { x: { title: "X", stage: 0, role: "ink", numbers: x, rows: words, columns: vocabulary } };
    const of_letter = { q: [w_q, 4, "query"], k: [w_k, 4, "key"], v: [w_v, 2, "value"] };
    const tables = {};
    for (const [letter, [flat, columns, role]] of Object.entries(of_letter)) {
      tables[letter] = rows_of(flat, columns).slice(0, vocabulary.length);
      made[`w_${letter}`] = {
        title: `W_${letter}`,
        stage: 1,
        role,
        numbers: tables[letter],
        rows: vocabulary,
        columns: [],
      };
    }
    const all = {};
    for (const [letter, [, , role]] of Object.entries(of_letter)) {
      all[letter] = product(x, tables[letter]);
      made[letter] = { title: letter.toUpperCase(), stage: 1, role, numbers: all[letter], rows: words, columns: [] };
    }
    const heads = two_heads ? 2 : 1;
    const part = (rows, h) => rows.map((row) => row.slice((h * row.length) / heads, ((h + 1) * row.length) / heads));
    const mask = causal_mask(4);
    const output = words.map(() => []);
    for (let h = 0; h < heads; h++) {
      const of_head = two_heads ? ` of head ${h + 1}` : "";
      const [q, k, v] = [all.q, all.k, all.v].map((rows) => part(rows, h));
      const products = product(q, transposed(k));
      const divisor = scaled ? Math.sqrt(4 / heads) : 1;
      const scores = products.map((row, i) => row.map((s, j) => (causal && !mask[i][j] ? HIDDEN : s / divisor)));
      const weights = scores.map((row) => [...softmax(row)]);
      product(weights, v).forEach((row, i) => output[i].push(...row));
      const pairs = { stage: 2, role: "weight", rows: words, columns: words };
      made[`products_${h}`] = { ...pairs, title: `Q Kᵀ${of_head}`, numbers: products };
      made[`scores_${h}`] = { ...pairs, stage: 3, title: `scores${of_head}`, numbers: scores };
      made[`weights_${h}`] = { ...pairs, stage: 4, title: `weights${of_head}`, numbers: weights };
    }
    made.output = { title: "output", stage: 5, role: "output", numbers: output, rows: words, columns: [] };
    return made;
  }

  const heads_in = (made) => (made.weights_1 ? 2 : 1);
  const counted = (n) => Array.from({ length: n }, (_, i) => i);

  /** The numbers that a number is made from: triples of a name, a row and a column. */
  function parents(name, i, j, made) {
    const [kind, head] = name.split("_");
    const width = 4 / heads_in(made);
    if ("qkv".includes(kind) && !head)
      return counted(made.x.numbers[0].length).flatMap((a) => [
        ["x", i, a],
        [`w_${kind}`, a, j],
      ]);
    if (kind === "products" || kind === "scores")
      return counted(width).flatMap((e) => [
        ["q", i, Number(head) * width + e],
        ["k", j, Number(head) * width + e],
      ]);
    if (kind === "weights") return counted(4).map((s) => [`scores_${head}`, i, s]);
    if (kind === "output") {
      const h = heads_in(made) === 2 ? j : 0;
      return counted(4).flatMap((s) => [
        [`weights_${h}`, i, s],
        ["v", s, j],
      ]);
    }
    return [];
  }

  /** A number on a tile: at most two digits after the point. */
  function short(number) {
    if (number === HIDDEN) return "−∞";
    const text = number.toFixed(Math.abs(number) < 9.995 ? 2 : 1).replace(/\.?0+$/, "");
    return text === "-0" || text === "" ? "0" : text.replace("-", "−");
  }

  function in_a_sum(made, [name, i, j]) {
    const text = short(made[name].numbers[i][j]);
    return text.startsWith("−") ? `(${text})` : text;
  }

  /** How a number came about, as text. */
  function sum_of(name, i, j, made, scaled) {
    const [kind, head] = name.split("_");
    const matrix = made[name];
    const number = matrix.numbers[i][j];
    const here = short(number);
    const row = matrix.rows[i];
    if (kind === "w") return `a number that a model would learn: ${here}, for “${row}”. Change it, up or down.`;
    if (kind === "x") return `“${row}” ${number ? "is" : "is not"} “${matrix.columns[j]}”: ${here}`;
    const places = parents(name, i, j, made).map((place) => in_a_sum(made, place));
    const terms = counted(places.length / 2)
      .map((k) => `${places[2 * k]} · ${places[2 * k + 1]}`)
      .join(" + ");
    if ("qkv".includes(kind)) return `“${row}”: ${terms} = ${here}`;
    if (kind === "products") return `query of “${row}” · key of “${matrix.columns[j]}” = ${terms} = ${here}`;
    if (kind === "scores") {
      if (number === HIDDEN) return `“${matrix.columns[j]}” comes after “${row}”: hidden, −∞`;
      return scaled ? `(${terms}) ÷ √${4 / heads_in(made)} = ${here}` : `${terms} = ${here}`;
    }
    if (kind === "weights") {
      const powers = made[`scores_${head}`].numbers[i].map((s) => (s === HIDDEN ? "0" : `e^(${short(s)})`));
      return `${powers[j]} / (${powers.join(" + ")}) = ${here}: “${row}” looks at “${matrix.columns[j]}”`;
    }
    return `${terms} = ${here}`;
  }

  /** A sentence for a reader who follows the word in row i. */
  function row_in_words(i, made) {
    const parts = counted(heads_in(made)).map((h) => {
      const { title, numbers, columns } = made[`weights_${h}`];
      return `${title}: ${numbers[i].map((w, j) => `${short(w)} for “${columns[j]}”`).join(", ")}`;
    });
    const output = made.output.numbers[i].map(short).join(" ");
    return `“${made.x.rows[i]}”, word ${i + 1}: ${parts.join("; ")}; output: ${output}`;
  }

  // Goals

  const EQUAL_KEYS = "Equal words have equal keys, so none of them gets more than half.";
  const more_than_once = (word) => `“${word}” occurs more than once. ${EQUAL_KEYS}`;
  const count = (words, word) => words.filter((other) => other === word).length;
  /** A share, rounded as the sentences print it, so that no sentence can contradict itself. */
  const as_shown = (share) => Number(short(share));
  const largest_at = (row) => row.reduce((best, x, j) => (x > row[best] ? j : best), 0);

  function last_at_third(made) {
    const words = made.x.rows;
    const best = Math.max(...counted(heads_in(made)).map((h) => made[`weights_${h}`].numbers[3][2]));
    const found = `“${words[3]}” gives “${words[2]}” ${short(best)}`;
    if (count(words, words[2]) > 1) return `Out of reach: ${more_than_once(words[2])}`;
    return as_shown(best) > 0.5 ? `Reached: ${found}, more than half.` : `Not yet: ${found}; it must be more than 0.5.`;
  }

  function itself_alone(made, causal) {
    const words = made.x.rows;
    const choices = [0, 1, 2, 3].slice(causal ? 1 : 0); // under the mask the first word has no choice
    if (choices.every((i) => count(causal ? words.slice(0, i + 1) : words, words[i]) > 1))
      return `Out of reach: each of these words occurs more than once among those that it sees. ${EQUAL_KEYS}`;
    let [best, at] = [-1, 0];
    for (const i of choices)
      for (let h = 0; h < heads_in(made); h++)
        if (made[`weights_${h}`].numbers[i][i] > best) [best, at] = [made[`weights_${h}`].numbers[i][i], i];
    const found = `“${words[at]}” (word ${at + 1}) gives itself ${short(best)}`;
    return as_shown(best) >= 0.99 ? `Reached: ${found}.` : `Not yet: ${found}; it must be at least 0.99.`;
  }

  function two_jobs(made) {
    if (heads_in(made) === 1) return "Not yet: switch on two heads.";
    const words = made.x.rows;
    if (words.filter((word) => count(words, word) === 1).length < 2)
      return `Out of reach: two words are needed that occur only once. ${EQUAL_KEYS}`;
    const rows = [0, 1].map((h) => made[`weights_${h}`].numbers[3]);
    const at = rows.map((row) => words[largest_at(row)]);
    const largest = rows.map((row) => row[largest_at(row)]);
    const found = rows.map((_, h) => `head ${h + 1} gives “${at[h]}” ${short(largest[h])}`).join(" and ");
    if (Math.min(...largest.map(as_shown)) > 0.5 && at[0] !== at[1]) return `Reached: for “${words[3]}”, ${found}.`;
    return `Not yet: for “${words[3]}”, ${found}; each must give more than 0.5 to a different word.`;
  }

  /** Why no tables make every word look mostly at the one before it; an empty string if some tables do. */
  function out_of_reach(words, causal) {
    for (let i = 1; i < 4; i++) {
      const visible = causal ? words.slice(0, i + 1) : words;
      if (count(visible, words[i - 1]) > 1) return more_than_once(words[i - 1]);
    }
    return "";
  }

  function one_before(made, causal) {
    const words = made.x.rows;
    const reason = out_of_reach(words, causal);
    if (reason)
      return out_of_reach(words, true) ? `Out of reach: ${reason}` : `Not yet: switch on the causal mask. ${reason}`;
    const heads = counted(heads_in(made)).map((h) => [1, 2, 3].map((i) => made[`weights_${h}`].numbers[i][i - 1]));
    const head = heads.reduce((best, of, h) => (Math.min(...of) > Math.min(...heads[best]) ? h : best), 0);
    const shares = heads[head];
    const i = shares.reduce((best, x, k) => (x < shares[best] ? k : best), 0);
    const where = heads.length > 1 ? `in head ${head + 1}, ` : "";
    const found = `${where}“${words[i + 1]}” (word ${i + 2}) gives the word before it ${short(shares[i])}`;
    return as_shown(shares[i]) > 0.5
      ? `Reached: ${found}, and no word gives less.`
      : `Not yet: ${found}; it must be more than 0.5.`;
  }

  function equal_weights(made) {
    const heads = heads_in(made);
    for (let h = 0; h < heads; h++)
      for (const [i, row] of made[`scores_${h}`].numbers.entries()) {
        const seen = row.filter((s) => s !== HIDDEN);
        const gap = Math.max(...seen) - Math.min(...seen);
        const where = heads > 1 ? `in head ${h + 1}, in the row of` : "in the row of";
        if (gap > 0)
          return `Out of reach: ${where} “${made.x.rows[i]}” two scores differ by ${short(gap)}, so their weights differ by a factor of e^(${short(gap)}). Before rounding, only equal scores give equal weights.`;
      }
    return "Not yet: in every row all scores are equal. Change one, and look at the weights.";
  }

  function outside(made) {
    const [values, outputs] = [made.v, made.output].map(({ numbers }) => numbers);
    if (heads_in(made) === 1)
      return "Out of reach: with one head each output is an average of the values, because no weight is negative and a row sums to 1. Try two heads.";
    const far = outputs.map((output) => distance_to_hull(output, values));
    const i = far.indexOf(Math.max(...far));
    const found = `the output of “${made.x.rows[i]}” is (${short(outputs[i][0])}, ${short(outputs[i][1])})`;
    return as_shown(far[i]) > 0
      ? `Reached: ${found}, which is no average of the values. Each head averages a column of its own.`
      : "Not yet: each output is still an average of the values. Let the heads look at different words.";
  }

  /** How far a point of the plane is from the hull of the values, by the best of some lines between the two: 0 inside. */
  function distance_to_hull(point, values) {
    const points = [point, ...values];
    const ways = points.flatMap(([p, r]) => points.map(([q, t]) => [p - q, r - t])).filter(([x, y]) => x || y);
    const along =
      (x, y) =>
      ([v, w]) =>
        x * v + y * w;
    const distances = [...ways, ...ways.map(([x, y]) => [-y, x])].map(
      ([x, y]) => (along(x, y)(point) - Math.max(...values.map(along(x, y)))) / Math.hypot(x, y),
    );
    return Math.max(0, ...distances);
  }

  const GOALS = {
    "the last word looks mostly at the third": last_at_third,
    "one word looks at itself alone": itself_alone,
    "two heads with two jobs": two_jobs,
    "every word looks at the one before it": one_before,
    "equal weights from unequal scores": equal_weights,
    "an output outside of all values": outside,
  };
  const verdict = ({ goal, causal }, made) => GOALS[goal]?.(made, causal) ?? "";

  /** The name, row and column in "weights_0 3 2"; null if look is empty or this state has no such number. */
  function place_of(look, made) {
    const [name, i, j, ...rest] = look.split(/\s+/).filter(Boolean);
    if (rest.length || !/^\d+$/.test(i) || !/^\d+$/.test(j) || !Object.hasOwn(made, name)) return null;
    return made[name].numbers[i]?.[j] === undefined ? null : [name, Number(i), Number(j)];
  }

  /** Everything that the view shows and that a test compares. */
  function compute(values) {
    const made = matrices(values);
    const place = place_of(values.look, made);
    const follow = values.follow ? row_in_words(values.follow - 1, made) : "";
    return {
      made,
      place,
      parents: place ? parents(...place, made) : [],
      sum: place ? sum_of(...place, made, values.scaled) : values.look && NOWHERE,
      follow,
      verdict: verdict(values, made),
    };
  }

  return Object.assign(compute, { short, wake: (tools) => book.machine_view(tools, compute, short) });
})();
