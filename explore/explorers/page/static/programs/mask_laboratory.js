// A copy of a chapter's function, mask_laboratory; tests/explore/explorers/test_programs.py compares them.
// A mask, its weights, and what leaks
"use strict";
book.explorers.mask_laboratory = (() => {
  const { attention_weights, causal_mask, normal, padding_mask, scaled_dot_product_attention, sliding_window_mask } =
    book.attention_core;
  const TOKENS = Array.from({ length: 6 }, (_, stream) => normal(8, { seed: 5, stream }));
  const grid = (L, may) => Array.from({ length: L }, (_, i) => Array.from({ length: 6 }, (_, j) => may(i, j)));
  const both = (a, b) => a.map((row, i) => row.map((x, j) => x && b[i % b.length][j]));
  const MASKS = {
    none: (L) => grid(L, () => true),
    causal: (L) => causal_mask(L, 6),
    causal_from_the_start: (L) => grid(L, (i, j) => j <= i),
    padding: (L, size) => both(MASKS.none(L), padding_mask(size, 6)),
    window: (L, size) => sliding_window_mask(L, size, 6),
    causal_and_padding: (L, size) => both(causal_mask(L, 6), padding_mask(size, 6)),
    causal_and_window: (L, size) => both(causal_mask(L, 6), sliding_window_mask(L, size, 6)),
  };

  return ({ start, size, queries, changed, switched }) => {
    const hidden = 6 - queries;
    const chosen = MASKS[start](queries, size);
    const may_attend = grid(6, (i, j) => i >= hidden && chosen[i - hidden][j] !== Boolean(switched[6 * i + j]));
    const other = TOKENS.map((token, i) =>
      i === changed ? token.map((x, e) => x + TOKENS[(changed + 1) % 6][e]) : token,
    );
    const weights = attention_weights(TOKENS, TOKENS, may_attend);
    const [before, after] = [TOKENS, other].map((x) => scaled_dot_product_attention(x, x, x, may_attend));
    const moved = before.map((row, i) => Math.hypot(...row.map((x, e) => after[i][e] - x)));
    const leaks = moved.map((x, i) => i < changed && x > 0);
    const title = `${leaks.filter(Boolean).length} of ${Math.max(changed - hidden, 0)} earlier leak`;
    const sees = (i) => {
      const keys = may_attend[i].flatMap((may, j) => (may ? [j] : [])).join(" ");
      return keys ? book.say("{i} sees {keys}", { i, keys }) : book.say("{i} sees nothing", { i });
    };
    return {
      artists: {
        mask: { cells: may_attend.flat().map(Number) },
        weights: { cells: weights.flatMap((row) => [...row]) },
        moved: { cells: moved.map((x, i) => (leaks[i] ? -0.3 - 0.7 * Math.min(x / 4, 1) : Math.min(x / 4, 1))) },
        ...Object.fromEntries(
          moved.map((x, i) => [
            `moved_${i}`,
            { text: (i < hidden ? "–" : 0 < x && x < 0.005 ? "< 0.01" : x.toFixed(2)) + (leaks[i] ? " leak" : "") },
          ]),
        ),
        leaks: { text: title },
      },
      axes: {},
      words: book.say("{rows}. {title}; outputs move by {moved}", {
        rows: [0, 1, 2, 3, 4, 5].slice(hidden).map(sees).join("; "),
        title: book.of_picture(title),
        moved: moved.map((x) => x.toFixed(2)).join(", "),
      }),
    };
  };
})();
