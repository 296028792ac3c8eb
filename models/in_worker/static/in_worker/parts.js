// A part of a model: from the letters of its script (models/in_worker/files.py) to packed bytes, in the page, and from these
// to bytes, in the worker. The page sends bytes because they can change hands, where a worker would get a copy of letters.
"use strict";
book.model_packed = (letters, { file, packed }) => {
  const ESCAPE = 1;
  const units = new Uint16Array(Math.ceil(packed / 2));
  let k = 0;
  for (let i = 0; i < letters.length; i++) {
    const unit = letters.charCodeAt(i);
    units[k++] = unit === ESCAPE ? letters.charCodeAt(++i) ^ 0x8000 : unit;
  }
  if (k !== units.length) {
    const found = { file, bytes: 2 * k, all: 2 * units.length };
    throw new RangeError(book.say("{file} arrived with {bytes} of {all} bytes", found));
  }
  return new Uint8Array(units.buffer, 0, packed);
};

book.model_unpacked = async (packed, { file, bytes }) => {
  if (typeof DecompressionStream === "undefined") throw new Error(book.say("this browser cannot unpack gzip"));
  const stream = new Blob([packed]).stream();
  const found = await new Response(stream.pipeThrough(new DecompressionStream("gzip"))).arrayBuffer().catch(() => {
    throw new RangeError(book.say("{file} is damaged: its checksum is wrong", { file }));
  });
  if (found.byteLength !== bytes) {
    const sizes = { file, found: found.byteLength, bytes };
    throw new RangeError(book.say("{file} is damaged: it has {found} bytes, not {bytes}", sizes));
  }
  return new Uint8Array(found);
};

/** The checksum of bytes, CRC-32 as in gzip. (A page opened from disk has no crypto.subtle.) */
book.model_sum = (() => {
  const table = Uint32Array.from({ length: 256 }, (_, byte) => {
    let sum = byte;
    for (let bit = 0; bit < 8; bit++) sum = sum & 1 ? (sum >>> 1) ^ 0xedb88320 : sum >>> 1;
    return sum;
  });
  return (bytes) => {
    let sum = -1;
    for (let k = 0; k < bytes.length; k++) sum = table[(sum ^ bytes[k]) & 255] ^ (sum >>> 8);
    return ~sum >>> 0;
  };
})();
