// A copy of the encoder's tokenizer in `tokenizers`; tests/models/test_own_sentence.py compares them. Texts are cut
// into characters, words and pieces of words. The tables of characters to drop and of places to cut come from the
// library itself, through models/own_sentence/model_files.py.
"use strict";
book.sentence_tokenizer = (vocabulary) => {
  const numbers = new Map(vocabulary.tokens.map((token, number) => [token, number]));
  const [dropped, spaces, cuts, words] = ["dropped", "spaces", "cuts", "words"].map((name) => member(vocabulary[name]));
  const escaped = (text) => text.replace(/[[\]]/g, "\\$&");
  const special = new RegExp(`(${vocabulary.special.map(escaped).join("|")})`);

  /** Whether a character is in one of the ranges [first, last, first, last, ...]. */
  function member(ranges) {
    return (letter) => {
      const code = letter.codePointAt(0);
      let [low, high] = [0, ranges.length];
      while (low < high) {
        const middle = (low + high) >> 1;
        if (ranges[middle] < code) low = middle + 1;
        else high = middle;
      }
      return low % 2 === 1 || ranges[low] === code;
    };
  }

  /** Lower-case letters without accents; spaces around characters that are separate words. */
  function normalized(text) {
    const clean = [...text].filter((letter) => !dropped(letter));
    const spaced = clean.map((letter) => (spaces(letter) ? " " : words(letter) ? ` ${letter} ` : letter)).join("");
    const bare = [...spaced.normalize("NFD")].filter((letter) => !dropped(letter));
    return bare.map((letter) => letter.toLowerCase()).join("");
  }

  function words_of(text) {
    const found = [[]];
    for (const letter of normalized(text)) {
      if (spaces(letter)) found.push([]);
      else if (cuts(letter)) found.push([letter], []);
      else found.at(-1).push(letter);
    }
    return found.filter((word) => word.length);
  }

  /** The longest piece that is a token, then the longest piece of the rest; all but the first are marked with ##. */
  function pieces_of(word) {
    const found = [];
    for (let start = 0, end; start < word.length; start = end) {
      const mark = start ? "##" : "";
      end = word.length > vocabulary.longest_word ? start : word.length;
      while (end > start && !numbers.has(mark + word.slice(start, end).join(""))) end -= 1;
      if (end === start) return ["[UNK]"];
      found.push(mark + word.slice(start, end).join(""));
    }
    return found;
  }

  /** Tokens of a text with its two separators, and their numbers: at most `longest`. `cut` counts those left out. */
  return (text, longest = 512) => {
    const pieces = text.split(special).flatMap((part, i) => (i % 2 ? [part] : words_of(part).flatMap(pieces_of)));
    const kept = pieces.slice(0, longest - 2);
    const tokens = ["[CLS]", ...kept, "[SEP]"];
    return { tokens, ids: tokens.map((token) => numbers.get(token)), cut: pieces.length - kept.length };
  };
};
