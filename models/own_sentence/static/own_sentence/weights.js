// The weights of the trained encoder, by the names that models/own_sentence/model_files.py gives its tensors.
"use strict";
book.sentence_weights = (() => {
  /** The model that encoder.js runs, from the tensors in `room` (linear.js). */
  function unpacked(room) {
    const norm = (name) => ({ weight: room.floats(`${name}.weight`), bias: room.floats(`${name}.bias`) });
    const module = (name) => ({ matrix: `${name}.weight`, bias: room.floats(`${name}.bias`) });
    const layer = (i) => {
      const parts = ["query", "key", "value", "out", "widen", "narrow"];
      const modules = Object.fromEntries(parts.map((part) => [part, module(`layers.${i}.${part}`)]));
      return { ...modules, norms: [0, 1].map((k) => norm(`layers.${i}.norms.${k}`)) };
    };
    return {
      multiply: room.multiply,
      row: room.rows,
      segment: room.floats("segment"),
      norm: norm("norm"),
      layers: [0, 1, 2, 3, 4, 5].map(layer),
    };
  }

  return { unpacked };
})();
