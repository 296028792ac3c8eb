// What our scripts share. This script comes first, in a page and in a worker. It names all members; other scripts fill
// them, and read those of scripts before them. The object is sealed: to fill a member that is not named here is an error.
"use strict";
globalThis.book = Object.seal({
  /** An element with these attributes and children; an attribute that is false is left out. */
  make(tag, attributes = {}, ...children) {
    const made = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) if (value !== false) made.setAttribute(name, value);
    made.append(...children);
    return made;
  },

  // Words in the reader's language, as languages/__init__.py has them
  /** `text` in the reader's language, with `values` for the names in braces. */
  say(text, values = {}) {
    return (book.sayings[text] ?? text).replace(/\{(\w+)\}/g, (whole, name) => values[name] ?? whole);
  },
  /** `one` or `many`, as the reader's language says it of the number `n`, which is also `{n}`. */
  say_number(one, many, n, values = {}) {
    const said = book.sayings[one]?.[book.plural(n)] ?? (n === 1 ? one : many);
    return book.say(said, { n, ...values });
  },
  /** One or more words, as a sentence lists them. */
  say_list(words) {
    const first = words.slice(0, -1).join(book.say(", "));
    return first ? book.say("{first} and {last}", { first, last: words.at(-1) }) : words[0];
  },
  /** The parts of what has been said, with elements for the names that are still in braces. */
  with_elements: (said, elements) => said.split(/\{(\w+)\}/).map((part, i) => (i % 2 ? elements[part] : part)),
  /** Words of a picture, in the reader's language: in a saying, {1}, {2} … stand for the numbers in `text`. */
  of_picture(text) {
    const numbers = [];
    const bare = text.replace(/[-−]?[0-9]+(?:\.[0-9]+)?(?:e[-+][0-9]+)?/g, (x) => `{${numbers.push(x)}}`);
    return book.picture_sayings[bare]?.replace(/\{(\d+)\}/g, (_, place) => numbers[place - 1]) ?? text;
  },
  /** `text` itself: words that are said later are found here by whoever translates. */
  mark: (text) => text,
  sayings: {}, // unless the page is English, a script that the build writes has these three
  picture_sayings: {},
  plural: null,
  terms: {}, // of the glossary, by their English names

  // The mathematics of attention, and what the programs of explorers share
  attention_core: null, // attention_core.js
  scenes: null, // scenes.js

  // Explorers
  explorers: {}, // programs by the names of their explorers: programs/NAME.js
  explorer_frames: {}, // pictures of flip-books, by the ids of their explorers: scripts that the build writes
  explorer_states: null, // states.js
  fields: null, // fields.js
  explorer_picture: null, // picture.js
  explorer_tables: null, // tables.js
  explorer_handles: null, // handles.js
  explorer_controls: null, // controls.js
  explorer_links: null, // state_links.js

  // The book's example: the machine of chapter 0, the title page's picture
  four_words: null, // a script that the build writes (four_words/sentences.py)
  machine_view: null, // machine_view.js
  opening_looks: null, // looks.js

  // Trained models: in the page
  model_bar: null, // in_worker/bar.js
  model_client: null, // in_worker/client.js
  model_packed: null, // in_worker/parts.js
  head_map: null, // in_worker/head_map.js
  sentence_tokenizer: null, // own_sentence/wordpiece.js
  sentence_view: null, // own_sentence/view.js
  language_tokenizer: null, // language_model/bpe.js
  language_sampling: null, // language_model/sampling.js
  language_view: null, // language_model/view.js
  model_vocabulary: null, // these four: scripts that the build writes (models/in_worker/files.py)
  model_worker: null, // a worker's whole program
  model_manifest: null,
  model_parts: {}, // by the names of their files

  // Trained models: in a worker
  model_products: null, // linear.wasm; models/in_worker/files.py writes it
  model_linear: null, // in_worker/linear.js
  model_unpacked: null, // in_worker/parts.js
  model_sum: null, // in_worker/parts.js
  model_keeper: null, // in_worker/keeper.js
  sentence_encoder: null, // own_sentence/encoder.js
  sentence_measure: null, // own_sentence/measure.js
  language_decoder: null, // language_model/decoder.js

  // Questions and the search
  answers: null, // questions.js
  all_questions: null, // a script that the build writes
  words: null, // words.js
  search_pages: null, // a script that the build writes
});
