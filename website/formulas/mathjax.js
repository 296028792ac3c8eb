// MathJax without a browser: website/formulas loads this file and then MathJax into a JavaScript engine.
const PARTS = ["adaptors/liteDOM", "input/tex-full", "output/chtml", "output/chtml/fonts/tex", "a11y/assistive-mml"];

globalThis.console = { log() {}, warn() {}, error() {} };
globalThis.MathJax = {
  loader: { load: PARTS, paths: { mathjax: "" }, require() {} },
  startup: { typeset: false, document: "" },
  tex: {
    packages: ["base", "ams", "boldsymbol", "configmacros"], // no \newcommand, so no page's macros reach another page
    formatError(jax, error) {
      throw error;
    },
  },
  chtml: { fontURL: "FONTS" },
};

function start() {
  MathJax.startup.getComponents();
  MathJax.startup.makeMethods();
  set_letters_as_text(MathJax._.output.chtml.Wrappers.TextNode.CHTMLTextNode);
}

// MathJax gives each letter its own element and generated box. Here all letters of a number, name or symbol are one
// text in a single box, with the size that MathJax computes. The picture is the same, with half as many boxes to lay out.
function set_letters_as_text(text_node) {
  const from_escape = (_, hex) => String.fromCodePoint(parseInt(hex, 16)); // MathJax writes some glyphs as CSS escapes
  const apart = text_node.prototype.toCHTML;
  text_node.styles[".mjx-letters"] = { width: 0, "white-space": "pre" }; // the padding is as wide as the letters
  text_node.prototype.toCHTML = function (parent) {
    const { adaptor, node, parent: token } = this;
    const numbers = token.variant === "-explicitFont" ? [] : this.remappedText(node.getText(), token.variant);
    const letters = numbers.map((n) => this.getVariantChar(token.variant, n));
    const glyphs = letters.map(
      ([, , , { c }], i) => c?.replace(/\\([\da-f]+)/gi, from_escape) ?? String.fromCodePoint(numbers[i]),
    );
    const font = letters[0]?.[3].f;
    const is_plain =
      letters.length &&
      ["mjx-mi", "mjx-mn", "mjx-mo", "mjx-mtext"].includes(adaptor.kind(parent)) &&
      token.node.childNodes.length === 1 &&
      !adaptor.getStyle(parent, "width") && // MathJax gives a hat over a letter a width
      !token.parent?.isLineBelow && // MathJax moves such a line into a box
      letters.every(([, , , { unknown, f }]) => !unknown && f === font) &&
      glyphs.every((glyph) => [...glyph].length === 1) && // a double prime is two characters, a wide space may be none
      letters.slice(0, -1).every(([, , , { ic }]) => !ic); // MathJax adds room after a letter that leans out of its box
    if (!is_plain) return apart.call(this, parent);
    this.markUsed(); // the page needs the style above
    const size = (k) => Math.max(0, ...letters.map((letter) => letter[k]));
    const width = letters.reduce((sum, [, , w, { ic = 0 }]) => sum + w + ic, 0);
    adaptor.addClass(parent, "mjx-letters");
    if (font) adaptor.addClass(parent, `TEX-${font}`);
    adaptor.setStyle(parent, "padding", [size(0), width, size(1), 0].map((x) => this.em(x)).join(" "));
    adaptor.append(parent, this.text(glyphs.join("")));
  };
}

// A formula as HTML for the eye, with MathML for a screen reader.
function typeset(tex, display) {
  try {
    const adaptor = MathJax.startup.adaptor;
    const formula = MathJax.tex2chtml(tex, { display });
    if (adaptor.getAttribute(formula, "style") === "position: relative;") adaptor.removeAttribute(formula, "style"); // formulas.css sets it
    for (const math of adaptor.tags(formula, "math")) {
      adaptor.removeAttribute(math, "xmlns"); // HTML implies it
      simplify(math);
    }
    return { html: adaptor.outerHTML(formula) };
  } catch (error) {
    return { error: error.message };
  }
}

// MathML without MathJax's notes to itself, and without rows of a single element, which TeX's braces become.
function simplify(node) {
  const { adaptor } = MathJax.startup;
  for (const { name } of adaptor.allAttributes(node))
    if (name.startsWith("data-mjx-")) adaptor.removeAttribute(node, name);
  for (const child of adaptor.childNodes(node).filter((part) => adaptor.kind(part) !== "#text")) {
    simplify(child);
    const inner = adaptor.childNodes(child);
    const is_bare = adaptor.kind(child) === "mrow" && !adaptor.allAttributes(child).length;
    if (is_bare && inner.length === 1) adaptor.replace(inner[0], child);
  }
}

// The style for the characters typeset since the last call.
function take_style() {
  const style = MathJax.startup.adaptor.textContent(MathJax.chtmlStylesheet());
  MathJax.startup.output.clearCache();
  MathJax.texReset();
  return style;
}

// Called from Python
globalThis.formulas = { start, take_style, typeset };
