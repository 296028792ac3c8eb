"""The Content-Security-Policy: no script or handler is in the markup, and a browser refuses what a page may not do.

Every test that looks at a page's complaints (all pages, trained models, from a disk, too) sees what is refused there.
"""

import re

import pytest

from conftest import PAGES
from website.page.policy import POLICY
from website.places import SITE

REFUSED = """() => { globalThis.refused = [];
    addEventListener("securitypolicyviolation", event => refused.push(event.violatedDirective + event.blockedURI)); }"""


@pytest.mark.parametrize("page", PAGES)
def test_a_page_has_the_policy_and_no_script_or_handler_in_its_markup(page):
    text = (SITE / page).read_text(encoding="utf-8")
    head = text.partition("<script")[0]
    policy = re.search(r'<meta http-equiv="Content-Security-Policy" content="([^"]*)">', head)
    assert policy, "the policy covers only what stands after it"
    assert policy[1] == "; ".join(f"{name} {sources}" for name, sources in POLICY.items())
    assert re.findall(r"<script(?![^>]*\ssrc=)[^>]*>", text) == []
    assert re.findall(r"<[a-zA-Z][^<>]*\son\w+\s*=", re.sub(r"<pre.*?</pre>", "", text, flags=re.S)) == []
    assert "javascript:" not in " ".join(re.findall(r'(?:href|src|action)="([^"]*)"', text))


@pytest.mark.parametrize("way", ["a script in the markup", "a handler", "another host", "a request"])
def test_a_browser_refuses_what_the_policy_forbids(way, open_page):
    page = open_page("search.html")
    page.evaluate(REFUSED)
    page.evaluate(
        """way => {
            const tag = (name, set) => document.body.append(Object.assign(document.createElement(name), set));
            if (way === "a script in the markup") tag("script", {textContent: "globalThis.ran = true"});
            if (way === "a handler") document.body.insertAdjacentHTML("beforeend", "<img src=x onerror='ran = true'>");
            if (way === "another host") tag("img", {src: "https://example.org/a.png"});
            if (way === "a request") fetch("https://example.org/").catch(() => null);
        }""",
        way,
    )
    page.wait_for_function("refused.length")
    assert page.evaluate("globalThis.ran") is None
