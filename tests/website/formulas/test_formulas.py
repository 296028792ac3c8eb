"""Formulas typeset at build time are as large as those that MathJax typesets in a browser."""

import pytest

from website import formulas
from website.browser import serving

FORMULAS = [
    "d_k",
    r"c = d_k^{-\alpha} \approx 512.25\,\omega'",
    r"\operatorname{softmax}\left(\frac{QK^\top}{\sqrt{d_k}}\right)V",
    r"\hat{y} + \bar{x} \cdot \vec{v} \times \tilde{q}",
    r"\sum_{i=1}^{n} e^{s_i} \Big/ \int_0^1 \mathcal{L}\, \mathbb{E}[\boldsymbol\mu] \, dt",
    r"\Bigl( \ln n \Bigr) \underbrace{a + b}_{\text{two of them}} \quad \lVert \Delta W \rVert_2",
    r"\begin{cases} 0 & j \le i \\ -\infty & \text{otherwise} \end{cases} \qquad \sqrt[3]{\rho} \iff \text{naïve}",
]
CASES = [(tex, display) for tex in FORMULAS for display in (False, True)]
SET_BOTH = """async ([cases, html, style]) => {
    const [own, ours] = ["own", "ours"].map((id) => Object.assign(document.createElement("div"), { id }));
    for (const [tex, display] of cases) own.append(MathJax.tex2chtml(tex, { display }));
    ours.attachShadow({ mode: "open" }).innerHTML = `<style>${style}</style>${html.join("")}`;
    document.body.append(own, ours);
    document.head.append(MathJax.chtmlStylesheet());
    document.body.offsetWidth; // asks for the fonts
    await document.fonts.ready;
    const size = (part) => { const { width, height } = part.getBoundingClientRect(); return [width, height] };
    return [own, ours.shadowRoot].map((folder) => [...folder.querySelectorAll("mjx-math")].map(size));
}"""


def test_formulas_are_as_large_as_those_that_mathjax_sets(browser):
    engine = formulas.engine()
    engine.call("formulas.take_style")
    html = [engine.call("formulas.typeset", tex, display)["html"] for tex, display in CASES]
    with serving(formulas.MATHJAX) as address:
        page = browser.new_page()
        page.goto(address + formulas.FONTS)
        page.set_content("<!doctype html>")
        fonts = address + formulas.FONTS
        page.evaluate("(fontURL) => { MathJax = { startup: { typeset: false }, chtml: { fontURL } } }", fonts)
        page.add_script_tag(path=formulas.MATHJAX / "tex-chtml-full.js")
        page.evaluate("MathJax.startup.promise")
        style = engine.call("formulas.take_style").replace("FONTS", fonts)
        own, ours = page.evaluate(SET_BOTH, [CASES, html, style])
        page.close()
    assert len(own) == len(ours) == len(CASES)
    for (tex, display), a, b in zip(CASES, own, ours, strict=True):
        assert b == pytest.approx(a, abs=0.5), f"{tex} (display: {display})"


@pytest.mark.parametrize("tex", ["f''", r"\not\subset", r"\limsup", r"\operatorname{softmax}", r"\underline{f}"])
def test_formulas_that_are_more_than_letters_are_left_to_mathjax(tex):
    """Here a letter has several glyphs, a space has no glyph, a slanted letter needs room, or a line is moved."""
    html = formulas.engine().call("formulas.typeset", tex, False)["html"]
    math = html[: html.index("<mjx-assistive-mml")]
    assert "<mjx-c " in math
    assert "\\" not in math


def test_the_mathml_has_no_rows_of_one_element_and_no_notes_of_mathjax():
    html = formulas.engine().call("formulas.typeset", r"\left( d_{k}^{ab} \right)", False)["html"]
    mathml = html[html.index("<math") : html.index("</mjx-assistive-mml")]
    row = "<mrow><mi>a</mi><mi>b</mi></mrow>"
    inner = f"<mo>(</mo><msubsup><mi>d</mi><mi>k</mi>{row}</msubsup><mo>)</mo>"
    assert mathml == f"<math><mrow>{inner}</mrow></math>"


def test_the_letters_of_a_sign_become_one_text_with_its_style():
    engine = formulas.engine()
    engine.call("formulas.take_style")
    html = engine.call("formulas.typeset", r"512 \omega", False)["html"]
    math = html[: html.index("<mjx-assistive-mml")]
    assert ">512</mjx-mn>" in math
    assert ">ω</mjx-mi>" in math
    assert "<mjx-c " not in math
    assert ".mjx-letters {" in engine.call("formulas.take_style")
