// A mask, its weights, what leaks, and the code that makes it
explorers.mask_laboratory = (() => {
  "use strict";
  const { attention_weights, causal_mask, normal, padding_mask, scaled_dot_product_attention, sliding_window_mask } =
    attention_core;
  const TOKENS = Array.from({ length: 6 }, (_, stream) => normal(8, { seed: 5, stream }));
  const grid = (L, may) => Array.from({ length: L }, (_, i) => Array.from({ length: 6 }, (_, j) => may(i, j)));
  const both = (a, b) => a.map((row, i) => row.map((x, j) => x && b[i % b.length][j]));
  const MASKS = {
    none: (L) => grid(L, () => true),
    causal: (L) => causal_mask(L, 6),
    "causal, aligned to the start": (L) => grid(L, (i, j) => j <= i),
    padding: (L, size) => both(MASKS.none(L), padding_mask(size, 6)),
    window: (L, size) => sliding_window_mask(L, size, 6),
    "causal and padding": (L, size) => both(causal_mask(L, 6), padding_mask(size, 6)),
    "causal and window": (L, size) => both(causal_mask(L, 6), sliding_window_mask(L, size, 6)),
  };

  /** Four lines of torch code that make the mask of L queries and six keys. */
  function mask_code(start, size, L, switched) {
    const causal = `torch.ones(${L}, 6).tril(${6 - L}).bool()`;
    const window = `(i - j).abs() <= ${size}`;
    const expression = {
      none: `torch.ones(${L}, 6).bool()`,
      causal,
      "causal, aligned to the start": `torch.ones(${L}, 6).tril().bool()`,
      padding: `(torch.arange(6) < ${size}).repeat(${L}, 1)`,
      window,
      "causal and padding": `${causal} & (torch.arange(6) < ${size})`,
      "causal and window": `(${window}) & (j <= i)`,
    }[start];
    const places = `i, j = torch.arange(${6 - L}, 6)[:, None], torch.arange(6)`;
    const first = [start.includes("window") ? places : `# ${L} × 6`, `mask = ${expression}`];
    const at = switched
      .map((on, k) => on && [Math.floor(k / 6) - 6 + L, k % 6])
      .filter((place) => place && place[0] >= 0);
    if (at.length > 8) {
      // a row's cells as the bits of a number
      const bits = Array.from({ length: L }, (_, row) => at.reduce((sum, [i, j]) => sum + (i === row ? 2 ** j : 0), 0));
      return [
        ...first,
        `bits = torch.tensor([${bits.join(", ")}])[:, None]`,
        "mask ^= (bits >> torch.arange(6)) % 2 == 1",
      ];
    }
    const listed = (k) => `[${at.map((place) => place[k]).join(", ")}]`;
    const switched_ = `mask[rows, columns] ^= True${at.length ? "" : "  # no cell is switched"}`;
    return [...first, `rows, columns = ${listed(0)}, ${listed(1)}`, switched_];
  }

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
    const empty = [...may_attend.keys()].filter((i) => i >= hidden && !may_attend[i].includes(true));
    const nothing = empty.length ? `rows that see nothing: ${empty.join(", ")}` : "no empty row";
    const title = `${leaks.filter(Boolean).length} of ${Math.max(changed - hidden, 0)} earlier leak`;
    const code = [
      ...mask_code(start, size, queries, switched),
      "# attn_mask=mask; for nn.MultiheadAttention attn_mask=~mask",
    ];
    const sees = (i) => `${i} sees ${may_attend[i].flatMap((may, j) => (may ? [j] : [])).join(" ") || "nothing"}`;
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
        ...Object.fromEntries(code.map((line, k) => [`code_${k}`, { text: line }])),
        leaks: { text: title },
        empty: { text: nothing },
      },
      axes: {},
      words: `${[0, 1, 2, 3, 4, 5].slice(hidden).map(sees).join("; ")}. ${title}; outputs move by ${moved.map((x) => x.toFixed(2)).join(", ")}. ${nothing}. ${code.join("; ")}`,
    };
  };
})();
