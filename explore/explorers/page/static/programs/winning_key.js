// A copy of a chapter's function, winning_key; tests/explore/explorers/test_programs.py compares them.
// How wide a head must be for a matching key to have the largest of n scores
"use strict";
book.explorers.winning_key = (() => {
  const { normal } = book.attention_core;
  const { dot_products, three_digits } = book.scenes;
  const QUERIES = 64;
  const WIDTHS = Array.from({ length: 6 }, (_, i) => 4 ** i);
  let kept = { key: "" }; // products of the last draw: at each width, the largest product with any other key, then q·q and q·noise

  function products_of(n, seed) {
    if (kept.key === `${n},${seed}`) return kept.at;
    const rows = Array.from({ length: 2 * QUERIES - 1 + n }, (_, stream) => normal(1024, { seed, stream }));
    const others = Array.from({ length: QUERIES }, () => new Float64Array(n - 1));
    const own = Array.from({ length: QUERIES }, () => [0, 0]);
    const at = WIDTHS.map((width) => {
      const parts = rows.map((row) => row.subarray(width === 1 ? 0 : width / 4, width)); // added to those of the previous width
      const [a, noise, b] = [parts.slice(0, QUERIES), parts.slice(QUERIES, 2 * QUERIES), parts.slice(2 * QUERIES)];
      dot_products(a, b).forEach((row, i) => {
        for (let j = 0; j < n - 1; j++) others[i][j] += row[j];
      });
      a.forEach((x, i) => [x, noise[i]].forEach((y, k) => (own[i][k] += dot_products([x], [y])[0][0])));
      return others.map((row, i) => [row.reduce((x, y) => Math.max(x, y)), ...own[i]]);
    });
    kept = { key: `${n},${seed}`, at };
    return at;
  }

  return ({ n, rho, seed }) => {
    const rest = Math.sqrt(1 - rho ** 2);
    const wins = ([largest, square, noise]) => rho * square + rest * noise > largest;
    const shares = products_of(n, seed).map((queries) => queries.filter(wins).length / QUERIES);
    const enough = rho > 0 ? (2 * Math.log(n)) / rho ** 2 : Infinity;
    const inside = enough >= 1 && enough <= 1024;
    const needed = rho > 0 ? `2 ln n / ρ² = ${three_digits(enough)}` : "no width helps";
    const title = `n = ${n}, ρ = ${three_digits(rho)}: ${needed}`;
    return {
      artists: {
        measured: { x: WIDTHS, y: shares },
        enough: { x: inside ? [enough, enough] : [], y: inside ? [0, 1] : [] },
        title: { text: title },
      },
      axes: {},
      words: book.say("{title}; share of queries whose matching key wins at width {shares}.", {
        title: book.of_picture(title),
        shares: WIDTHS.map((width, i) => `${width}: ${shares[i].toFixed(2)}`).join(", "),
      }),
    };
  };
})();
