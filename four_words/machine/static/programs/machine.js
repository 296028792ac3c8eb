// A copy of four_words/machine/numbers.py and goals.py; tests/four_words/test_machine.py compares them. The machine: every
// matrix from four words to attention's output, and for each number the sum that made it. machine_view.js shows them.
// A sentence is an id in book.four_words and its values, [id, values]; null is none.
"use strict";
book.explorers.machine = (() => {
  const { causal_mask, softmax } = book.attention_core;
  const HIDDEN = -Infinity;
  if (!book.four_words) return null; // the script with the sentences is lost: then there is no program

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
      const numbers = tables[letter];
      made[`w_${letter}`] = { title: `W_${letter}`, stage: 1, role, numbers, rows: vocabulary, columns: [] };
    }
    for (const [letter, [, , role]] of Object.entries(of_letter)) {
      const numbers = product(x, tables[letter]);
      made[letter] = { title: letter.toUpperCase(), stage: 1, role, numbers, rows: words, columns: [] };
    }
    const heads = two_heads ? 2 : 1;
    const part = (rows, h) => rows.map((row) => row.slice((h * row.length) / heads, ((h + 1) * row.length) / heads));
    const mask = causal_mask(4);
    const output = words.map(() => []);
    for (let h = 0; h < heads; h++) {
      const [q, k, v] = [made.q, made.k, made.v].map(({ numbers }) => part(numbers, h));
      const products = product(q, transposed(k));
      const divisor = scaled ? Math.sqrt(4 / heads) : 1;
      const scores = products.map((row, i) => row.map((s, j) => (causal && !mask[i][j] ? HIDDEN : s / divisor)));
      const weights = scores.map((row) => [...softmax(row)]);
      product(weights, v).forEach((row, i) => output[i].push(...row));
      const titles = two_heads ? of_head(h + 1) : ["Q Kᵀ", book.say("scores"), book.say("weights")];
      const pairs = { stage: 2, role: "weight", rows: words, columns: words };
      made[`products_${h}`] = { ...pairs, title: titles[0], numbers: products };
      made[`scores_${h}`] = { ...pairs, stage: 3, title: titles[1], numbers: scores };
      made[`weights_${h}`] = { ...pairs, stage: 4, title: titles[2], numbers: weights };
    }
    made.output = { title: book.say("output"), stage: 5, role: "output", numbers: output, rows: words, columns: [] };
    return made;
  }

  const of_head = (n) => [
    book.say("Q Kᵀ of head {n}", { n }),
    book.say("scores of head {n}", { n }),
    book.say("weights of head {n}", { n }),
  ];
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

  /** How a number came about: a sentence. */
  function sum_of(name, i, j, made, scaled) {
    const [kind, head] = name.split("_");
    const { numbers, rows, columns } = made[name];
    const number = numbers[i][j];
    const found = { here: short(number), row: rows[i], column: columns[j] ?? "" };
    if (kind === "w") return ["learned", found];
    if (kind === "x") return [number ? "same" : "other", found];
    if (kind === "weights") {
      const powers = made[`scores_${head}`].numbers[i].map((s) => (s === HIDDEN ? "0" : `e^(${short(s)})`));
      return ["share", { ...found, power: powers[j], powers: powers.join(" + ") }];
    }
    const places = parents(name, i, j, made).map((place) => in_a_sum(made, place));
    found.terms = counted(places.length / 2)
      .map((k) => `${places[2 * k]} · ${places[2 * k + 1]}`)
      .join(" + ");
    if (kind === "scores") {
      found.width = 4 / heads_in(made);
      return [number === HIDDEN ? "hidden" : scaled ? "scaled" : "sum", found];
    }
    return [{ output: "sum", products: "product" }[kind] ?? "of_row", found];
  }

  /** A sentence for a reader who follows the word in row i. */
  function followed(i, made) {
    const words = made.x.rows;
    const found = { row: words[i], n: i + 1, output: made.output.numbers[i].map(short).join(" ") };
    words.forEach((word, j) => {
      found[`word_${j + 1}`] = word;
      for (const h of counted(heads_in(made)))
        found[`share_${h + 1}${j + 1}`] = short(made[`weights_${h}`].numbers[i][j]);
    });
    return [heads_in(made) === 2 ? "followed_in_heads" : "followed", found];
  }

  // Goals

  const count = (words, word) => words.filter((other) => other === word).length;
  /** A share, rounded as the sentences print it, so that no sentence can contradict itself. */
  const as_shown = (share) => Number(short(share));
  const largest_at = (row) => row.reduce((best, x, j) => (x > row[best] ? j : best), 0);

  const reached_if = (is_reached, goal, values) => [`${is_reached ? "reached" : "not_yet"} ${goal}`, values];

  function last_at_third(made) {
    const words = made.x.rows;
    const best = Math.max(...counted(heads_in(made)).map((h) => made[`weights_${h}`].numbers[3][2]));
    if (count(words, words[2]) > 1) return ["out twice", { word: words[2] }];
    return reached_if(as_shown(best) > 0.5, "third", { word: words[3], third: words[2], share: short(best) });
  }

  function itself_alone(made, causal) {
    const words = made.x.rows;
    const choices = [0, 1, 2, 3].slice(causal ? 1 : 0); // under the mask the first word has no choice
    if (choices.every((i) => count(causal ? words.slice(0, i + 1) : words, words[i]) > 1)) return ["out itself", {}];
    let [best, at] = [-1, 0];
    for (const i of choices)
      for (let h = 0; h < heads_in(made); h++)
        if (made[`weights_${h}`].numbers[i][i] > best) [best, at] = [made[`weights_${h}`].numbers[i][i], i];
    return reached_if(as_shown(best) >= 0.99, "itself", { word: words[at], n: at + 1, share: short(best) });
  }

  function two_jobs(made) {
    if (heads_in(made) === 1) return ["not_yet two_heads", {}];
    const words = made.x.rows;
    if (words.filter((word) => count(words, word) === 1).length < 2) return ["out two_jobs", {}];
    const rows = [0, 1].map((h) => made[`weights_${h}`].numbers[3]);
    const [first, second] = rows.map((row) => words[largest_at(row)]);
    const largest = rows.map((row) => row[largest_at(row)]);
    const [first_share, second_share] = largest.map(short);
    const is_reached = Math.min(...largest.map(as_shown)) > 0.5 && first !== second;
    return reached_if(is_reached, "two_jobs", { word: words[3], first, first_share, second, second_share });
  }

  /** The word because of which no tables make every word look mostly at the one before it; "" if some tables do. */
  function out_of_reach(words, causal) {
    for (let i = 1; i < 4; i++) {
      const visible = causal ? words.slice(0, i + 1) : words;
      if (count(visible, words[i - 1]) > 1) return words[i - 1];
    }
    return "";
  }

  function one_before(made, causal) {
    const words = made.x.rows;
    const twice = out_of_reach(words, causal);
    if (twice) return [out_of_reach(words, true) ? "out twice" : "not_yet causal", { word: twice }];
    const heads = counted(heads_in(made)).map((h) => [1, 2, 3].map((i) => made[`weights_${h}`].numbers[i][i - 1]));
    const head = heads.reduce((best, of, h) => (Math.min(...of) > Math.min(...heads[best]) ? h : best), 0);
    const shares = heads[head];
    const i = shares.reduce((best, x, k) => (x < shares[best] ? k : best), 0);
    const found = { head: head + 1, word: words[i + 1], n: i + 2, share: short(shares[i]) };
    return reached_if(as_shown(shares[i]) > 0.5, heads.length > 1 ? "before_in_head" : "before", found);
  }

  function equal_weights(made) {
    const heads = heads_in(made);
    for (let h = 0; h < heads; h++)
      for (const [i, row] of made[`scores_${h}`].numbers.entries()) {
        const seen = row.filter((s) => s !== HIDDEN);
        const gap = Math.max(...seen) - Math.min(...seen);
        const found = { head: h + 1, word: made.x.rows[i], gap: short(gap) };
        if (gap > 0) return [heads > 1 ? "out equal_in_head" : "out equal", found];
      }
    return ["not_yet equal", {}];
  }

  function outside(made) {
    const [values, outputs] = [made.v, made.output].map(({ numbers }) => numbers);
    if (heads_in(made) === 1) return ["out outside", {}];
    const far = outputs.map((output) => distance_to_hull(output, values));
    const i = far.indexOf(Math.max(...far));
    const [x, y] = outputs[i].map(short);
    return reached_if(as_shown(far[i]) > 0, "outside", { word: made.x.rows[i], x, y });
  }

  /** How far a point of the plane is from the hull of the values, by the best of some lines between the two: 0 inside. */
  function distance_to_hull(point, values) {
    const points = [point, ...values];
    const ways = points.flatMap(([p, r]) => points.map(([q, t]) => [p - q, r - t])).filter(([x, y]) => x || y);
    const distances = [...ways, ...ways.map(([x, y]) => [-y, x])].map(([x, y]) => {
      const [at, ...others] = points.map(([v, w]) => x * v + y * w);
      return (at - Math.max(...others)) / Math.hypot(x, y);
    });
    return Math.max(0, ...distances);
  }

  const GOALS = {
    third: last_at_third,
    itself: itself_alone,
    two_jobs,
    before: one_before,
    equal: equal_weights,
    outside,
  };
  const verdict = ({ goal, causal }, made) => GOALS[goal]?.(made, causal) ?? null;

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
    return {
      made,
      place,
      parents: place ? parents(...place, made) : [],
      sum: place ? sum_of(...place, made, values.scaled) : values.look ? ["nowhere", {}] : null,
      follow: values.follow ? followed(values.follow - 1, made) : null,
      verdict: verdict(values, made),
    };
  }

  return Object.assign(compute, { short, wake: (tools) => book.machine_view(tools, compute, short) });
})();
