// MathJax without a browser: formulas.py loads this, then MathJax, into a JavaScript engine.
const PARTS = ["adaptors/liteDOM", "input/tex-full", "output/chtml", "output/chtml/fonts/tex", "a11y/assistive-mml"];

var console = { log() {}, warn() {}, error() {} };
var MathJax = {
  loader: { load: PARTS, paths: { mathjax: "" }, require() {} },
  startup: { typeset: false, document: "" },
  tex: {
    packages: ["base", "ams", "boldsymbol", "configmacros"], // no macro goes from page to page
    formatError(jax, error) {
      throw error;
    },
  },
  chtml: { fontURL: "FONTS" },
};

function start() {
  MathJax.startup.getComponents();
  MathJax.startup.makeMethods();
  setLettersAsText(MathJax._.output.chtml.Wrappers.TextNode.CHTMLTextNode);
}

// MathJax gives each letter an element and a generated box of its own. The letters of a number, name or sign are one text
// here, in the box of that sign and of the size that MathJax knows: the same picture of half as many boxes to lay out.
function setLettersAsText(TextNode) {
  const fromEscape = (_, hex) => String.fromCodePoint(parseInt(hex, 16)); // MathJax names some glyphs as a style sheet does
  const apart = TextNode.prototype.toCHTML;
  TextNode.styles[".mjx-letters"] = { width: 0, "white-space": "pre" }; // the padding is as wide as the letters
  TextNode.prototype.toCHTML = function (parent) {
    const { adaptor, parent: { variant } } = this; // prettier-ignore
    const numbers = variant === "-explicitFont" ? [] : this.remappedText(this.node.getText(), variant);
    const letters = numbers.map((n) => this.getVariantChar(variant, n));
    const [first] = letters;
    const isPlain =
      first &&
      ["mjx-mi", "mjx-mn", "mjx-mo", "mjx-mtext"].includes(adaptor.kind(parent)) &&
      this.parent.node.childNodes.length === 1 &&
      !adaptor.getStyle(parent, "width") && // as a hat over a letter has
      !this.parent.parent?.isLineBelow && // MathJax moves that line into a box
      letters.every(([, , , data]) => !data.unknown && data.f === first[3].f && /^(.|\\[\da-f]+)$/iu.test(data.c ?? ".")) &&
      letters.slice(0, -1).every(([, , , data]) => !data.ic); // of a letter that leans out MathJax makes room inside a word
    if (!isPlain) return apart.call(this, parent);
    this.markUsed(); // the page needs the style above
    const size = (k) => Math.max(0, ...letters.map((letter) => letter[k]));
    const width = letters.reduce((sum, [, , w, data]) => sum + w + (data.ic ?? 0), 0); // ic: by how much it leans out
    adaptor.addClass(parent, "mjx-letters");
    if (first[3].f) adaptor.addClass(parent, `TEX-${first[3].f}`);
    adaptor.setStyle(parent, "padding", [size(0), width, size(1), 0].map((x) => this.em(x)).join(" "));
    const glyph = ([, , , data], i) => data.c?.replace(/\\([\da-f]+)/i, fromEscape) ?? String.fromCodePoint(numbers[i]);
    adaptor.append(parent, this.text(letters.map(glyph).join("")));
  };
}

// HTML for the eye and MathML for a screen reader.
function typeset(tex, display) {
  try {
    const adaptor = MathJax.startup.adaptor;
    const formula = MathJax.tex2chtml(tex, { display });
    if (adaptor.getAttribute(formula, "style") === "position: relative;") adaptor.removeAttribute(formula, "style"); // in book.css
    for (const math of adaptor.tags(formula, "math")) adaptor.removeAttribute(math, "xmlns"); // HTML knows it
    return { html: adaptor.outerHTML(formula) };
  } catch (error) {
    return { error: error.message };
  }
}

// The style for the characters set since the last call.
function takeStyle() {
  const style = MathJax.startup.adaptor.textContent(MathJax.chtmlStylesheet());
  MathJax.startup.output.clearCache();
  MathJax.texReset();
  return style;
}
