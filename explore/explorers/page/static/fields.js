// Values that a field takes and shows, and its messages: the page's counterpart of explore/explorers/fields.py, with
// the same words. This script does not touch the page.
globalThis.fields = (() => {
  "use strict";
  const STEPS = 400; // steps of a slider; a field also takes numbers between them
  const NUMBER = /^[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:e[+-]?[0-9]+)?$/i;
  const DECIMAL_COMMA = /^[+-]?[0-9]*,[0-9]+$/;

  /** A value of the control in words: its name in a list, "1 0; 0 1" for a table, else its digits or text. */
  function in_words({ options, words, columns }, value) {
    if (options) return words[options.indexOf(value)];
    if (!columns) return String(value);
    const rows = Array.from({ length: value.length / columns }, (_, i) => value.slice(i * columns, (i + 1) * columns));
    return rows.map((row) => row.join(" ")).join("; ");
  }

  /** The value that a text stands for; the error says what is wrong with it. */
  function check(control, written) {
    const { label, low, high, whole, options, words, longest, optional, number_of_words, columns, pattern } = control;
    const shown = [...written.trim()].slice(0, 30).join("");
    if (columns) return check_table(control, written, shown);
    if (options) {
      if (!words.includes(written)) throw new RangeError(`${label} must be one of ${words.join(", ")}, got ${shown}`);
      return options[words.indexOf(written)];
    }
    if (longest) {
      if (!shown && !optional) throw new RangeError(`${label} must not be empty`);
      const length = [...written].length;
      if (length > longest) throw new RangeError(`${label} must have at most ${longest} characters, got ${length}`);
      const count = written.split(/\s+/).filter(Boolean).length;
      if (number_of_words && count !== number_of_words)
        throw new RangeError(`${label} must have ${number_of_words} words, got ${count}`);
      if (pattern && written && !new RegExp(pattern).test(written))
        throw new RangeError(`${label} must be ${control.a_pattern}, got ${shown}`);
      return written;
    }
    const plain = written.normalize("NFKC").trim().replaceAll("−", "-");
    const what = `${label} must be ${whole ? "an integer" : "a number"} from ${low} to ${high}`;
    if (!plain) throw new RangeError(`${what}; the field is empty`);
    if (DECIMAL_COMMA.test(plain)) throw new RangeError(`${what}, with a decimal point and not a comma, got ${shown}`);
    const value = NUMBER.test(plain) ? Number(plain) + 0 : NaN; // no negative zero
    if (!(low <= value && value <= high) || (whole && !Number.isInteger(value)))
      throw new RangeError(`${what}, got ${shown}`);
    return value;
  }

  function check_table({ rows, columns, ...entry }, written, shown) {
    const found = written.split(";").map((row) => row.split(/[\s,]+/).filter(Boolean));
    if (found.length !== rows || found.some((row) => row.length !== columns)) {
      const sizes = [rows > 1 && `${rows} rows`, columns > 1 && `${columns} numbers${rows > 1 ? " in each row" : ""}`];
      const what = `${entry.label} must have ${sizes.filter(Boolean).join(" and ")}`;
      throw new RangeError(shown ? `${what}, got ${shown}` : `${what}; the field is empty`);
    }
    return found.flat().map((number) => check(entry, number));
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

  return { check, in_words, nearest, slider_values };
})();
