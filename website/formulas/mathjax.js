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
}

// A formula as HTML for the eye, with MathML for a screen reader.
function typeset(tex, display) {
  try {
    const adaptor = MathJax.startup.adaptor;
    const formula = MathJax.tex2chtml(tex, { display });
    if (adaptor.getAttribute(formula, "style") === "position: relative;") adaptor.removeAttribute(formula, "style"); // formulas.css sets it
    adaptor.tags(formula, "mjx-mtext").forEach(keep_words_together);
    return { html: adaptor.outerHTML(formula) };
  } catch (error) {
    return { error: error.message };
  }
}

// A line may break between the words of a text, and not within a word.
function keep_words_together(text) {
  const { adaptor } = MathJax.startup;
  let word = null;
  for (const letter of adaptor.childNodes(text).slice()) {
    const is_space = adaptor.hasClass(letter, "mjx-c20");
    if (!is_space && !word) adaptor.insert((word = adaptor.node("span", { class: "together" })), letter);
    if (is_space) word = null;
    else adaptor.append(word, letter);
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
