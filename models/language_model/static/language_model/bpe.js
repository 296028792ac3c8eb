// A copy of SmolLM2's tokenizer in `tokenizers`; tests/models/test_language_model.py compares them. Words are cut as in
// GPT-2, digits one by one; each word's bytes are merged in the order that training found. The vocabulary and the kinds
// of characters come from models/language_model/model_files.py.
"use strict";
book.language_tokenizer = ({ tokens, merges, special, letters, numbers, spaces }) => {
  const ids = new Map(tokens.map((token, id) => [token, id]));
  const ranks = new Map(merges.map((pair, rank) => [pair, rank]));
  const escaped = (text) => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
  const inside = (ranges) => {
    let written = "";
    for (let k = 0; k < ranges.length; k += 2)
      written += `\\u{${ranges[k].toString(16)}}-\\u{${ranges[k + 1].toString(16)}}`;
    return written;
  };
  const [L, N, S] = [letters, numbers, spaces].map(inside);
  const of_special = new RegExp(`(${special.map(escaped).join("|")})`, "u");
  const of_digits = new RegExp(`[${N}]|[^${N}]+`, "gu");
  const of_words = new RegExp(
    `'s|'t|'re|'ve|'m|'ll|'d| ?[${L}]+| ?[${N}]+| ?[^${S}${L}${N}]+|[${S}]+(?![^${S}])|[${S}]+`,
    "gu",
  );

  // Each byte has a visible letter, as in GPT-2.
  const seen = (b) => (b >= 33 && b <= 126) || (b >= 161 && b <= 172) || (b >= 174 && b <= 255);
  let next = 256;
  const letter_of = Array.from({ length: 256 }, (_, b) => String.fromCodePoint(seen(b) ? b : next++));
  const byte_of = new Map(letter_of.map((letter, b) => [letter, b]));
  const to_bytes = new TextEncoder();

  const known = new Map();
  function merged(word) {
    if (known.has(word)) return known.get(word);
    // Some bytes have no token. As in the library, they are left out before their neighbours are merged.
    let parts = Array.from(to_bytes.encode(word), (b) => letter_of[b]).filter((letter) => ids.has(letter));
    while (parts.length > 1) {
      let [best, at] = [Infinity, -1];
      for (let k = 0; k + 1 < parts.length; k++) {
        const rank = ranks.get(`${parts[k]} ${parts[k + 1]}`);
        if (rank < best) [best, at] = [rank, k];
      }
      if (at < 0) break;
      const [first, second] = [parts[at], parts[at + 1]];
      const joined = [];
      for (let k = 0; k < parts.length; k++)
        if (parts[k] === first && parts[k + 1] === second) {
          joined.push(first + second);
          k++;
        } else joined.push(parts[k]);
      parts = joined;
    }
    const found = parts.map((part) => ids.get(part));
    if (known.size > 10_000) known.clear();
    known.set(word, found);
    return found;
  }

  function encode(text) {
    const found = [];
    for (const piece of text.split(of_special)) {
      if (special.includes(piece)) found.push(ids.get(piece));
      else
        for (const part of piece.match(of_digits) ?? [])
          for (const word of part.match(of_words) ?? []) found.push(...merged(word));
    }
    return found;
  }

  function bytes_of(id) {
    if (special.includes(tokens[id])) return [...to_bytes.encode(tokens[id])];
    return Array.from(tokens[id], (letter) => byte_of.get(letter));
  }

  /** The text of tokens. Bytes that are not (yet) a whole character become �. */
  const decode = (numbers) => new TextDecoder().decode(Uint8Array.from(numbers.flatMap(bytes_of)));

  return { bytes_of, decode, encode };
};
