// A copy of explore/explorers/fields.py; tests/explore/explorers/test_fields.py compares them. Values that a field
// takes and shows, and its messages; what a control expects comes from Python, in words. The page is not touched.
"use strict";
book.fields = (() => {
  const STEPS = 400; // steps of a slider; a field also takes numbers between them
  const NUMBER = /^[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:e[+-]?[0-9]+)?$/i;
  const DECIMAL_COMMA = /^[+-]?[0-9]*,[0-9]+$/;

  /** A value of the control as links have it: its id in a list, "1 0; 0 1" for a table, else its digits or text. */
  function written({ options, ids, columns }, value) {
    if (options) return ids[options.indexOf(value)];
    if (!columns) return String(value);
    const rows = Array.from({ length: value.length / columns }, (_, i) => value.slice(i * columns, (i + 1) * columns));
    return rows.map((row) => row.join(" ")).join("; ");
  }

  /** The same as readers see it: words for the ids of a list. */
  function in_words(control, value) {
    const { options, words } = control;
    return options ? words[options.indexOf(value)] : written(control, value);
  }

  /** The error for a text that a control does not take: what is expected, and what came. */
  function refused(expected, text) {
    const shown = [...text.trim()].slice(0, 30).join("");
    if (shown) return new RangeError(book.say("{expected}, got {written}", { expected, written: shown }));
    return new RangeError(book.say("{expected}; the field is empty", { expected }));
  }

  /** The value that a text stands for; the error says what is wrong with it. */
  function check(control, text) {
    const { expected, low, high, whole, options, ids, longest, columns, pattern } = control;
    if (columns) return check_table(control, text);
    if (options) {
      if (!ids.includes(text)) throw refused(expected, text);
      return options[ids.indexOf(text)];
    }
    if (longest) {
      if (!new RegExp(pattern).test(text)) throw refused(expected, text);
      if ([...text].length > longest) throw refused(expected, `${[...text].length}`);
      return text;
    }
    const plain = text.normalize("NFKC").trim().replaceAll("−", "-");
    if (DECIMAL_COMMA.test(plain))
      throw refused(book.say("{expected}, with a decimal point and not a comma", { expected }), text);
    const value = NUMBER.test(plain) ? Number(plain) + 0 : NaN; // no negative zero
    if (!(low <= value && value <= high) || (whole && !Number.isInteger(value))) throw refused(expected, text);
    return value;
  }

  function check_table({ rows, columns, expected, entry_expected, ...entry }, text) {
    const found = text.split(";").map((row) => row.split(/[\s,]+/).filter(Boolean));
    if (found.length !== rows || found.some((row) => row.length !== columns)) throw refused(expected, text);
    return found.flat().map((number) => check({ ...entry, expected: entry_expected }, number));
  }

  /** The values of a slider's positions: short numbers, and no integer twice, or a key would do nothing. */
  function slider_values({ low, high, log, whole }) {
    const count = whole && !log ? Math.min(high - low, STEPS) : STEPS;
    const decimals = whole ? 0 : Math.max(Math.ceil(-Math.log10((high - low) / STEPS)), 0);
    const rounded = (x) => Math.floor(x * 10 ** decimals + 0.5) / 10 ** decimals;
    const short = (x) => Math.min(Math.max(log && !whole ? Number(x.toPrecision(3)) : rounded(x), low), high);
    const between = (share) => (log ? low * (high / low) ** share : low + (high - low) * share);
    return [...new Set(Array.from({ length: count + 1 }, (_, i) => short(between(i / count))))];
  }

  /** The index of the number nearest to the value. */
  function nearest(numbers, value) {
    return numbers.reduce((best, x, i) => (Math.abs(x - value) < Math.abs(numbers[best] - value) ? i : best), 0);
  }

  return { check, in_words, nearest, slider_values, written };
})();
