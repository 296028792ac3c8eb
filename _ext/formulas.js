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
}

// HTML for the eye and MathML for a screen reader.
function typeset(tex, display) {
  try {
    return { html: MathJax.startup.adaptor.outerHTML(MathJax.tex2chtml(tex, { display })) };
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
